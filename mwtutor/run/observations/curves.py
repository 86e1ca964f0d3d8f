"""The curves and the speed of a run's training, from its event log as the log grows.

Memory use stays small, however long the run is.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.run.record import event_reading
from mwtutor.run.record.events import Progress, Record, TaskStarted

#: Maximum number of values of a curve; of a longer curve, only every second, fourth, ... value is
#: kept.
KEPT = 64

#: Maximum number of metrics per task whose curves are kept.
_METRICS = 8

#: Seconds over which speed is measured; an older report says nothing about the current speed.
_WINDOW, _STALE = 20.0, 5.0


@dataclass(frozen=True)
class Pace:
    """How far a task's training has progressed, and how fast it is.

    Attributes:
        done: the completed part, from 0 to 1; None if the end is unknown.
        rate: steps per second; None if that is unknown now.
        left: seconds to the end at this rate; None if that is unknown now.
    """

    done: float | None = None
    rate: float | None = None
    left: float | None = None


class Course:
    """The reports of a run's tasks; see :attr:`mwtutor.run.run.Run.course`."""

    def __init__(self) -> None:
        self._tasks: dict[TaskId, _Reports] = {}
        self._looking = threading.Lock()  # one thread may show the course while another reads

    def take(self, records: Iterable[Record]) -> None:
        """Add the reports since the last call."""
        with self._looking:
            for event in map(event_reading.read, records):
                if isinstance(event, TaskStarted):  # training starts over
                    self._tasks.pop(event.task, None)
                elif isinstance(event, Progress):
                    self._tasks.setdefault(event.task, _Reports()).add(event)

    def curve(self, task: TaskId, metric: str) -> tuple[float, ...]:
        """The values of a metric in chronological order, thinned."""
        with self._looking:
            reports = self._tasks.get(task)
            curve = reports.curves.get(metric) if reports is not None else None
            return curve.values if curve is not None else ()

    def pace(self, task: TaskId, now: float) -> Pace:
        """How far a task's training has progressed.

        Args:
            now: seconds since the epoch, by the run's clock.
        """
        with self._looking:
            reports = self._tasks.get(task)
            return reports.pace(now) if reports is not None else Pace()


def slowest(paces: Iterable[Pace]) -> Pace:
    """The pace of the task that determines when the training ends."""
    known = [pace for pace in paces if pace != Pace()]
    return min(known, key=lambda pace: 1.0 if pace.done is None else pace.done, default=Pace())


class _Reports:
    """The reports of one task."""

    def __init__(self) -> None:
        self.curves: dict[str, _Curve] = {}
        self._last = Progress(TaskId("worker", 0))
        self._steps: deque[tuple[float, int]] = deque(maxlen=256)

    def add(self, task: Progress) -> None:
        self._last = task
        for name, value in list(task.metrics.items())[:_METRICS]:
            if name in self.curves or len(self.curves) < _METRICS:
                self.curves.setdefault(name, _Curve()).add(value)
        if task.step is None:
            return
        done = task.position
        if self._steps and done < self._steps[-1][1]:  # another ``fit``
            self._steps.clear()
        self._steps.append((task.t, done))
        while self._steps[0][0] < task.t - _WINDOW:
            self._steps.popleft()

    def pace(self, now: float) -> Pace:
        task, rate = self._last, self._rate(now)
        if task.step is None or not task.steps or task.steps < 0:
            past = (task.epoch or 0) - 1
            return Pace(_part(past, task.epochs) if past >= 0 else None, rate)
        total = task.steps * max(task.epochs or 1, task.epoch or 1)
        done = _part(task.position, total)
        left = max(total - task.position, 0)
        return Pace(done, rate, left / rate if rate else None)

    def _rate(self, now: float) -> float | None:
        if len(self._steps) < 2 or now - self._steps[-1][0] > _STALE:
            return None
        (first, before), (last, after) = self._steps[0], self._steps[-1]
        return (after - before) / (last - first) if last > first and after > before else None


def _part(done: int, total: int | None) -> float | None:
    return min(max(done / total, 0.0), 1.0) if total and total > 0 else None


class _Curve:
    def __init__(self) -> None:
        self._kept: list[float] = []
        self._every, self._seen, self._last = 1, 0, 0.0

    def add(self, value: float) -> None:
        if self._seen % self._every == 0:
            self._kept.append(value)
        self._seen += 1
        self._last = value
        if len(self._kept) > KEPT:
            self._kept = self._kept[::2]
            self._every *= 2

    @property
    def values(self) -> tuple[float, ...]:
        last_is_kept = (self._seen - 1) % self._every == 0
        return (*self._kept, *(() if last_is_kept else (self._last,)))
