"""Reports of progress: most of a long event log, and so what must be read at little cost."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadCluster
from mwtutor.run.record.eventlog import Event
from mwtutor.sanitize import harmless

#: What an event raises that is damaged, or of another version: nobody vouches for its fields.
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, OverflowError, BadCluster)


class Report(NamedTuple):
    """What a task has reported, see :class:`mwtutor.run.record.state.TaskState`."""

    task: TaskId
    attempt: int = 1
    epoch: int | None = None
    epochs: int | None = None
    step: int | None = None
    steps: int | None = None
    metrics: Mapping[str, float] = {}
    heard: float = 0.0

    @property
    def position(self) -> int:
        return position(self.epoch, self.step, self.steps)


def position(epoch: int | None, step: int | None, steps: int | None) -> int:
    """Steps since the training began, as far as epochs and their steps are reported."""
    return ((epoch or 1) - 1) * (steps or 0) + (step or 0)


def reports(events: Iterable[Event]) -> Iterator[Report]:
    """Each report among the events."""
    attempts: dict[TaskId, int] = {}
    for event in events:
        with contextlib.suppress(*UNREADABLE):
            task = TaskId.parse(event["task"])
            if event["event"] == "task_started":
                attempts[task] = int(event.get("attempt", 1))
            elif event["event"] == "progress":
                at = float(event.get("t", 0.0))
                yield Report(task, attempts.get(task, 1), **progress(event, at))


def starts(events: Iterable[Event]) -> dict[TaskId, list[tuple[float, int]]]:
    """When each task was started (seconds since the epoch), and as which attempt."""
    found: dict[TaskId, list[tuple[float, int]]] = {}
    for event in events:
        with contextlib.suppress(*UNREADABLE):
            if event["event"] == "task_started":
                start = (float(event["t"]), int(event.get("attempt", 1)))
                found.setdefault(TaskId.parse(event["task"]), []).append(start)
    return found


def without_superseded(events: Iterable[Event]) -> Iterator[Event]:
    """The events but for reports that the same task's next one replaces whole.

    What else happens in between may depend on any of them, so that parts them.
    """
    newest: dict[str, Event] = {}
    for event in events:
        task = event.get("task")
        if event["event"] == "progress" and isinstance(task, str) and _can_be_read(event):
            newest[task] = event
            continue
        yield from newest.values()
        newest = {}
        yield event
    yield from newest.values()


def _can_be_read(report: Event) -> bool:
    metrics = report.get("metrics")
    if not isinstance(metrics, dict) or not isinstance(report.get("t"), float):
        return False
    return not any(isinstance(value, int) and abs(value) >> 63 for value in metrics.values())


def progress(event: Event, at: float) -> dict[str, Any]:
    """What a report makes of a task's state."""
    where = {name: _count(event.get(name)) for name in ("epoch", "epochs", "step", "steps")}
    metrics = {
        _metric(name): float(value)
        for name, value in event.get("metrics", {}).items()
        if isinstance(value, (int, float))
    }
    return {**where, "metrics": metrics, "heard": at}


#: The same few names come again and again.
_metric = functools.lru_cache(maxsize=256)(harmless)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and abs(value) < 1 << 63 else None
