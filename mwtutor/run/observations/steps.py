"""Where the time of each step went, worker by worker, computed from the workers' own records.

For each step, the records show when each worker began and ended it, how much processor time it
used, and how long it was in exchanges with the others since the previous step. Workers that train
together cannot end a step before all of them have begun it. If that does not hold, the module
reports nothing about waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from mwtutor.cluster import TaskId
from mwtutor.run.observations.moments import Step

#: Tolerance for clocks and records, in seconds.
_TOLERANCE = 0.002

#: The worker that came last is named only if another one waited this many seconds longer.
_WORTH_SAYING = 0.001

#: The share of steps whose times must be consistent with training together.
_NEARLY_ALL = 0.98


@dataclass(frozen=True)
class StepTime:
    """One step of one worker, from the end of the step before it; all in seconds.

    Attributes:
        number: its number.
        begin: the time at which the step itself began (since the epoch).
        between: its own time before that: callbacks, a loop's own code, a sleep.
        exchange: its time before that in exchanges with the others, waiting or exchanging data.
        computing: the part of the step covered by the process's processor time, at most its length.
        late: the part of the step without processor time while another worker had not begun it.
        rest: the remaining part without processor time: the exchange of gradients, input, other
            workers' computation, an accelerator.
        awaited: the worker that waited least, and so came last; None if this worker waited hardly
            longer.
    """

    number: int
    begin: float
    between: float
    exchange: float
    computing: float
    late: float
    rest: float
    awaited: TaskId | None = None

    @property
    def waiting(self) -> float:
        """How long the worker certainly waited for others: ``exchange`` and ``late``."""
        return self.exchange + self.late

    @property
    def own(self) -> float:
        """The time that the worker spent on its own, while others waited for it."""
        return self.between + self.computing

    @property
    def whole(self) -> float:
        return self.between + self.exchange + self.computing + self.late + self.rest


@dataclass(frozen=True)
class StepTimes:
    """The workers' steps in one start of a cluster.

    Attributes:
        of: the steps of each worker, in order, without the first one, which builds the graph.
        together: whether their times show that they took each step together.
        taken: the number of steps that they had taken.
    """

    of: Mapping[TaskId, tuple[StepTime, ...]]
    together: bool
    taken: int

    def typical(self, task: TaskId, part: str) -> float:
        """The median of the seconds that one worker spent in a part of a step."""
        times: list[float] = [getattr(step, part) for step in self.of[task]]
        return median(times)

    def awaited(self, task: TaskId) -> TaskId | None:
        """The worker that came last in most of this worker's steps; None if this worker did."""
        counts = Counter(step.awaited for step in self.of[task])
        return counts.most_common(1)[0][0]


def divide(noted: Mapping[TaskId, tuple[Step, ...]], taken: int, *, coupled: bool) -> StepTimes:
    """Where the time of the steps went.

    Args:
        noted: the records of each worker about its steps.
        taken: the number of steps that they have taken.
        coupled: whether the workers exchange anything at all.
    """
    by_number = {task: {step.number: step for step in steps} for task, steps in noted.items()}
    workers = [task for task, steps in by_number.items() if steps]
    common = set.intersection(*(set(by_number[task]) for task in workers)) if workers else set()
    rows = {n: {task: by_number[task][n] for task in workers} for n in sorted(common)}
    together = coupled and len(workers) > 1 and _in_lockstep(rows)
    shown: dict[TaskId, tuple[StepTime, ...]] = {}
    for task in workers:
        steps = [by_number[task][n] for n in (rows if together else sorted(by_number[task]))]
        shown[task] = tuple(
            _divided(task, rows[step.number] if together else {task: step})
            for step in steps
            if not step.first
        )
    return StepTimes({task: steps for task, steps in shown.items() if steps}, together, taken)


def _in_lockstep(rows: Mapping[int, Mapping[TaskId, Step]]) -> bool:
    """Whether no worker ended a step before every worker had begun it."""
    held = [
        max(step.begin for step in row.values())
        <= min(step.end for step in row.values()) + _TOLERANCE
        for row in rows.values()
    ]
    return bool(held) and sum(held) >= _NEARLY_ALL * len(held)


def _divided(task: TaskId, row: Mapping[TaskId, Step]) -> StepTime:
    step = row[task]
    computing = min(step.cpu, step.length)
    late = _late(step, row)
    # The worker that came last waited least.
    waits = {other: row[other].exchanging + _late(row[other], row) for other in row}
    last = min(waits, key=lambda other: waits[other])
    return StepTime(
        number=step.number,
        begin=step.begin,
        between=step.since - step.exchanging,
        exchange=step.exchanging,
        computing=computing,
        late=late,
        rest=step.length - computing - late,
        awaited=last if step.exchanging + late - waits[last] > _WORTH_SAYING else None,
    )


def _late(step: Step, row: Mapping[TaskId, Step]) -> float:
    """How long a worker was in the step before all had begun it, minus possible computation."""
    open_until = min(max(other.begin for other in row.values()), step.end)
    return max(open_until - step.begin - min(step.cpu, step.length), 0.0)
