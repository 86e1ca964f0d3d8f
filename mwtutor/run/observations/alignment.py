"""Where the exchanges of two tasks diverge, found by the best alignment of their signatures.

Each pair that matches counts for an alignment; each pair that differs, and each exchange that only
one of the two made, counts against it. A task may legitimately call a collective from another line,
as after ``if is_chief:``, so of two equally good alignments, the one without a missing exchange
wins.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal

#: Score of a matching pair; cost of a differing pair, or of an exchange without a partner;
#: deduction for a match out of step, which keeps such stretches short. Out of step, a differing
#: pair costs twice as much, because two lines may legitimately differ only in step.
_FITS, _COSTS, _SHIFTED = 100, 100, 1

#: While both tasks are running, it is unknown which one left out an exchange if at most ``_SURE``
#: exchanges match after it, or if the opposite assumption scores at most ``_UNSURE`` worse.
_SURE, _UNSURE = 8, 2 * _COSTS

#: Maximum number of exchanges that are aligned, from the first that differs.
_WINDOW = 64

#: The largest shift between two tasks, in exchanges.
_MOST = 16

#: Maximum number of windows that are examined.
_LOOKS = 64

#: This many matches after a missing exchange prove that it is missing.
_ENOUGH = 2

_Labels = Sequence[Hashable]
_Alike = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Parting:
    """Where two tasks diverge.

    Attributes:
        at: the index of the first exchange that differs.
        how: ``order`` (they make the same exchanges in different orders), ``first`` or ``second``
            (which one made exchanges that the other did not), or ``either`` (one of them did).
        count: the number of exchanges that only one of them made there.
    """

    at: int
    how: Literal["order", "first", "second", "either"]
    count: int = 0


def parting(
    first: _Labels,
    second: _Labels,
    *,
    stands: bool,
    over: bool,
    alike: _Alike = operator.eq,
) -> Parting | None:
    """The point where the tasks diverge; None if nothing proves that they do.

    Args:
        first, second: the signatures of each task's exchanges, in order.
        stands: whether a task waits forever for the next exchange of one of these two.
        over: whether both have made all their exchanges.
        alike: whether two exchanges that differ may meet in any order.
    """
    crossed = _Crossed(alike)
    at = 0
    for _ in range(_LOOKS):
        pairs = zip(first[at:], second[at:], strict=False)
        differs = next((n for n, pair in enumerate(pairs) if not crossed.fit(*pair)), None)
        if differs is None:
            return None
        at += differs
        window = _Window(
            first[at : at + _WINDOW], second[at : at + _WINDOW], at, stands, over, crossed
        )
        if (found := window.parting()) is not None:
            return found
        at += _WINDOW
    return None


@dataclass
class _Crossed:
    """Pairs that differ; they matter only if the same pair also meets with the tasks swapped."""

    alike: _Alike
    first_at: dict[tuple[Hashable, Hashable], int] = field(default_factory=dict)

    def fit(self, one: Hashable, other: Hashable) -> bool:
        return one == other or (one, other) in self.first_at or self.alike(one, other)

    def add(self, one: Hashable, other: Hashable, at: int) -> int | None:
        """Record a pair; return where it first met with the tasks swapped, if it has."""
        self.first_at.setdefault((one, other), at)
        return self.first_at.get((other, one))


@dataclass(frozen=True)
class _Step:
    """A step of an alignment: a pair at these places, or an exchange that only one task made."""

    one: int
    other: int
    what: Literal["fits", "differs", "first", "second"]


class _Window:
    """A window on the exchanges of two tasks, starting at a difference."""

    def __init__(
        self,
        one: _Labels,
        other: _Labels,
        begin: int,
        stands: bool,
        over: bool,
        crossed: _Crossed,
    ) -> None:
        self._one, self._other, self._begin = one, other, begin
        ends = max(len(one), len(other)) < _WINDOW
        self._stands, self._over = stands and ends, over and ends
        self._crossed = crossed
        self._best = self._scores()

    def _scores(self) -> dict[tuple[int, int], int]:
        """For each pair of positions, the best score of aligning what follows them."""
        here, there = len(self._one), len(self._other)
        best: dict[tuple[int, int], int] = {}
        for i in range(here, -1, -1):
            for j in range(min(there, i + _MOST), max(0, i - _MOST) - 1, -1):
                if i == here or j == there:  # the other task may still make these exchanges
                    left = here - i + there - j
                    best[i, j] = -_COSTS * left if self._stands or self._over else 0
                    continue
                skips = (best[pair] - _COSTS for pair in ((i + 1, j), (i, j + 1)) if pair in best)
                best[i, j] = max(best[i + 1, j + 1] + self._fit(i, j), *skips)
        return best

    def _fit(self, i: int, j: int) -> int:
        if not self._crossed.fit(self._one[i], self._other[j]):
            return -_COSTS if i == j else -2 * _COSTS
        return _FITS - _SHIFTED * (i != j)

    def _steps(self) -> list[_Step]:
        """The best alignment."""
        here, there = len(self._one), len(self._other)
        i = j = 0
        steps = []
        while i < here and j < there:
            best, fit = self._best[i, j], self._fit(i, j)
            if best == self._best[i + 1, j + 1] + fit:
                steps.append(_Step(i, j, "fits" if fit > 0 else "differs"))
                i, j = i + 1, j + 1
            elif (i + 1, j) in self._best and best == self._best[i + 1, j] - _COSTS:
                steps.append(_Step(i, j, "first"))
                i += 1
            else:
                steps.append(_Step(i, j, "second"))
                j += 1
        if self._over:
            steps += [_Step(at, j, "first") for at in range(i, here)]
            steps += [_Step(i, at, "second") for at in range(j, there)]
        return steps

    def parting(self) -> Parting | None:
        shifted: list[_Step] = []
        for step in self._steps():
            in_step = step.one == step.other and step.what in ("fits", "differs")
            if in_step and shifted:
                if (found := self._shifted(shifted, step.one)) is not None:
                    return found
                shifted = []
            if not in_step:
                shifted.append(step)
            elif step.what == "differs":
                at = self._begin + step.one
                met = self._crossed.add(self._one[step.one], self._other[step.one], at)
                if met is not None:
                    return Parting(met, "order")
        even = self._over and len(self._one) == len(self._other)
        return self._shifted(shifted, len(self._one) if even else None) if shifted else None

    def _shifted(self, steps: Sequence[_Step], until: int | None) -> Parting | None:
        """The result of a window in which the tasks are out of step up to ``until``."""
        at = steps[0].one
        one, other = self._one[at:until], self._other[at:until]
        if until is not None and Counter(one) == Counter(other):
            return Parting(self._begin + at, "order")
        who = steps[0].what
        assert who in ("first", "second")  # otherwise the tasks would be in step
        alike = sum(step.what == "fits" for step in steps)
        more = len(one) > len(other) if who == "first" else len(other) > len(one)
        if alike < _ENOUGH and not (alike and self._stands and until is None and more):
            return None  # one exchange may match by chance
        count = sum(1 for _ in takewhile(lambda step: step.what == who, steps))
        either = self._is_either(at, who, alike)
        return Parting(self._begin + at, "either" if either else who, count)

    def _is_either(self, at: int, who: str, alike: int) -> bool:
        """Whether the other task may equally have left one out, as in a repeated pattern."""
        first, second = self._best[at + 1, at], self._best[at, at + 1]
        if self._stands or self._over or first == second:
            return first == second
        more, less = self._one[at:], self._other[at:]
        if who == "second":
            more, less = less, more
        if more[0] not in less:
            return False
        return min(alike - _SURE, abs(first - second) - _UNSURE) <= 0 or any(
            len(rest := list(less[lag:])[: len(more)]) >= _ENOUGH
            and rest == list(more[: len(rest)])
            for lag in range(1, _MOST + 1)
        )
