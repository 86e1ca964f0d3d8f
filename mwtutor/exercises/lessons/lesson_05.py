"""Lesson 05: input."""

from __future__ import annotations

import json
from collections import Counter
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

# 05-1: a pipeline that doubles every row

_FED = "fed"
_ROWS, _BATCH = 24, 8

#: What four input pipelines of a replica each would read in an epoch.
_FOUR = (
    "[[batch.numpy().tolist() for batch in"
    " dataset_fn(tf.distribute.InputContext(4, index, 4)).take(99)] for index in range(4)]"
)

#: Rows of a worker that are shuffled come earlier than in their order by so many places at least.
_EARLY = 3

#: The rows of the one replica of a worker, for each step of an epoch.
_Steps = list[list[int]]


def _check_pipeline(work: Work) -> Verdict:
    found = work.session[_FED]
    workers = [_epochs(found[task]) for task in sorted(found, key=str)]
    both = [epochs for epochs in workers if epochs is not None]
    if len(both) != 2:
        return not_yet("No two epochs have been read on both workers.")
    changing = any(set(chain(*one)) != set(chain(*another)) for one, another in both)
    for first, other in zip(*both, strict=True):  # each epoch
        if fault := _fault(first, other, changing=changing):
            return fault
    if both[0][0] == both[0][1]:
        return wrong(
            "Each row is read once, in steps of eight. But both epochs have the same order."
        )
    return _order(both) or _of_four(work) or _RIGHT


_RIGHT = right("Each row once in an epoch, eight in a step, and in another order each time.")


def _order(both: Sequence[Sequence[_Steps]]) -> Verdict | None:
    """What is wrong with the order of the rows, which is not the same in both epochs."""
    if all(_as_sets(one) == _as_sets(another) for one, another in both):
        return wrong("In both epochs the batches hold the same rows: only batches are shuffled.")
    early = max(_earliest(epoch) for epochs in both for epoch in epochs)
    if early < _EARLY:
        return wrong(
            f"Of a worker's rows none comes more than {early} places before its turn: that is"
            " hardly a random order."
        )
    return None


def _as_sets(epoch: _Steps) -> set[frozenset[int]]:
    return set(map(frozenset, epoch))


def _earliest(epoch: _Steps) -> int:
    """By how many places a row comes before its turn at most: less than a shuffle's buffer."""
    rows = list(chain(*epoch))
    turn = {row: place for place, row in enumerate(sorted(rows))}
    return max(turn[row] - place for place, row in enumerate(rows))


