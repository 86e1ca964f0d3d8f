"""The exercises of lesson 09: Faults."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from mwtutor.devices.requirements import unmet
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
from mwtutor.run.run import Run

# 09-1: a resumed training that repeats rows

#: Rows of the data and of a global batch, updates of a pass, of the training, and of its backup.
ROWS, BATCH = 480, 8
PASS, UPDATES, SAVED = ROWS // BATCH, 2 * ROWS // BATCH, 40

_READ = "rows_read"

#: After how many updates it is asked to go on as well.
ELSEWHERE = (7, 75)


def _check_rows(work: Work) -> Verdict:
    parts = [_parts(value) for value in work.session[_READ].values()]
    if len(parts) != 2 or any(one is None for one in parts):
        return not_yet("Nothing was read on the two workers.")
    whole, before, after = (
        [[*mine, *other] for mine, other in zip(*both, strict=True)]
        for both in zip(*parts, strict=True)
    )
    if any(len(step) != BATCH for step in chain(whole, before, after)):
        return wrong(f"An update took something else than {BATCH} rows on both workers together.")
    if any(not 0 <= row < ROWS for row in chain(*whole, *before, *after)):
        return wrong(f"What was read are not the rows 0 to {ROWS - 1}.")
    verdict = _judge_rows(_sets(whole), _sets(before), _sets(after))
    if verdict.status != "right":
        return verdict
    return _elsewhere(list(work.session[_READ].values()), _sets(whole)) or verdict


def _judge_rows(whole: list[Any], before: list[Any], after: list[Any]) -> Verdict:
    if before != whole[:SAVED]:
        return wrong(
            "Read twice from the beginning, the data came in two different orders: skip what you"
            " like, you do not know which rows these are."
        )
    counts = _counts([*before, *after])
    seen = f"In its two passes the training read {counts.count(2)} of the {ROWS} rows twice"
    if any(one != 2 for one in _counts(whole)):
        return wrong("Even without a fault, two passes do not read each row twice.")
    if whole[0] == _sets([list(range(BATCH))])[0]:
        return wrong("The rows come in their order: they are no longer shuffled.")
    if all(step == tuple(range(step[0], step[0] + BATCH)) for step in whole):
        return wrong("Each batch has eight rows that follow each other: only batches are shuffled.")
    start = whole.index(after[0]) if after[0] in whole else -1
    if start == 0:
        return not_yet(
            f"{seen}, and {counts.count(3)} three times: the second attempt read again what the"
            " first had read."
        )
    if start == SAVED // BATCH:
        return wrong(
            f"The second attempt began with the batch of update {start + 1}: {SAVED} rows were left"
            f" out, and not {SAVED} batches."
        )
    if start != SAVED:
        place = f"that of update {start + 1}" if start > 0 else "none that the first would have had"
        return wrong(
            f"{seen}. The first batch of the second attempt is {place}, and not that of update"
            f" {SAVED + 1}: each update takes one batch, whoever reads how much of it."
        )
    if any(one != 2 for one in counts):
        return wrong(
            f"{seen}. The second attempt began at the right place, but in its next pass"
            f" {counts.count(1)} rows were missing: they are left out of every pass."
        )
    return right(f"Two passes, a fault in the first of them, and all {ROWS} rows were read twice.")


def _elsewhere(found: Sequence[Any], whole: list[Any]) -> Verdict | None:
    """What is wrong after another number of updates than that of the backup."""
    for updates in ELSEWHERE:
        try:
            steps = zip(*(value["elsewhere"][updates] for value in found), strict=True)
            read = _sets([[*mine, *other] for mine, other in steps])
        except (KeyError, TypeError, ValueError):
            return not_yet("It has not been asked to go on elsewhere: run the cell below yours.")
        if read != whole[updates : updates + len(read)] or not read:
            return wrong(
                f"After {SAVED} updates the second attempt goes on where it has to. After {updates}"
                f" it would not: the next batch is not that of update {updates + 1}."
            )
    return None


def _parts(value: Any) -> tuple[list[list[int]], ...] | None:
    """What a worker has read: without a fault, before the fault, after it; a list for each step."""
    if not isinstance(value, dict):
        return None
    found = [value.get(name) for name in ("whole", "before", "after")]
    lengths = (UPDATES, SAVED, UPDATES - SAVED)
    for steps, length in zip(found, lengths, strict=True):
        if not isinstance(steps, list) or len(steps) != length:
            return None
        if not all(isinstance(step, list) for step in steps):
            return None
        if not all(type(row) is int for step in steps for row in step):
            return None
    return tuple(found)  # type: ignore[arg-type]  # just looked at


def _sets(steps: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The rows of each step, whichever worker has read them."""
    return [tuple(sorted(step)) for step in steps]


def _counts(steps: Sequence[Sequence[int]]) -> list[int]:
    counts = [0] * ROWS
    for row in chain(*steps):
        counts[row] += 1
    return counts


