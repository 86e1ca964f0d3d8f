"""The reports of a task about itself, through a pipe that its program can also write to.

Anything else is ignored: otherwise a program could crash its supervisor with an incomplete message,
or announce the end of a run in progress.
"""

from __future__ import annotations

import json
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.record import event_reading
from mwtutor.run.record.events import Reported


def parse(line: bytes, task: TaskId) -> Reported | None:
    """The event in one line of the task's pipe; None if it is not one that a task may send."""
    try:
        return read_report(json.loads(line), task)
    except (ValueError, RecursionError):
        return None


def read_report(said: Any, task: TaskId) -> Reported | None:
    """The event in a decoded message; None if it is not one that a task may send."""
    if not isinstance(said, dict) or not isinstance(said.get("event"), str):
        return None
    event = event_reading.read({**said, "task": str(task), "t": 0.0})
    return event if isinstance(event, Reported) else None
