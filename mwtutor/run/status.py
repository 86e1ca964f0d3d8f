"""What a task can be doing, and how it can end."""

from __future__ import annotations

from enum import Enum


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
