"""Reports of progress make up most of a long event log, so reading them must be cheap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mwtutor.cluster import TaskId
from mwtutor.run.record import event_reading
from mwtutor.run.record.events import Progress, Record, TaskStarted


def reports(records: Iterable[Record]) -> Iterator[tuple[int, Progress]]:
    """Each report among the events, with its task's attempt."""
    attempts: dict[TaskId, int] = {}
    for event in map(event_reading.read, records):
        if isinstance(event, TaskStarted):
            attempts[event.task] = event.attempt
        elif isinstance(event, Progress):
            yield attempts.get(event.task, 1), event


def starts(records: Iterable[Record]) -> dict[TaskId, list[tuple[float, int]]]:
    """When each task was started (seconds since the epoch), with the attempt's number."""
    found: dict[TaskId, list[tuple[float, int]]] = {}
    for record in records:
        event = event_reading.read(record) if record["event"] == TaskStarted.kind else None
        if isinstance(event, TaskStarted):
            found.setdefault(event.task, []).append((event.t, event.attempt))
    return found


def without_superseded(records: Iterable[Record]) -> Iterator[Record]:
    """The events, except each report that the same task's next report fully replaces.

    Other events in between may depend on any of them, so they separate the reports.
    """
    newest: dict[str, Record] = {}
    for event in records:
        task = event.get("task")
        if event["event"] == Progress.kind and isinstance(task, str) and _can_be_read(event):
            newest[task] = event
            continue
        yield from newest.values()
        newest = {}
        yield event
    yield from newest.values()


def _can_be_read(report: Record) -> bool:
    metrics = report.get("metrics")
    if not isinstance(metrics, dict) or not isinstance(report.get("t"), float):
        return False
    return not any(isinstance(value, int) and abs(value) >> 63 for value in metrics.values())
