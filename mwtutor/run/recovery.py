"""A run that nobody has in hand any more: what it left is cleared, and its end is recorded.

Only for a run of this user's own, see :mod:`mwtutor.run.ownership`; and even of that the log is not
believed. What is ended proves to be of the run: it has the run's marker in its environment, or the
run's log open as its output, as a forked task and all that it forks have.
"""

from __future__ import annotations

import contextlib
import fcntl
import time
from pathlib import Path

from mwtutor.run import control
from mwtutor.run.eventlog import Event, EventReader, EventWriter
from mwtutor.run.spec import RunSpec
from mwtutor.run.state import RunState, fold
from mwtutor.system import processes

#: A file, whatever it is called: its device and its number.
_Inode = tuple[int, int]


def recover(spec: RunSpec, state: RunState) -> Event:
    """Clean up what a run without a supervisor has left, and record that it was lost.

    Returns:
        The event that says so, even if it could not be recorded.
    """
    reason = _reason(spec, state)
    end = {"t": time.time(), "event": "run_ended", "status": "lost", "reason": reason}
    try:
        with open(spec.events, "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two readers must not both record it
            if fold(state, EventReader(spec.events).read()).outcome is None:
                end["reason"] = reason + _clear(spec)
                _record(spec, end)
    except OSError:  # its directory was removed, or may only be read
        end["reason"] = reason + _clear(spec)
    return end


def _reason(spec: RunSpec, state: RunState) -> str:
    if not spec.path.is_dir():
        return "its directory was removed, with the record of how it ended"
    if not state.supervisor[0]:
        return "it never started, because the process that launched it died"
    return "its supervisor died, and its tasks with it"


def _record(spec: RunSpec, end: Event) -> None:
    writer = EventWriter(spec.events)
    writer.append(end, durable=True)
    writer.close()


def _clear(spec: RunSpec) -> str:
    """End what is left; in words, what could not be ended."""
    left = processes.kill_run(spec.id, _logs(spec.path / "logs"))
    for path in control.paths(spec):
        with contextlib.suppress(OSError):
            path.unlink()
    spec.clear_elsewhere()
    return f"; left behind: {', '.join(left)}" if left else ""


def _logs(directory: Path) -> set[processes.Inode]:
    files = [file for file in directory.glob("*.log") if file.is_file() and not file.is_symlink()]
    return {seen for file in files if (seen := processes.inode(file)) is not None}