def _of_four(work: Work) -> Verdict | None:
    """What is wrong if there are four workers."""
    given = next(iter(work.session[_FOUR].values()), None)
    seen = "With two workers it is right. With four,"
    try:
        parts = [[[int(row) for row in batch] for batch in part] for part in given or ()]
    except (TypeError, ValueError):
        parts = []
    if len(parts) != 4:
        return wrong(f"{seen} `dataset_fn` gives no batches of rows.")
    counts = Counter(row for part in parts for batch in part for row in batch)
    if sorted(counts.elements()) != list(range(_ROWS)):
        return wrong(f"{seen} {counts.total()} rows are read, {len(counts)} of them different.")
    if any(len(batch) != _BATCH // 4 for part in parts for batch in part):
        largest = sum(max(map(len, part)) for part in parts)
        return wrong(f"{seen} a step has {largest} rows: {_BATCH} are to be shared by all.")
    return None


def _fault(first: _Steps, other: _Steps, *, changing: bool) -> Verdict | None:
    """What is not as it should be in one epoch of both workers.

    Args:
        changing: whether a worker does not read the same rows in each epoch.
    """
    times = Counter(row for epoch in (first, other) for step in epoch for row in step)
    largest = max(len(a) + len(b) for a, b in zip(first, other, strict=False))
    if set(times) - set(range(_ROWS)):
        return wrong("There are rows that the data do not have.")
    if all(times[row] == 2 for row in range(_ROWS)):
        seen = f"Every row is read twice in an epoch, and a step has {largest} rows."
        if largest == 2 * _BATCH:
            return not_yet(seen)
        return wrong(f"{seen} The step is as it should be; both workers still read everything.")
    if any(times[row] != 1 for row in range(_ROWS)):
        return wrong(_uneven(times, set(chain(*first)), set(chain(*other)), changing=changing))
    if largest != _BATCH:
        return wrong(
            f"Each row is read once, but a step has {largest} rows: each of the two replicas takes"
            " a whole batch from its worker's data set."
        )
    return None


def _uneven(times: Counter[int], first: set[int], other: set[int], *, changing: bool) -> str:
    never = [row for row in range(_ROWS) if not times[row]]
    twice = sum(count > 1 for count in times.values())
    seen = f"In one epoch {twice} rows are read more than once, and {len(never)} never."
    if first == other:
        return f"{seen} Both workers read the same part of the data."
    if changing:
        return (
            f"{seen} Which rows a worker reads changes from epoch to epoch: its part is one of a"
            " random order, and the workers do not shuffle alike."
        )
    return (
        f"{seen} worker:0 reads {len(first)} different rows, worker:1 {len(other)}, and"
        f" {len(first & other)} of them are read by both."
    )


def _epochs(value: Any) -> list[_Steps] | None:
    """Two epochs of one worker."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    try:
        epochs = [[[int(row) for row in rows] for (rows,) in epoch] for epoch in value]
    except (TypeError, ValueError):
        return None
    return epochs if all(epochs) else None


def _pipeline(body: str) -> str:
    return f"%%mw\ndef dataset_fn(context):\n{body}"


_FIXED_BATCH = "    each = context.get_per_replica_batch_size(8)\n"
_SHARDED = (
    "    rows = tf.data.Dataset.range(24)\n"
    "    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)\n"
)

_PIPELINE = Exercise(
    id="05-1",
    title="every row twice",
    task=(
        "`dataset_fn` is for `distribute_datasets_from_function`, on two workers. The 24 rows are"
        " to be read once in each epoch, in a new random order each time, eight in a step by the"
        " two workers together. As it is, every row is read twice, and a step has sixteen rows."
        " Repair it, and not for two workers only."
    ),
    stub=_pipeline(
        "    rows = tf.data.Dataset.range(24)\n"
        "    rows = rows.shuffle(24)\n"
        "    return rows.batch(8)\n"
    ),
    check=_check_pipeline,
    hints=(
        "Nothing is shared out and nothing is split for you here. Which two things are missing?",
        "`context` knows how many input pipelines there are, which one this is, and how many of"
        " eight rows one replica gets.",
        "Two workers that shuffle have two different orders. A share must be taken of something"
        " that both see alike.",
    ),
    solution=_pipeline(
        _FIXED_BATCH + _SHARDED + "    rows = rows.shuffle(24)\n    return rows.batch(each)\n"
    ),
    reasoning=(
        "Each worker takes every second row, before anything is random, so the shares fit together"
        " whatever the workers do afterwards. Then it shuffles its own share. The batch is that of"
        " one replica, as each replica takes a whole one. (`shuffle` before `shard` is right only"
        " if all workers shuffle with the same seed.)"
    ),
    sabotages=(
        Sabotage(
            "the context's batch size is all that is missing",
            _pipeline(
                _FIXED_BATCH + "    rows = tf.data.Dataset.range(24).shuffle(24)\n"
                "    return rows.batch(each)\n"
            ),
            "both workers still read everything",
        ),
        Sabotage(
            "it does not matter whether one shuffles or shards first",
            _pipeline(
                _FIXED_BATCH + "    rows = tf.data.Dataset.range(24).shuffle(24)\n"
                "    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)\n"
                "    return rows.batch(each)\n"
            ),
            "do not shuffle alike",
        ),
        Sabotage(
            "half of the rows for each of two workers, so take half",
            _pipeline(
                _FIXED_BATCH + "    rows = tf.data.Dataset.range(24).take(12).shuffle(12)\n"
                "    return rows.batch(each)\n"
            ),
            "the same part of the data",
        ),
        Sabotage(
            "the batch is split among the replicas, as always",
            _pipeline(_SHARDED + "    return rows.shuffle(24).batch(8)\n"),
            "takes a whole batch",
        ),
        Sabotage(
            "shuffling and sharding do not go together",
            _pipeline(_FIXED_BATCH + _SHARDED + "    return rows.batch(each)\n"),
            "the same order",
        ),
    ),
    session=(_FED, _FOUR),
)

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
        return f"{shown} {len(never)} of the 24 rows are read by nobody, {never[0]} for one."
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

EXERCISES = (_PIPELINE, _PREDICTION, _FEED)
