"""A run that nobody has in hand any more: what it left is cleared, and its end is recorded."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time

from mwtutor.run.eventlog import Event, EventReader, EventWriter
from mwtutor.run.spec import RunSpec
from mwtutor.run.state import RunState, fold
from mwtutor.system import processes


def recover(spec: RunSpec, state: RunState) -> Event:
    """Clear what a run has left whose supervisor is gone, and record that it was lost.

    Returns:
        The event that says so, also if it could not be recorded.
    """
    reason = _reason(spec, state)
    end = {"t": time.time(), "event": "run_ended", "status": "lost", "reason": reason}
    try:
        with open(spec.events, "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two readers must not both record it
            if fold(state, EventReader(spec.events).read()).outcome is None:
                _clear(spec, state)
                _record(spec, end)
    except OSError:  # its directory was removed, or may only be read
        _clear(spec, state)
    return end


def _reason(spec: RunSpec, state: RunState) -> str:
    if not spec.path.is_dir():
        return "its directory was removed, and with it the record of how it ended"
    if not state.supervisor[0]:
        return "it never started, because the process that launched it died"
    return "its supervisor died, and took the tasks along"


def _record(spec: RunSpec, end: Event) -> None:
    writer = EventWriter(spec.events)
    writer.append(end, durable=True)
    writer.close()


def _clear(spec: RunSpec, state: RunState) -> None:
    """End what is left, by process group and marker."""
    for task in state.tasks.values():
        if task.pid and processes.alive(task.pid, task.started):
            processes.kill_group(task.pid)
    processes.kill_run(spec.id)
    with contextlib.suppress(OSError):
        os.unlink(state.control)
    spec.clear_elsewhere()
