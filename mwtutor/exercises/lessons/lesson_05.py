"""Lesson 05: input."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain, islice
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
from mwtutor.exercises.lessons.doubled_rows import PIPELINE

# 05-2: which rows worker 1 reads

_TRUTH = "eighteen"
_POLICIES = ("OFF", "DATA", "FILE")

#: What people expect worker 1 to get of the rows 0 to 17, and what that shows.
_EXPECTED: Mapping[str, Sequence[tuple[Sequence[int], str]]] = {
    "OFF": (
        ((4, 5, 6, 7, 12, 13, 14, 15, 17), "OFF: that would be its part of each batch."),
        ((), "OFF: nothing is shared out, but something is read."),
    ),
    "DATA": (
        (range(1, 18, 2), "DATA: single rows are not dealt out in turn; batches are cut up."),
        (range(9, 18), "DATA: there is no second half of all rows, only of each batch."),
        ((4, 5, 6, 7, 12, 13, 14, 15), "DATA: nobody has said that the last batch is dropped."),
    ),
    "FILE": (
        (range(9, 18), "FILE: a file is not cut in two."),
        (range(6, 18), "FILE: worker 1 does not get all that worker 0 has not begun with."),
        (range(12, 18), "FILE: that is one file, but whose?"),
    ),
}


def _check_prediction(work: Work) -> Verdict:
    predicted = work.value("rows_of_worker_1")
    said = predicted if isinstance(predicted, Mapping) else {}
    if not any(said.get(policy) is not None for policy in _POLICIES):
        return not_yet("There is no prediction.")
    found = work.session[_TRUTH]
    truth = next((found[task] for task in found if str(task) == "worker:1"), None)
    if not isinstance(truth, dict) or set(truth) != set(_POLICIES):
        return not_yet("The workers have not read the rows yet.")
    for policy in _POLICIES:
        rows = _rows(said.get(policy))
        if rows is None:
            return wrong(f"{policy}: that is no list of row numbers.")
        if rows != list(truth[policy]):
            return wrong(_why(policy, rows, list(truth[policy])))
    return right("That is what worker 1 has read, under each of the three.")


def _why(policy: str, rows: Sequence[int], truth: Sequence[int]) -> str:
    for expected, words in _EXPECTED[policy]:
        if list(rows) == list(expected):
            return words
    if sorted(rows) == sorted(truth):
        return f"{policy}: these are the rows, but not their order."
    return (
        f"{policy}: of the {len(rows)} rows that you name worker 1 reads"
        f" {len(set(rows) & set(truth))}, and it reads {len(truth)} in all."
    )


def _rows(value: Any) -> list[int] | None:
    """The whole numbers in anything that can be gone through; None if it has something else."""
    if isinstance(value, str | bytes | Mapping):
        return None
    try:
        given = list(islice(sorted(value) if isinstance(value, set) else value, 1000))
        rows = [int(row) for row in given]
        return rows if all(row == one for row, one in zip(rows, given, strict=True)) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _prediction(off: str, data: str, file: str) -> str:
    return (
        f'rows_of_worker_1 = {{\n    "OFF": {off},\n    "DATA": {data},\n    "FILE": {file},\n}}\n'
    )


_ALL = "[*range(18)]"
_PARTS = "[4, 5, 6, 7, 12, 13, 14, 15, 17]"
_SECOND_FILE = "[*range(6, 12)]"

_PREDICTION = Exercise(
    id="05-2",
    title="the rows of worker 1",
    task=(
        "Three files with six rows each: 0 to 5, 6 to 11, and 12 to 17. Two workers with one"
        " replica each, a global batch of **eight**. Nothing is shuffled. Which rows does worker 1"
        " read in one epoch, in order, under each policy (a list of row numbers for each)? Write"
        " them down before you run the cells below; those read the files."
    ),
    stub=_prediction("None", "None", "None"),
    check=_check_prediction,
    hints=(
        "There are three batches: two of eight rows, and the last one.",
        "Under DATA, cut each batch into two parts, the last one as well. Under FILE, deal out the"
        " files like cards.",
        "OFF means that nothing is shared out *between* the workers.",
    ),
    solution=_prediction(_ALL, _PARTS, _SECOND_FILE),
    reasoning=(
        "Under OFF each worker reads everything. Under DATA it gets the second part of each"
        " batch: four rows of the first two, and one of the last, in which only 16 and 17 are left."
        " Under FILE the files are dealt out in turn: worker 0 gets the first and the third, and"
        " worker 1 the second. That is half as much, so in the last steps worker 1 gets empty"
        " batches."
    ),
    sabotages=(
        Sabotage(
            "OFF splits the batch between the workers",
            _prediction(_PARTS, _PARTS, _SECOND_FILE),
            "its part of each batch",
        ),
        Sabotage(
            "rows are dealt out one by one",
            _prediction(_ALL, "[*range(1, 18, 2)]", _SECOND_FILE),
            "not dealt out in turn",
        ),
        Sabotage(
            "the data are cut in two halves",
            _prediction(_ALL, "[*range(9, 18)]", _SECOND_FILE),
            "only of each batch",
        ),
        Sabotage(
            "the last partial batch is dropped",
            _prediction(_ALL, "[4, 5, 6, 7, 12, 13, 14, 15]", _SECOND_FILE),
            "the last batch is dropped",
        ),
        Sabotage(
            "the files are shared out as evenly as rows would be",
            _prediction(_ALL, _PARTS, "[*range(9, 18)]"),
            "not cut in two",
        ),
        Sabotage(
            "worker 0 gets the first file, worker 1 the others",
            _prediction(_ALL, _PARTS, "[*range(6, 18)]"),
            "has not begun with",
        ),
    ),
    session=(_TRUTH,),
)

# 05-3: each replica by hand

_REPLICAS, _SHARE = 4, 6


def _wanted(replica: int) -> list[list[int]]:
    first = replica * _SHARE
    return [[row, row + 1] for row in range(first, first + _SHARE, 2)]


def _check_feed(work: Work) -> Verdict:
    run = ended(work, "feed.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is not None and not run.outcome.ok:
        return wrong(f"feed.py {run.outcome.status}: {run.outcome.reason:.200}.")
    fed: dict[int, list[list[int]]] = {}
    for index in range(2):
        fed.update(_noted(work, index))
    if sorted(fed) != list(range(_REPLICAS)):
        return wrong("Not every replica has been given rows.")
    if all(fed[replica] == fed[replica % 2] for replica in fed):
        rows = {row for replica in fed for step in fed[replica] for row in step}
        if rows == set(range(_REPLICAS * _SHARE)):
            return not_yet("Both workers read all of the rows.")
    if all(fed[replica] == _wanted(replica) for replica in fed):
        return right("Each of the four replicas has read its own six rows, two at a time.")
    return wrong(_fed_wrongly(fed))


def _fed_wrongly(fed: Mapping[int, list[list[int]]]) -> str:
    rows = {row for replica in fed for step in fed[replica] for row in step}
    shown = f"Replica 0 has read {_shown(fed[0])}, replica 1 {_shown(fed[1])}."
    own = [set(chain(*fed[2 * worker], *fed[2 * worker + 1])) for worker in range(2)]
    if own == [set(range(_SHARE)), set(range(_SHARE, 2 * _SHARE))]:
        return (
            f"{shown} Rows {2 * _SHARE} to 23 are read by nobody: the function is called for each"
            " worker, not for each replica, and its `input_pipeline_id` is the worker's."
        )
    if never := sorted(set(range(_REPLICAS * _SHARE)) - rows):
        return (
            f"{shown} {len(never)} of the 24 rows are read by nobody, {never[0]} for one. Each"
            " replica should have six rows of its own."
        )
    if any(len(step) > 2 for replica in fed for step in fed[replica]):
        return f"{shown} That is more than two rows in a step: here no batch is split for you."
    if own[0] == set(range(2 * _SHARE)):
        if [fed[0], fed[1]] == [[[at, at + 1] for at in range(k, 12, 4)] for k in (0, 2)]:
            return (
                f"{shown} Those are the worker's rows, but the batches of its data set go to its"
                " replicas in turn."
            )
        return f"{shown} Those are the worker's rows, but not in batches of a replica's own."
    return f"{shown} Each of them should have six rows of its own."


def _shown(steps: Sequence[Sequence[int]]) -> str:
    return f"{', '.join(str(row) for step in steps[:8] for row in step)}"[:80] or "nothing"


def _noted(work: Work, index: int) -> dict[int, list[list[int]]]:
    try:
        noted = json.loads((work.folder / f"fed-{index}.json").read_text())
        return {
            int(replica): [[int(row) for row in step] for step in steps if step]
            for replica, steps in noted.items()
            if any(steps)
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _feed(body: str) -> str:
    return f"""\