def _batches(rows: str, body: str) -> str:
    return f"""\
%%mw
def batches(updates):
    \"\"\"What a training reads that has had so many updates before.\"\"\"
    rows = tf.data.Dataset.range({ROWS}){rows}
    return {body}
"""


_SHUFFLED = f".shuffle({ROWS}, seed=1)"

_ROWS = Exercise(
    id="09-1",
    title="rows that are read again",
    task=(
        f"A training reads {ROWS} rows in batches of {BATCH}, shuffled, in two passes: {UPDATES}"
        f" updates. A fault comes after 50 updates; the last backup has {SAVED}. The cell"
        f" after the one that you change reads what both attempts train on: the first from"
        f" `batches(0)`, the second from `batches({SAVED})`. With the first {SAVED} updates of the"
        f" first attempt and the {UPDATES - SAVED} of the second, each row is to be read exactly"
        " twice, as without the fault. Find out why it is not, and repair `batches`. The rows are"
        f" to stay shuffled, in batches of {BATCH}, and alike in both attempts."
    ),
    stub=_batches(_SHUFFLED, f"rows.repeat().batch({BATCH})"),
    check=_check_rows,
    hints=(
        "The backup has the weights, the optimizer and the epoch. Who knows how far the data had"
        " been read?",
        "A data set can leave out what comes first. In which unit does it count, and of what?",
        "What is one update made of? And is what you leave out missing in the next pass as well?",
    ),
    solution=_batches(_SHUFFLED, f"rows.repeat().batch({BATCH}).skip(updates)"),
    reasoning=(
        "A new iterator begins with the first row: no backup restores where the old one was. One"
        " update takes one global batch, so a training that has had 40 updates has to leave out 40"
        " batches. `skip` stands last: after `batch`, or it would count rows; after `repeat`, or"
        " each pass would leave them out. And the order must be the same in both attempts, and on"
        " both workers, which the seed of `shuffle` ensures. `skip` still reads what it leaves out."
    ),
    sabotages=(
        Sabotage(
            "`skip` counts updates wherever it stands",
            _batches(_SHUFFLED, f"rows.repeat().skip(updates).batch({BATCH})"),
            "rows were left out, and not",
        ),
        Sabotage(
            "what is left out is left out once, wherever `repeat` stands",
            _batches(_SHUFFLED, f"rows.batch({BATCH}).skip(updates).repeat()"),
            "left out of every pass",
        ),
        Sabotage(
            "each worker leaves out its own part of the updates",
            _batches(_SHUFFLED, f"rows.repeat().batch({BATCH}).skip(updates // num_workers)"),
            "whoever reads how much of it",
        ),
        Sabotage(
            "shuffled is shuffled: a seed is for tests",
            _batches(f".shuffle({ROWS})", f"rows.repeat().batch({BATCH}).skip(updates)"),
            "in two different orders",
        ),
        Sabotage(
            "without shuffling, the order is known",
            _batches("", f"rows.repeat().batch({BATCH}).skip(updates)"),
            "no longer shuffled",
        ),
    ),
    session=(_READ,),
)

# 09-2: two kills

#: The updates of the whole training, and those at which `KILLS` kills the first two attempts.
PLANNED, _KILLS = 120, (50, 90)


def _check_survivor(work: Work) -> Verdict:
    run = ended(work, "survivor.py")
    if isinstance(run, Verdict):
        return run
    folder = work.folder / "survivor"
    attempts = _attempts(folder / "survivor-0.notes")
    if run.outcome is not None and not run.outcome.ok:
        return wrong(f"The run {run.outcome.status}: {run.outcome.reason}.")
    if not attempts:
        return not_yet("No update was noted.")
    if len(run.attempts) != 3 or len(attempts) != 3:
        return wrong(_too_few(run, attempts))
    return _judge_attempts(attempts, folder)


def _too_few(run: Run, attempts: list[list[int]]) -> str:
    """Why it was not killed twice, as far as what it has noted says it."""
    seen = f"It was started {_times(run)}, and is to be killed twice"
    for number, (begun, kill) in enumerate(zip(attempts, _KILLS, strict=False), 1):
        if kill in begun:
            return f"{seen}: attempt {number} had its {kill} updates and went on. Keep `KILLS`."
        if begun[-1] < kill - 1:
            return (
                f"{seen}. By the optimizer's count attempt {number} began after {begun[0]} updates"
                f" and ended with {begun[-1] + 1}: it has not come to the {kill} at which it is"
                " killed."
            )
    return f"{seen}."


