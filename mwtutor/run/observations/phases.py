"""How long each part of a run took, and which parts differ significantly between two runs."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.run.observations.exchanges import Exchanges, meetings
from mwtutor.run.observations.moments import Noted

#: Minimum number of values for which a spread is computed.
_ENOUGH = 5


@dataclass(frozen=True)
class Spread:
    """Durations of one phase (seconds): their number, median and quartiles."""

    count: int
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Difference:
    """One phase in two runs; None for a run that does not have it.

    Attributes:
        differs: whether the middle halves of both (between their quartiles) do not overlap; None
            if there are too few values.
    """

    phase: str
    before: Spread | None
    after: Spread | None
    differs: bool | None

    @property
    def ratio(self) -> float | None:
        if self.before is None or self.after is None or not self.before.median:
            return None
        return self.after.median / self.before.median


def durations(
    noted: Mapping[TaskId, Sequence[Noted]], exchanges: Exchanges
) -> dict[str, list[float]]:
    """The durations of each phase, of all tasks together (seconds).

    The phases are ``step``; ``input``, the time before a step, without exchanges; ``waiting``, for
    the last task of an exchange; ``transfer``, from the last task's arrival to the exchange's end;
    ``saving`` and ``evaluating``.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for starts in noted.values():
        for one in starts:
            for step in one.steps:
                if not step.first:
                    found["step"].append(step.length)
                    found["input"].append(max(step.since - step.exchanging, 0.0))
            for part in one.parts:
                if part.kind in ("saving", "evaluating") and part.end:
                    found[part.kind].append(part.end - part.begin)
    for met in meetings(exchanges.ledgers):
        if len(met.parts) == len(exchanges.ledgers) > 1:
            for task, each in met.parts.items():
                if each.done:
                    found["transfer"].append(met.transfer(task))
                    if task != met.last:
                        found["waiting"].append(met.waited(task))
    return dict(found)


def compare(
    before: Mapping[str, list[float]], after: Mapping[str, list[float]]
) -> list[Difference]:
    """How the second run differs from the first, phase by phase."""
    found = []
    for phase in dict.fromkeys([*before, *after]):
        old, new = _spread(before.get(phase)), _spread(after.get(phase))
        differs = None
        if old and new and min(old.count, new.count) >= _ENOUGH:
            differs = old.high < new.low or new.high < old.low
        found.append(Difference(phase, old, new, differs))
    return found


def _spread(values: list[float] | None) -> Spread | None:
    if not values:
        return None
    if len(values) == 1:
        return Spread(1, values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(len(values), low, median, high)
