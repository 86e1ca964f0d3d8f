"""Where the time of each step went, worker by worker: pure arithmetic on what they have noted.

What is known of a step is when each worker began and ended it, the processor time that it used
meanwhile, and how long it was in exchanges with the others since the step before. Workers that
train together cannot end a step before all of them have begun it; whether that holds for the times
at hand is checked, and nothing is said about waiting if it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from mwtutor.cluster import TaskId
from mwtutor.run.observations.moments import Step

#: Seconds by which clocks and notes may be wrong.
_TOLERANCE = 0.002

#: Seconds that a worker waits longer than another, before it is said for whom.
_WORTH_SAYING = 0.001

#: The share of the steps that must be as they are when workers train together.
_NEARLY_ALL = 0.98


@dataclass(frozen=True)
class StepTime:
    """One step of one worker, from the end of the step before it; all in seconds.

    Attributes:
        number: which.
        begin: when the step itself began (since the epoch).
        between: its own time before that: callbacks, a loop's own code, a sleep.
        exchange: the part before that in exchanges with the others: it waited, or numbers went
            back and forth.
        computing: in the step, the processor time of the process, if not more than it took.
        late: in the step, while another worker had not begun it, without using the processor.
        rest: in the step, without using the processor: the exchange of gradients, input, others'
            computation, an accelerator.
        awaited: who waited least, and so came last; None if this worker did, or
            waited hardly longer.
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
        """How long it certainly waited for others: ``exchange`` and ``late``."""
        return self.exchange + self.late

    @property
    def own(self) -> float:
        """What it did itself, and so made others wait for it."""
        return self.between + self.computing

    @property
    def whole(self) -> float:
        return self.between + self.exchange + self.computing + self.late + self.rest


@dataclass(frozen=True)
class StepTimes:
    """The steps of the workers of one start of a cluster.

    Attributes:
        of: the steps of each worker, in order; the first of a training is left out, since it
            builds the graph.
        together: whether their times show that they took each step together.
        taken: how many they had taken.
    """

    of: Mapping[TaskId, tuple[StepTime, ...]]
    together: bool
    taken: int

    def typical(self, task: TaskId, part: str) -> float:
        """The seconds of a step that one worker spent in a part, usually: the median."""
        times: list[float] = [getattr(step, part) for step in self.of[task]]
        return median(times)

    def awaited(self, task: TaskId) -> TaskId | None:
        """Who came last in most of its steps; None if it did so itself."""
        counts = Counter(step.awaited for step in self.of[task])
        return counts.most_common(1)[0][0]


def divide(noted: Mapping[TaskId, tuple[Step, ...]], taken: int, *, coupled: bool) -> StepTimes:
    """Where the time of the steps went.

    Args:
        noted: what each worker has noted of its steps.
        taken: how many they have taken.
        coupled: whether they exchange anything at all.
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
    """Whether nobody ended a step before everybody had begun it."""
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
    # Whoever came last waited least.
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
    """For how long somebody else had not begun it, less what may have been spent computing."""
    open_until = min(max(other.begin for other in row.values()), step.end)
    return max(open_until - step.begin - min(step.cpu, step.length), 0.0)
