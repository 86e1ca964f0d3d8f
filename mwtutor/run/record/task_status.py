"""What a task can be doing, how it can end, and what leads from one to the other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any


class Status(str, Enum):
    """What a task is doing, or how it ended."""

    STARTING = "starting"
    WAITING = "waiting"  # in the cluster; its peers are not
    RUNNING = "running"
    SERVING = "serving"  # sits in server.join(), for ever
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    STOPPED = "stopped"
    LOST = "lost"

    @property
    def ended(self) -> bool:
        return self in (Status.SUCCEEDED, Status.FAILED, Status.STOPPED, Status.LOST)


def transition(status: Status, event: Mapping[str, Any]) -> Status:
    """What a task is doing after an event of its own, or of its run.

    The supervisor, which causes and observes the events, and whoever reads them later both
    derive a task's status here, and nowhere else.

    Args:
        event: one of a run's events; one that says nothing about a status changes nothing.

    Raises:
        KeyError, ValueError: a ``task_ended`` that does not say how.
    """
    kind = event["event"]
    if kind == "task_started":
        return Status.STARTING
    if status.ended:
        return status
    if kind == "task_ended":
        return Status(event["status"])
    if kind == "run_ended":  # the run was lost, and nobody saw how its tasks ended
        return Status.LOST
    return _STEPS.get((status, kind), status)


_STEPS = {
    (Status.STARTING, "program_started"): Status.RUNNING,
    (Status.STARTING, "progress"): Status.RUNNING,
    (Status.STARTING, "listening"): Status.WAITING,
    (Status.RUNNING, "listening"): Status.WAITING,
    (Status.WAITING, "cluster_formed"): Status.RUNNING,
    **{
        (status, "serving"): Status.SERVING
        for status in (Status.STARTING, Status.WAITING, Status.RUNNING)
    },
}
