"""17-1: who keeps which numbers."""

from __future__ import annotations

import itertools
import operator
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: The sizes of the variables, and the number of workers.
_CASES = (
    ((10, 6), 2),
    ((401_408, 61_440, 1_440), 2),
    ((7, 1, 5), 3),
    ((401_408, 61_440, 1_440), 3),
    ((5, 2, 4, 6), 4),
    ((3, 3, 3, 3), 5),
    ((2, 1), 4),
    ((9,), 1),
)


def check(work: Work) -> Verdict:
    function = work.value("kept")
    if not callable(function):
        return not_yet("There is no function `kept`.")
    for sizes, workers in _CASES:
        listed = ", ".join(map(str, sizes))
        those = f"variables of {listed}" if len(sizes) > 1 else f"a variable of {listed}"
        where = f"With {workers} worker{'s' * (workers > 1)}, and {those} numbers:"
        found = []
        for worker in range(workers):
            try:
                found.append(function(list(sizes), worker, workers))
            except Exception as error:
                return wrong(f"{where} `kept` raises {type(error).__name__}: {error}")
        if all(one is None for one in found):
            return not_yet("`kept` returns None.")
        everyone = [_pairs(one, len(sizes)) for one in found]
        if None in everyone:
            worker = everyone.index(None)
            return wrong(
                f"{where} for worker {worker}, `kept` does not return a pair of whole numbers for"
                " each variable."
            )
        if problem := _problem(everyone, sizes):
            return wrong(f"{where} {problem}")
    return right("With up to five workers, each number is kept once, and the shares are even.")


def _pairs(value: Any, count: int) -> list[tuple[int, int]] | None:
    """The pairs as plain numbers; None if they are not pairs of numbers."""
    try:
        some = list(itertools.islice(value, count + 1))
        pairs = [(operator.index(begin), operator.index(end)) for begin, end in some]
    except (TypeError, ValueError):
        return None
    return pairs if len(pairs) == count else None


def _problem(everyone: Any, sizes: tuple[int, ...]) -> str:
    """What is wrong with what the workers keep; empty if nothing is."""
    for worker, pairs in enumerate(everyone):
        for at, (pair, size) in enumerate(zip(pairs, sizes, strict=True)):
            if not 0 <= pair[0] <= pair[1] <= size:
                return f"worker {worker}'s pair {pair} is not within variable {at}."
    for at, size in enumerate(sizes):
        here = sorted((pairs[at], worker) for worker, pairs in enumerate(everyone))
        here = [(pair, worker) for pair, worker in here if pair[0] < pair[1]]
        covered = 0
        for (begin, end), _ in here:
            if begin > covered:
                break
            if begin < covered:
                count = sum(pair[0] <= begin < pair[1] for pair, _ in here)
                return f"number {begin} of variable {at} is kept by {count} workers."
            covered = end
        if covered < size:
            return f"no worker keeps number {covered} of variable {at}."
    return _consecutive(everyone, sizes) or _uneven(everyone)


def _consecutive(everyone: Any, sizes: tuple[int, ...]) -> str:
    """A worker whose numbers come after those of a later worker; empty if there is none."""
    last = 0
    for at in range(len(sizes)):
        here = [(pairs[at], worker) for worker, pairs in enumerate(everyone)]
        for (begin, end), worker in sorted(here):
            if begin == end:
                continue
            if worker < last:
                return (
                    f"worker {worker} keeps number {begin} of variable {at}, which comes after"
                    f" numbers of worker {last}."
                )
            last = worker
    return ""


def _uneven(everyone: Any) -> str:
    counts = [sum(end - begin for begin, end in pairs) for pairs in everyone]
    most, least = counts.index(max(counts)), counts.index(min(counts))
    if counts[most] - counts[least] < 2:
        return ""
    return f"worker {most} keeps {counts[most] - counts[least]} more numbers than worker {least}."