def _judge_attempts(attempts: list[list[int]], folder: Path) -> Verdict:
    begins = [numbers[0] for numbers in attempts]
    final = attempts[-1][-1] + 1
    files = [path.name for path in sorted(folder.rglob("*")) if path.is_file()]
    kept = [name for name in files if name.endswith((".h5", ".keras", ".index"))]
    if begins == [0, 0, 0]:
        return _from_the_beginning(folder, kept)
    seen = f"The attempts began after {begins[0]}, {begins[1]} and {begins[2]} updates"
    if len(attempts[-1]) == PLANNED:
        return wrong(
            f"{seen}: that came back. But in the end the model had had {final} updates, not"
            f" {PLANNED}: the last attempt counted its epochs from the first, and made them all."
        )
    if final > PLANNED:
        return wrong(
            f"{seen}, and in the end the model had had {final}, not {PLANNED}: parts of epochs were"
            " trained again."
        )
    if begins[0] or not 0 < begins[1] <= begins[2] or final < PLANNED:
        return wrong(f"{seen}, and in the end the model had had {final}, not {PLANNED}.")
    return right(f"{seen}, and in the end the model had had {final}: as if nobody had killed it.")


def _from_the_beginning(folder: Path, kept: list[str]) -> Verdict:
    made = "All three attempts began with the first update"
    if not kept:
        return not_yet(f"{made}.")
    places = {path.relative_to(folder).parts[0] for path in folder.rglob("*") if path.is_file()}
    backups = sorted(name for name in places if (folder / name).is_dir())
    if len(backups) > 1:
        return wrong(
            f"{made}, and {' and '.join(backups)} still hold backups. An attempt finds one only in"
            " the directory in which it looks."
        )
    return wrong(
        f"{made}, by the optimizer's count, although there is {kept[0]}: nothing has read it, or"
        " what was read does not have the count."
    )


def _attempts(path: Path) -> list[list[int]]:
    """For each attempt, the numbers of updates before each of its own; empty if unreadable."""
    found: dict[int, list[int]] = {}
    try:
        for line in path.read_text().splitlines():
            attempt, before, *_ = map(int, line.split())
            found.setdefault(attempt, []).append(before)
    except (OSError, ValueError):
        return []
    return [found[attempt] for attempt in sorted(found)]


def _times(run: Run) -> str:
    number = len(run.attempts)
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _survivor(callbacks: str, before: str = "", imports: str = "") -> str:
    return f"""\
%%writefile survivor.py
{imports}import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
{before}callbacks = [{callbacks}]
model.fit(
    faults_setup.data(),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)
"""


_KEPT = 'tf.keras.callbacks.ModelCheckpoint("last.weights.h5", save_weights_only=True)'
_LOAD = """\
if os.path.exists("last.weights.h5"):
    model.optimizer.build(model.trainable_variables)
    model.load_weights("last.weights.h5")
"""
_OWN = 'tf.keras.callbacks.BackupAndRestore("backup-" + os.environ["MWTUTOR_ATTEMPT"])'

#: With Keras 2 this is a solution as good as any.
_OF_KERAS_3 = (
    Sabotage(
        "the more often it is saved, the less is lost",
        _survivor('tf.keras.callbacks.BackupAndRestore("backup", save_freq=30)'),
        "parts of epochs were trained again",
    ),
)

_SURVIVOR = Exercise(
    id="09-2",
    title="survive two kills",
    hard=True,
    task=(
        "`survivor.py` trains in one process, 3 epochs of 40 updates. `faults_setup.KILLS` kills it"
        " after 50 updates, and its second attempt after 90; `--restarts 2` starts it again each"
        " time. Change the program so that the third attempt ends with a model that has had each of"
        f" the {PLANNED} updates exactly once. Only updates count here, not which rows they take."
        " Keep `KILLS`. The program works in the folder `survivor`, which is empty at the first"
        " attempt."
    ),
    stub=_survivor(""),
    check=_check_survivor,
    hints=(
        "Two things have to come back: what the model has learned, and how far its training is.",
        "Which callback reads its own files again? All attempts must find them.",
        "Count the updates: 120 are planned. With Keras 3, when must the backup be made so that no"
        " epoch is repeated?",
    ),
    solution=_survivor('tf.keras.callbacks.BackupAndRestore("backup")'),
    reasoning=(
        "`BackupAndRestore` writes weights, optimizer and epoch, and reads them when `fit` begins,"
        " from a directory that is the same for all attempts. Made at the end of each epoch, its"
        " backups are right with Keras 2 and Keras 3. In the middle of an epoch, Keras 3 keeps the"
        " weights and repeats the epoch; and until a resumed training has ended its first epoch, it"
        " writes 0 for the epoch, so that a second fault begins the counting anew."
    ),
    sabotages=(
        Sabotage(
            "weights that were saved are read again",
            _survivor(_KEPT),
            "nothing has read it",
        ),
        Sabotage(
            "the weights are all that has to come back",
            _survivor(_KEPT, _LOAD, "import os\n\n"),
            "counted its epochs from the first",
        ),
        Sabotage(
            "each attempt needs a directory of its own",
            _survivor(_OWN, imports="import os\n\n"),
            "still hold backups",
        ),
        *(_OF_KERAS_3 if not unmet("keras3") else ()),
    ),
)

EXERCISES = (_ROWS, _SURVIVOR)