%%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
{body}

two_replicas.feed(dataset_fn)
"""


_LOCAL = """\
    local = context.num_replicas_in_sync // context.num_input_pipelines
    first = context.input_pipeline_id * local
"""

_FEED = Exercise(
    id="05-3",
    title="feed each replica by hand",
    hard=True,
    task=(
        "Two workers with two replicas each, and 24 rows. Replica 0 is to read rows 0 to 5,"
        " replica 1 rows 6 to 11, replica 2 rows 12 to 17, replica 3 rows 18 to 23: in order, two"
        " in each step. Write `dataset_fn` for `distribute_datasets_from_function`."
        " (`tf.data.Dataset.range(6, 12)` has the rows 6 to 11. Worker 0 has the replicas 0 and 1.)"
    ),
    stub=_feed("    return tf.data.Dataset.range(24).batch(2)\n"),
    check=_check_feed,
    hints=(
        "The function is called once for each worker. Its data set feeds both replicas of the"
        " worker.",
        "In each step the first replica takes a batch, then the second one takes the next. In which"
        " order do the batches have to come?",
        "A data set for each replica, batched; then one of all of these, which takes a batch from"
        " each in turn: `interleave`, whose `cycle_length` and `block_length` you choose.",
    ),
    solution=_feed(
        _LOCAL
        + "    replicas = tf.data.Dataset.range(first, first + local)\n"
        + "    return replicas.interleave(\n"
        + "        lambda replica: tf.data.Dataset.range(6 * replica, 6 * replica + 6).batch(2),\n"
        + "        cycle_length=local,\n"
        + "        block_length=1,\n"
        + "    )\n"
    ),
    reasoning=(
        "A worker has one data set, and its replicas take batches from it in turn. So the batches"
        " of the two replicas must alternate: one for the first, one for the second, and so on. The"
        " worker's replicas are numbered from `input_pipeline_id` times the number of replicas that"
        " a worker has."
    ),
    sabotages=(
        Sabotage(
            "the worker's rows in order will do",
            _feed("    first = 12 * context.input_pipeline_id\n"
                  "    return tf.data.Dataset.range(first, first + 12).batch(2)\n"),
            "go to its replicas in turn",
        ),
        Sabotage(
            "the function is called for each replica",
            _feed("    first = 6 * context.input_pipeline_id\n"
                  "    return tf.data.Dataset.range(first, first + 6).batch(2)\n"),
            "not for each replica",
        ),
        Sabotage(
            "a batch of four is split between the replicas",
            _feed("    first = 12 * context.input_pipeline_id\n"
                  "    pairs = tf.data.Dataset.range(first, first + 12).batch(4)\n"
                  "    return pairs\n"),
            "no batch is split",
        ),
        Sabotage(
            "shares are taken by the number of replicas",
            _feed("    rows = tf.data.Dataset.range(24).shard(context.num_replicas_in_sync,"
                  " context.input_pipeline_id)\n"
                  "    return rows.batch(2)\n"),
            "six rows of its own",
        ),
        Sabotage(
            "batching comes last",
            _feed(
                _LOCAL
                + "    replicas = tf.data.Dataset.range(first, first + local)\n"
                + "    return replicas.interleave(\n"
                + "        lambda replica: tf.data.Dataset.range(6 * replica, 6 * replica + 6),\n"
                + "        cycle_length=local,\n"
                + "    ).batch(2)\n"
            ),
            "not in batches of a replica's own",
        ),
    ),
)  # fmt: skip

EXERCISES = (PIPELINE, _PREDICTION, _FEED)
