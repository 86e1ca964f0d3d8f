"""18-3: cut layers into stages."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

SECONDS = 20


def check(work: Work) -> Verdict:
    function = work.value("cut")
    if not callable(function):
        return not_yet("There is no function `cut`.")
    for costs, stages in _cases():
        few = len(costs) <= 12
        where = f"With costs {costs}" if few else f"With {len(costs)} layers"
        where += f" and {stages} stages:" if stages > 1 else " and one stage:"
        try:
            found = function(list(costs), stages)
        except Exception as error:
            return wrong(f"{where} `cut` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`cut` returns None.")
        sizes = _sizes(found)
        if sizes is None:
            return wrong(f"{where} what is returned is not a list of whole numbers.")
        if problem := _problem(sizes, costs, stages):
            return wrong(f"{where} {problem} {_way(function)}".strip())
    return right("The slowest stage is as fast as possible, even with 60 layers and 8 stages.")


def _way(function: Callable[..., Any]) -> str:
    """A wrong way to cut that the function follows for a dozen models; empty if there is none."""
    cases = [([30 * random.random() for _ in range(20)], 3 + at % 4) for at in range(12)]
    try:
        found = [_sizes(function(list(costs), stages)) for costs, stages in cases]
    except Exception:  # in these cases only
        return ""
    for way, words in _WAYS:
        if found == [way(*case) for case in cases]:
            return words
    return ""


def _cases() -> list[tuple[list[float], int]]:
    cases: list[tuple[list[float], int]] = [
        ([6, 8, 8, 2, 1, 5, 7, 6, 7, 4], 4),
        ([3, 1, 2], 3),
        ([4, 2, 7], 1),
        ([1, 1, 1, 9], 2),
        ([9, 1, 1, 1], 2),
        ([1, 1, 8, 1, 1], 4),
    ]
    for layers, stages in ((8, 2), (10, 4), (12, 5), *4 * ((20, 6),), (60, 8), (60, 8)):
        cases.append(([random.randint(1, 30) for _ in range(layers)], stages))
    return [*cases, ([random.randint(1, 99) / 2000 for _ in range(12)], 4)]


def _sizes(found: Any) -> list[int] | None:
    """The numbers of layers; None if these are not whole numbers."""
    if isinstance(found, (str, bytes, dict)):
        return None
    try:
        numbers = [float(one) for one in found]
        return [int(one) for one in numbers] if all(one == int(one) for one in numbers) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _problem(sizes: list[int], costs: list[float], stages: int) -> str:
    """What is wrong; empty if nothing is."""
    if len(sizes) != stages:
        return f"{_listed(sizes)} does not have one number for each stage."
    if min(sizes) < 1:
        return f"{_listed(sizes)} gives stage {sizes.index(min(sizes))} no layer."
    if sum(sizes) != len(costs):
        return f"{_listed(sizes)} has {sum(sizes)} layers, not {len(costs)}."
    takes, best = _slowest(sizes, costs), _best(costs, stages)
    if math.isclose(takes, best):
        return ""
    return f"the slowest stage of {_listed(sizes)} takes {takes:.6g}, but {best:.6g} is possible."


def _listed(sizes: list[int]) -> str:
    return f"{sizes}" if len(sizes) <= 12 else f"the list of {len(sizes)} numbers"


def _slowest(sizes: list[int], costs: list[float]) -> float:
    ends = list(accumulate(sizes))
    return max(sum(costs[end - size : end]) for size, end in zip(sizes, ends, strict=True))


def _best(costs: list[float], stages: int) -> float:
    """The time of the slowest stage in the best cut."""
    sums = [0.0, *accumulate(costs)]
    best = sums  # of the first layers, in one stage
    for _ in range(stages - 1):
        best = [
            min((max(best[at], sums[end] - sums[at]) for at in range(end)), default=math.inf)
            for end in range(len(sums))
        ]
    return best[-1]


def _even(costs: list[float], stages: int) -> list[int]:
    few, more = divmod(len(costs), stages)
    return [few + (stage < more) for stage in range(stages)]


def _closed(costs: list[float], stages: int, after: bool) -> list[int]:
    """Stages filled in turn: each is closed once it has its share, or before it would exceed it."""
    sizes: list[int] = []
    share, size, time = sum(costs) / stages, 0, 0.0
    for at, cost in enumerate(costs):
        must = len(costs) - at == stages - len(sizes) - 1
        if size and len(sizes) < stages - 1 and (must or (not after and time + cost > share)):
            sizes.append(size)
            size, time = 0, 0.0
        size, time = size + 1, time + cost
        if after and len(sizes) < stages - 1 and time >= share:
            sizes.append(size)
            size, time = 0, 0.0
    return [*sizes, size]


def _halves(costs: list[float], stages: int) -> list[int]:
    if stages == 1:
        return [len(costs)]
    left, rest = stages // 2, stages - stages // 2

    def slower(at: int) -> float:
        return max(sum(costs[:at]) / left, sum(costs[at:]) / rest)

    at = min(range(left, len(costs) - rest + 1), key=slower)
    return _halves(costs[:at], left) + _halves(costs[at:], rest)


#: Wrong ways, and how they are described.
_WAYS: tuple[tuple[Callable[[list[float], int], list[int]], str], ...] = (
    (_even, "This gives the stages the same number of layers."),
    (
        lambda costs, stages: _closed(costs, stages, after=True),
        "This closes each stage as soon as it has its share.",
    ),
    (
        lambda costs, stages: _closed(costs, stages, after=False),
        "This closes each stage before it has more than its share.",
    ),
    (_halves, "This is the best cut into two, cut into two again."),
)
