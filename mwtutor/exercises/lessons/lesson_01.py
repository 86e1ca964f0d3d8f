"""Lesson 01: one machine, several devices."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from mwtutor.exercises.exercise import (
    Exercise,
    Sabotage,
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.logs import logs

# 01-1: the latest checkpoint

#: Epochs in the order in which their files are written: copying does not keep the order of saving.
_EPOCHS = (11, 10, 9, 2)


def _check_latest(work: Work) -> Verdict:
    latest = work.value("latest")
    if not callable(latest):
        return not_yet("`latest` is not a function.")
    with tempfile.TemporaryDirectory() as folder:
        for age, epoch in enumerate(_EPOCHS):
            file = Path(folder, f"ckpt_{epoch}.weights.h5")
            file.touch()
            os.utime(file, (1e9 + age, 1e9 + age))
        found = latest(Path(folder))
        if found is None:
            return not_yet()
        return _judge_latest(f"{found!s:.200}".rpartition("/")[2])


def _judge_latest(name: str) -> Verdict:
    saved = "Of the epochs 2, 9, 10 and 11 it"
    if name == "ckpt_11.weights.h5":
        return right("It compares the numbers, whatever the order of the files.")
    if name == "ckpt_9.weights.h5":
        return wrong(f"{saved} chooses 9: as text, '9' comes after '11'.")
    if name == "ckpt_2.weights.h5":
        return wrong(
            f"{saved} chooses 2, whose file was written last: the files have been copied, and"
            " their times say nothing about the training."
        )
    if name == f"ckpt_{len(_EPOCHS)}.weights.h5":
        return wrong(f"{saved} chooses {len(_EPOCHS)}, which is how many files there are.")
    return wrong(f"{saved} chooses {name!r}.")


_LATEST = Exercise(
    id="01-1",
    title="the latest checkpoint",
    task=(
        "Write `latest(folder)`: the path of the checkpoint `ckpt_N.weights.h5` of the latest epoch"
        " in a folder (a `Path`). Some epochs may be missing, and the files may have been copied"
        " from another machine."
    ),
    stub="def latest(folder):\n    return None\n",
    check=_check_latest,
    hints=(
        "What is the last of the names that section 5 lists?",
        "What has to be compared is a number, and the name is a text.",
        "`max(paths, key=...)` compares what the function `key` makes of each path.",
    ),
    solution="""\
def epoch(path):
    return int(path.name.removeprefix("ckpt_").removesuffix(".weights.h5"))


def latest(folder):
    return max(folder.glob("ckpt_*.weights.h5"), key=epoch)
""",
    reasoning=(
        "The number of the epoch is the only thing that says how far the training was. Texts are"
        " compared letter by letter, so 9 would come after 11; the time of a file is that of its"
        " last copy. `ckpt_{epoch:03d}` in the callback would have made the texts sortable, too."
    ),
    sabotages=(
        Sabotage(
            "names in order are epochs in order",
            'def latest(folder):\n    return max(folder.glob("ckpt_*.weights.h5"))\n',
            "as text, '9' comes after '11'",
        ),
        Sabotage(
            "the newest file is the latest epoch",
            """\
def latest(folder):
    return max(folder.glob("ckpt_*.weights.h5"), key=lambda path: path.stat().st_mtime)
""",
            "was written last",
        ),
        Sabotage(
            "there is a checkpoint of every epoch",
            """\
def latest(folder):
    return folder / f"ckpt_{len(list(folder.glob('ckpt_*')))}.weights.h5"
