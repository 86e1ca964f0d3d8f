"""The states of a task, and the events that lead from one to another."""

from __future__ import annotations

from enum import Enum

from mwtutor.run.record import events
from mwtutor.run.record.events import Event

#: Seconds without a report or a line after which a task counts as silent.
SILENT = 5.0


class Status(str, Enum):
    """A task's activity, or how it ended."""

    STARTING = "starting"
    WAITING = "waiting"  # in the cluster, but its peers are not
    RUNNING = "running"
    SERVING = "serving"  # in server.join(), forever
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    STOPPED = "stopped"
    LOST = "lost"
    LEFT_OUT = "left out"  # the current, smaller cluster has no such task

    @property
    def ended(self) -> bool:
        return self in _ENDS


_ENDS = (Status.SUCCEEDED, Status.FAILED, Status.STOPPED, Status.LOST, Status.LEFT_OUT)


def transition(status: Status, event: Event, *, joined: bool = False) -> Status:
    """A task's status after one of its own events, or an event of its run.

    The supervisor, which causes and observes the events, and all later readers derive a task's
    status here and nowhere else.

    Args:
        event: one of a run's events; one that does not concern the status changes nothing.
        joined: whether the task's strategy has formed its cluster. Then the task waits for nobody:
            its program may have left out tasks that ``TF_CONFIG`` lists.

    Raises:
        ValueError: the task ended in an unknown way.
    """
    if isinstance(event, events.TaskStarted):
        return Status.STARTING
    if status.ended:
        return status
    if isinstance(event, events.TaskEnded):
        return Status(event.status)
    if isinstance(event, events.RunEnded):  # the run was lost, so how its tasks ended is unknown
        return Status.LOST
    if joined and isinstance(event, events.Listening):
        return status
    return _STEPS.get((status, type(event)), status)


_STEPS: dict[tuple[Status, type[Event]], Status] = {
    (Status.STARTING, events.ProgramStarted): Status.RUNNING,
    (Status.STARTING, events.Progress): Status.RUNNING,
    (Status.STARTING, events.Listening): Status.WAITING,
    (Status.RUNNING, events.Listening): Status.WAITING,
    (Status.WAITING, events.ClusterFormed): Status.RUNNING,
    (Status.WAITING, events.Joined): Status.RUNNING,
    **{
        (status, events.Serving): Status.SERVING
        for status in (Status.STARTING, Status.WAITING, Status.RUNNING)
    },
}
