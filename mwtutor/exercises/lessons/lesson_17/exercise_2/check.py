"""17-2: memory by stage."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: Numbers, workers, stage, slots.
_Case = tuple[int, int, int, int]


def _kept(case: _Case, first: Sequence[int] = (3, 2, 1), *, up: bool = True) -> int:
    """The bytes of weights, gradients and slots, each divided from its stage in ``first`` on."""
    numbers, workers, stage, slots = case
    share = -(-numbers // workers) if up else numbers // workers
    counts = zip(first, (1, 1, slots), strict=True)
    return sum(4 * count * (share if stage >= begin else numbers) for begin, count in counts)


def _alone(case: _Case) -> int:
    """The bytes if each stage divides one kind, and no other."""
    first = [begin if case[2] == begin else 4 for begin in (3, 2, 1)]
    return _kept(case, first)


#: What learners compute instead, and what to say about it.
_MISTAKES: tuple[tuple[Callable[[_Case], float], str], ...] = (
    (_alone, "This is what a worker keeps if each stage divides only one kind of number."),
    (
        lambda case: _kept(case, up=False),
        "The shares are rounded down, but some workers keep one number more.",
    ),
    (lambda case: _kept(case, (1, 1, 1)), "From stage 1 on, this divides all three kinds."),
    (
        lambda case: _kept((*case[:3], 2)),
        "This is what Adam needs, whatever `slots` is.",
    ),
    (lambda case: _kept(case) / 4, "This is the count of numbers, not of bytes."),
    (
        lambda case: _kept(case, (1, 2, 3)),
        "This divides the weights in stage 1, and the optimizer's numbers only in stage 3.",
    ),
    (lambda case: _kept(case) * case[1], "This is the total of all workers."),
    (lambda case: _kept((*case[:3], 0)), "The optimizer's numbers are missing."),
)


def check(work: Work) -> Verdict:
    function = work.value("memory")
    if not callable(function):
        return not_yet("There is no function `memory`.")
    cases = [(1000, 2, 1, 2), *itertools.product((464_288, 1001), (2, 3), range(4), (2, 1, 0))]
    cases += [(64 * 1000 + more, 64, stage, 2) for more in (1, 63) for stage in range(4)]
    cases += [
        (random.randint(5, 10**9), random.randint(1, 64), stage, slots)
        for stage, slots in itertools.product(range(4), range(4))
    ]
    found = []
    for case in cases:
        try:
            found.append(function(*case))
        except Exception as error:
            return wrong(f"`memory{case}` raises {type(error).__name__}: {error}")
    if all(one is None for one in found):
        return not_yet("`memory` returns None.")
    numbers = [_number(one) for one in found]
    for case, value, number in zip(cases, found, numbers, strict=True):
        if number is None:
            return wrong(f"`memory{case}` returns {value!r:.40}, which is not a number.")
        if number != _kept(case):
            words = f"`memory{case}` returns {number:,.12g}, but the worker keeps {_kept(case):,}."
            return wrong(f"{words} {_mistake(cases, numbers)}".strip())
    return right("In all stages, with 1 to 64 workers and 0 to 3 slots, the bytes are right.")


def _number(value: object) -> float | None:
    array = as_array(value)
    return float(array) if array is not None and array.shape == () else None


def _mistake(cases: list[_Case], numbers: list[float | None]) -> str:
    """A mistake that gives these numbers in all cases; empty if there is none."""
    for compute, words in _MISTAKES:
        if [compute(case) for case in cases] == numbers:
            return words
    return ""