""",
            "how many files there are",
        ),
    ),
)

# 01-2: a program that leaves a device idle

_PER_REPLICA, _STEPS = 32, 4


def _check_repaired(work: Work) -> Verdict:
    run = ended(work, "repaired.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is not None and not run.outcome.ok:
        return wrong(f"The run {run.outcome.status}: {run.outcome.reason}.")
    found = [_rows(line.text) for line in logs.lines(run.spec, list(run.tasks))]
    rows = next((each for each in reversed(found) if each), None)
    if rows is None:
        return wrong("The program has not printed how many rows each replica got.")
    return _judge_rows(rows)


def _rows(text: str) -> list[int]:
    try:
        found = json.loads(text.removeprefix("ROWS ")) if text.startswith("ROWS ") else []
        return [int(number) for number in found]
    except (TypeError, ValueError):
        return []


def _judge_rows(rows: list[int]) -> Verdict:
    each = [number // _STEPS for number in rows]
    if each == [_PER_REPLICA, _PER_REPLICA]:
        return right(f"Both replicas trained, on {_PER_REPLICA} rows in each step.")
    if each == [_PER_REPLICA, 0]:
        return not_yet(f"Replica 0 got {_PER_REPLICA} rows a step, and replica 1 none.")
    if each == [2 * _PER_REPLICA, 0]:
        return wrong(
            f"Replica 0 got {each[0]} rows a step, and replica 1 none. The batch is larger, but the"
            " model knows of one device only."
        )
    if each == [_PER_REPLICA // 2] * 2:
        return wrong(
            f"Both replicas trained, but each on {each[0]} rows a step: they share the batch of the"
            " dataset."
        )
    if each == [2 * _PER_REPLICA] * 2:
        return wrong(
            f"Each replica got {each[0]} rows a step: the batch has been multiplied more than once."
        )
    return wrong(f"The replicas got {each} rows a step.")


_PROGRAM = """\
%%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
"""
_DATA = """\
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch({batch}, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))
"""
_OUTSIDE = "model = parts.build_model(rows)\n"
_INSIDE = "with strategy.scope():\n    model = parts.build_model(rows)\n"
_SHARED = _DATA.format(batch="32")
_GLOBAL = _DATA.format(batch="32 * strategy.num_replicas_in_sync")

_IDLE = Exercise(
    id="01-2",
    title="an idle device",
    task=(
        "`repaired.py` divides the processor in two, but one half does nothing. Repair it: both"
        " replicas must train, on 32 rows each in every step. Leave the number of steps and the"
        " last line as they are."
    ),
    stub=_PROGRAM + _OUTSIDE + _SHARED,
    check=_check_repaired,
    hints=(
        "A model remembers the strategy under which it was made.",
        "Two lines are to be changed: where the model is made, and the batch.",
        "`with strategy.scope():`, and `strategy.num_replicas_in_sync`.",
    ),
    solution=_PROGRAM + _INSIDE + _GLOBAL,
    reasoning=(
        "`fit` trains under the strategy in whose scope the model was made. Outside any scope that"
        " is the default, one device, and no error says so. The batch of the dataset is what all"
        " replicas share, so it has to be multiplied by their number."
    ),
    sabotages=(
        Sabotage(
            "a batch for two is trained by two",
            _PROGRAM + _OUTSIDE + _GLOBAL,
            "the model knows of one device only",
        ),
        Sabotage(
            "each replica gets the batch of the dataset",
            _PROGRAM + _INSIDE + _SHARED,
            "they share the batch of the dataset",
        ),
        Sabotage(
            "the batch is multiplied for each replica, and once more for all",
            _PROGRAM + _INSIDE + _DATA.format(batch="32 * strategy.num_replicas_in_sync ** 2"),
            "multiplied more than once",
        ),
    ),
)

# 01-3: a pipeline

_LOOK = "look(pipeline)"
_COUNT, _GLOBAL_BATCH = 64, 8


def _check_pipeline(work: Work) -> Verdict:
    looked = list(work.session.get(_LOOK, {}).values())
    if not looked:
        return not_yet("No pipeline could be read: does the cell run, and return a dataset?")
    try:
        first, second = (list(epoch) for epoch in looked[0]["epochs"])
        read = int(looked[0]["read"])
    except (KeyError, TypeError, ValueError):
        return not_yet("No pipeline could be read.")
    if not first or not all(isinstance(batch, list) for batch in first):
        return not_yet("It gives single rows, not batches.")
    return _judge_pipeline(first, second, read)


def _judge_pipeline(first: list[Any], second: list[Any], read: int) -> Verdict:
    rows = [number for batch in first for number in batch]
    if len(first[0]) == _GLOBAL_BATCH // 2:
        return wrong(
            "A batch of the dataset has 4 rows. Two replicas share it, so each gets 2 of them."
        )
    if len(first[0]) != _GLOBAL_BATCH:
        return wrong(f"A batch of the dataset has {len(first[0])} rows.")
    if sorted(rows) != list(range(_COUNT)):
        return wrong(f"An epoch has {len(rows)} rows, {len(set(rows))} of them different.")
    if rows == sorted(rows):
        return wrong("The rows come in the order of the source: nothing is shuffled.")
    if all(batch == list(range(batch[0], batch[0] + len(batch))) for batch in first):
        return wrong("The batches are mixed, but each always has the same rows, in order.")
    if first == second:
        return wrong("Both epochs have the same order: it was kept from the first.")
    if read > _COUNT:
        return wrong(f"{read} rows were read from the source in two epochs: nothing was kept.")
    return right(f"{_COUNT} rows read once, mixed anew in each epoch, 4 for each of two replicas.")


_HEAD = "%%mw\ndef pipeline(rows, per_replica, replicas):\n    "
_BATCH = ".batch(per_replica * replicas)\n"

_PIPELINE = Exercise(
    id="01-3",
    title="a pipeline",
    hard=True,
    task=(
        "Write `pipeline(rows, per_replica, replicas)`, in the session: it turns the dataset"
        " `rows` (64 numbers) into a dataset of global batches, with `per_replica` rows for each of"
        " `replicas` replicas. The source is slow, and must be read only once; the rows must be"
        " mixed well, and anew in every epoch."
    ),
    stub=_HEAD + "return rows\n",
    check=_check_pipeline,
    hints=(
        "You need three methods of a dataset. Their order matters.",
        "What is cached is the same in every epoch. What must not be the same?",
        "Rows are mixed as long as they are rows, not batches.",
    ),
    solution=_HEAD + "return rows.cache().shuffle(64)" + _BATCH,
    reasoning=(
        "The cache comes first: it keeps what is slow, the reading. The shuffle after it is done"
        " anew in each epoch. The batch comes last, because a shuffle behind it would mix whole"
        " batches; and it is the global batch, which the replicas share."
    ),
    sabotages=(
        Sabotage(
            "the strategy multiplies the batch",
            _HEAD + "return rows.cache().shuffle(64).batch(per_replica)\n",
            "each gets 2 of them",
        ),
        Sabotage(
            "what is shuffled once is shuffled for ever",
            _HEAD + "return rows.shuffle(64).cache()" + _BATCH,
            "it was kept from the first",
        ),
        Sabotage(
            "shuffling batches is shuffling rows",
            _HEAD + "return rows.cache()" + _BATCH.strip() + ".shuffle(64)\n",
            "each always has the same rows",
        ),
        Sabotage(
            "TensorFlow remembers what it has read",
            _HEAD + "return rows.shuffle(64)" + _BATCH,
            "nothing was kept",
        ),
    ),
    session=(_LOOK,),
)

EXERCISES = (_LATEST, _IDLE, _PIPELINE)
