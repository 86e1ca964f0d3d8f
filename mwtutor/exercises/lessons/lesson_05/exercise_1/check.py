"""05-1: every row twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.shuffled_rows import earliest

_FED = "fed"
_ROWS, _BATCH = 24, 8

#: What four input pipelines, with one replica each, would read in an epoch.
_FOUR = (
    "[[batch.numpy().tolist() for batch in"
    " dataset_fn(tf.distribute.InputContext(4, index, 4)).take(99)] for index in range(4)]"
)

SESSION = (_FED, _FOUR)

#: At least one of a worker's shuffled rows comes this many places before its turn.
_EARLY = 3

#: For each step of an epoch, the rows of a worker's only replica.
_Steps = list[list[int]]


def check(work: Work) -> Verdict:
    found = work.session[_FED]
    workers = [_epochs(found[task]) for task in sorted(found, key=str)]
    both = [epochs for epochs in workers if epochs is not None]
    if len(both) != 2:
        return not_yet("The two workers have not read two epochs.")
    changing = any(set(chain(*one)) != set(chain(*another)) for one, another in both)
    for first, other in zip(*both, strict=True):  # each epoch
        if fault := _fault(first, other, changing=changing):
            return fault
    if both[0][0] == both[0][1]:
        return wrong(
            "Each row is read once, in steps of eight. But both epochs have the same order."
        )
    return _order(both) or _of_four(work) or _RIGHT


_RIGHT = right("Each row once in an epoch, eight in a step, and in a different order each time.")


def _order(both: Sequence[Sequence[_Steps]]) -> Verdict | None:
    """What is wrong with the order of the rows, given that it differs between the epochs."""
    if all(_as_sets(one) == _as_sets(another) for one, another in both):
        return wrong("In both epochs the batches hold the same rows: only batches are shuffled.")
    early = max(earliest(chain(*epoch)) for epochs in both for epoch in epochs)
    if early < _EARLY:
        return wrong(
            f"None of a worker's rows moves forward by {_EARLY} places or more: that is hardly a"
            " random order."
        )
    return None


def _as_sets(epoch: _Steps) -> set[frozenset[int]]:
    return set(map(frozenset, epoch))


def _of_four(work: Work) -> Verdict | None:
    """What is wrong if there are four workers."""
    given = next(iter(work.session[_FOUR].values()), None)
    seen = "With two workers it is right. With four,"
    try:
        parts = [[[int(row) for row in batch] for batch in part] for part in given or ()]
    except (TypeError, ValueError):
        parts = []
    if len(parts) != 4:
        return wrong(f"{seen} `dataset_fn` fails, or gives no batches of rows.")
    counts = Counter(row for part in parts for batch in part for row in batch)
    if sorted(counts.elements()) != list(range(_ROWS)):
        return wrong(f"{seen} {counts.total()} rows are read, {len(counts)} of them distinct.")
    if any(len(batch) != _BATCH // 4 for part in parts for batch in part):
        largest = sum(max(map(len, part)) for part in parts)
        return wrong(f"{seen} a step has {largest} rows: all workers should share {_BATCH}.")
    return None


def _fault(first: _Steps, other: _Steps, *, changing: bool) -> Verdict | None:
    """What is wrong in one epoch of both workers.

    Args:
        changing: whether a worker reads different rows in each epoch.
    """
    times = Counter(row for epoch in (first, other) for step in epoch for row in step)
    largest = max(len(a) + len(b) for a, b in zip(first, other, strict=False))
    if set(times) - set(range(_ROWS)):
        return wrong("Some of the rows that were read are not in the data.")
    if all(times[row] == 2 for row in range(_ROWS)):
        seen = f"Every row is read twice in an epoch, and a step has {largest} rows."
        if largest == 2 * _BATCH:
            return not_yet(seen)
        if set(chain(*first)) != set(chain(*other)):
            return wrong(seen)
        if largest != _BATCH:
            return wrong(f"{seen} Both workers still read everything.")
        return wrong(f"{seen} The step is right, but both workers still read everything.")
    if any(times[row] != 1 for row in range(_ROWS)):
        return wrong(_uneven(times, set(chain(*first)), set(chain(*other)), changing=changing))
    if largest != _BATCH:
        return wrong(
            f"Each row is read once, but a step has {largest} rows: each of the two replicas takes"
            " a whole batch from its worker's dataset."
        )
    return None


def _uneven(times: Counter[int], first: set[int], other: set[int], *, changing: bool) -> str:
    never = [row for row in range(_ROWS) if not times[row]]
    twice = sum(count > 1 for count in times.values())
    seen = f"In one epoch, {twice} of {_ROWS} rows are read more than once, and {len(never)} never."
    if first == other:
        return f"{seen} Both workers read the same part of the data."
    if changing and twice:
        return (
            f"{seen} Which rows a worker reads changes from epoch to epoch: each worker shuffles"
            " before it takes its part, and each shuffles differently."
        )
    if changing:
        return f"{seen} Which rows a worker reads changes from epoch to epoch."
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
