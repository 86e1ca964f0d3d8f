"""Lesson 01: one machine, several devices."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from itertools import chain
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
from mwtutor.exercises.lessons.shuffled_rows import earliest
from mwtutor.run.logs import logs

# 01-1: the latest checkpoint

#: Folders: epochs in the order in which their files are written. Copying does not keep the order
#: of saving. In the first, last as text, last written and number of files are three epochs; the
#: others have many names of one length.
_FOLDERS = (
    (11, 10, 9, 2),
    (104, 99, 107, 108, 101, 103, 106, 100, 102, 105),
    (15, 9, 28, 30, 12, 21, 10, 25),
    (7,),
)

#: What else is chosen, and what of.
_CHOICES: tuple[tuple[Callable[[Sequence[int]], int], str], ...] = (
    (lambda epochs: int(max(map(str, epochs))), "as text, '9' comes after '11'."),
    (
        lambda epochs: epochs[-1],
        "its file was written last, and the files have been copied: their times say nothing about"
        " the training.",
    ),
    (lambda epochs: len(epochs), "that is how many files there are."),
)


def _check_latest(work: Work) -> Verdict:
    latest = work.value("latest")
    if not callable(latest):
        return not_yet("`latest` is not a function.")
    found = [_chosen(latest, epochs) for epochs in _FOLDERS]
    if all(one is None for one in found):
        return not_yet()
    names = [f"{one!s:.200}".rpartition("/")[2] for one in found]
    return _judge_latest(names)


def _chosen(latest: Callable[[Path], Any], epochs: Sequence[int]) -> Any:
    """What it returns of a folder with these epochs."""
    with tempfile.TemporaryDirectory() as folder:
        for age, epoch in enumerate(epochs):
            file = Path(folder, _file_of(epoch))
            file.touch()
            os.utime(file, (1e9 + age, 1e9 + age))
        return latest(Path(folder))


def _file_of(epoch: int) -> str:
    return f"ckpt_{epoch}.weights.h5"


def _judge_latest(names: Sequence[str]) -> Verdict:
    pairs = list(zip(names, _FOLDERS, strict=True))
    if all(name == _file_of(max(epochs)) for name, epochs in pairs):
        return right("It compares the numbers, whatever the order of the files.")
    for choice, words in _CHOICES:
        if all(name == _file_of(choice(epochs)) for name, epochs in pairs):
            return wrong(f"Of the epochs 2, 9, 10 and 11 it chooses {choice(_FOLDERS[0])}: {words}")
    name, epochs = next(pair for pair in pairs if pair[0] != _file_of(max(pair[1])))
    return wrong(f"Of the epochs {', '.join(map(str, sorted(epochs)))} it chooses {name!r}.")


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
            "was written last, and",
        ),
        Sabotage(
            "there is a checkpoint of every epoch",
            """\
def latest(folder):
    return folder / f"ckpt_{len(list(folder.glob('ckpt_*')))}.weights.h5"
""",
            "how many files there are.",
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
    steps = run.timeline().steps
    return _judge_rows(rows, steps.taken if steps is not None else 0)


def _rows(text: str) -> list[int]:
    try:
        found = json.loads(text.removeprefix("ROWS ")) if text.startswith("ROWS ") else []
        return [int(number) for number in found]
    except (TypeError, ValueError):
        return []


def _judge_rows(rows: list[int], steps: int) -> Verdict:
    """Judge how many rows each replica got in how many steps, as the run has noted these."""
    if steps != _STEPS:
        return wrong(
            f"The run has noted {steps} steps, in which the replicas got {rows} rows: leave the"
            f" number of steps at {_STEPS}."
        )
    each = [number / steps for number in rows]
    if each == [_PER_REPLICA, _PER_REPLICA]:
        return right(f"Both replicas trained, on {_PER_REPLICA} rows in each step.")
    if each == [_PER_REPLICA, 0]:
        return not_yet(f"Replica 0 got {_PER_REPLICA} rows a step, and replica 1 none.")
    if each == [2 * _PER_REPLICA, 0]:
        return wrong(
            f"Replica 0 got {each[0]:g} rows a step, and replica 1 none. The batch is larger, but"
            " the model knows of one device only."
        )
    if each == [_PER_REPLICA // 2] * 2:
        return wrong(
            f"Both replicas trained, but each on {each[0]:g} rows a step: they share the batch of"
            " the dataset."
        )
    if each == [2 * _PER_REPLICA] * 2:
        return wrong(
            f"Each replica got {each[0]:g} rows a step: the batch has been multiplied more than"
            " once."
        )
    shown = " and ".join(f"{number:g}" for number in each)
    return wrong(f"The replicas got {shown} rows a step.")


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

#: The same with 48 rows, 3 for each of 4 replicas.
_OTHERWISE = "look(pipeline, 48, 3, 4)"


def _check_pipeline(work: Work) -> Verdict:
    looked = list(work.session[_LOOK].values())
    if not looked:
        return not_yet("No pipeline could be read: does the cell run, and return a dataset?")
    seen = _seen(looked[0])
    if seen is None:
        return not_yet("No pipeline could be read.")
    first, second, read = seen
    if not first or not all(isinstance(batch, list) for batch in first):
        return not_yet("It gives single rows, not batches.")
    verdict = _judge_pipeline(first, second, read)
    if verdict.status != "right":
        return verdict
    other = next(map(_seen, work.session[_OTHERWISE].values()), None)
    if other is None:
        return wrong("With 48 rows, 3 for each of 4 replicas, it gives no dataset.")
    sizes = {len(batch) if isinstance(batch, list) else 1 for batch in other[0]}
    if sizes != {12}:
        return wrong(
            f"With 8 rows for both replicas it is right. With 3 rows for each of 4 replicas a batch"
            f" has {' or '.join(map(str, sorted(sizes)))}: use `per_replica` and `replicas`."
        )
    return verdict


def _seen(looked: Any) -> tuple[list[Any], list[Any], int] | None:
    """The batches of two epochs, and how many rows were read from the source."""
    try:
        first, second = (list(epoch) for epoch in looked["epochs"])
        return first, second, int(looked["read"])
    except (KeyError, TypeError, ValueError):
        return None


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
    if first == second:
        return wrong("Both epochs have the same order: it was kept from the first.")
    if sorted(map(sorted, first)) == sorted(map(sorted, second)):
        return wrong("The batches are mixed, but each always has the same rows.")
    if (early := max(earliest(chain(*first)), earliest(chain(*second)))) < _COUNT // 2:
        return wrong(
            f"Of {_COUNT} rows, none comes more than {early} places before its turn in the source:"
            " that is not mixed well."
        )
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
    session=(_LOOK, _OTHERWISE),
)

EXERCISES = (_LATEST, _IDLE, _PIPELINE)
