"""20-2: how often each row counts in the final weights."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: For each worker of an attempt, what it read: pairs of a step and its rows.
Attempt = list[list[tuple[int, list[int]]]]

#: For each attempt of a run, its first and last step, its number of workers, and perhaps a worker
#: that had no row in the first step. An attempt whose last step is -1 read nothing.
_RUNS: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((0, 6, 2),),
    ((0, 7, 2), (5, 9, 1)),
    ((0, 9, 3), (8, 11, 2), (4, 8, 1)),
    ((0, 5, 2), (0, -1, 2), (4, 7, 2)),
    ((0, 6, 4), (6, 9, 2), (8, 12, 2), (2, 4, 1)),
    ((0, 3, 2), (0, 5, 1)),
    ((0, 6, 3), (4, 8, 2, 0), (6, 9, 2, 1)),
)


def check(work: Work) -> Verdict:
    function = work.value("counts")
    if not callable(function):
        return not_yet("There is no function `counts`.")
    made: list[list[Attempt]] = []
    given: list[Counter[int]] = []
    problem = ""
    for first, shape in enumerate(_RUNS):
        attempts = _read(shape)
        words = ", then ".join(_words(one) for one in shape)
        try:
            found = function([[list(worker) for worker in one] for one in attempts])
        except Exception as error:
            return wrong(f"With {words}: `counts` raises {type(error).__name__}: {error}")
        if found is None and not first:
            return not_yet("`counts` returns None.")
        numbers = _numbers(found)
        if numbers is None:
            return wrong(f"With {words}: `counts` does not return a dictionary of whole numbers.")
        made.append(attempts)
        given.append(numbers)
        if not problem and numbers != (wanted := _true(attempts)):
            problem = f"With {words}: {_difference(numbers, wanted)}"
    if not problem:
        return right(
            "`counts` is right for up to four attempts, older checkpoints, and empty attempts."
        )
    for way, what in _WAYS:
        if all(one == way(attempts) for one, attempts in zip(given, made, strict=True)):
            return wrong(f"{problem} `counts` returns {what}.")
    return wrong(problem)


def _read(shape: Sequence[tuple[int, ...]]) -> list[Attempt]:
    """What workers may have read: a few of the same rows again and again."""
    random = np.random.default_rng()
    return [
        [
            [
                (step, random.integers(100, 130, size=3).tolist())
                for step in range(begin + (worker in late), end + 1)
            ]
            for worker in range(workers)
        ]
        for begin, end, workers, *late in shape
    ]


def _words(one: tuple[int, ...]) -> str:
    begin, end, workers, *late = one
    who = f"{workers} worker{'s' * (workers != 1)}"
    but = "".join(f" (worker {worker} from step {begin + 1} on)" for worker in late)
    return f"{who} in steps {begin} to {end}{but}" if end >= begin else f"{who} in no step"


def _numbers(found: Any) -> Counter[int] | None:
    """The numbers that are not 0."""
    if not isinstance(found, Mapping):
        return None
    try:
        whole = {operator.index(row): operator.index(times) for row, times in found.items()}
    except Exception:  # keys and values of unknown classes
        return None
    return Counter({row: times for row, times in whole.items() if times})


def _difference(found: Counter[int], wanted: Counter[int]) -> str:
    row = min(one for one in found.keys() | wanted.keys() if found[one] != wanted[one])
    return f"the count of row {row} is {found[row]} instead of {wanted[row]}."


def _first(attempt: Attempt) -> float:
    return min((step for worker in attempt for step, _ in worker), default=float("inf"))


def _count(attempts: Sequence[Attempt], ends: Sequence[float]) -> Counter[int]:
    """The rows of each attempt's steps below its end."""
    return Counter(
        row
        for attempt, end in zip(attempts, ends, strict=True)
        for worker in attempt
        for step, rows in worker
        if step < end
        for row in rows
    )


def _true(attempts: Sequence[Attempt], more: int = 0) -> Counter[int]:
    ends = [
        min(map(_first, attempts[at + 1 :]), default=float("inf")) + more
        for at in range(len(attempts))
    ]
    return _count(attempts, ends)


def _only_the_next(attempts: Sequence[Attempt]) -> Counter[int]:
    return _count(attempts, [*map(_first, attempts[1:]), float("inf")])


def _all_that_was_read(attempts: Sequence[Attempt]) -> Counter[int]:
    return _count(attempts, [float("inf")] * len(attempts))


#: Wrong ways to count, and what they return.
_WAYS: tuple[tuple[Callable[[Sequence[Attempt]], Counter[int]], str], ...] = (
    (_all_that_was_read, "all rows that were read, undone steps included"),
    (_only_the_next, "counts that undo only the previous attempt's steps"),
    (
        lambda attempts: _true([attempt[:1] for attempt in attempts]),
        "only what worker 0 read",
    ),
    (lambda attempts: _all_that_was_read(attempts[-1:]), "only what the last attempt read"),
    (lambda attempts: _true(attempts, more=1), "counts that include one of the undone steps"),
)
