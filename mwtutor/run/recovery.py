"""A run that nobody has in hand any more: what it left is cleared, and its end is recorded.

Only for a run of this user's own, see :mod:`mwtutor.run.ownership`; and even of that the log is not
believed. What is ended proves to be of the run: it has the run's marker in its environment, or the
run's log open as its output, as a forked task and all that it forks have.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

import psutil

from mwtutor.run import control
from mwtutor.run.eventlog import Event, EventReader, EventWriter
from mwtutor.run.spec import MARKER, RunSpec
from mwtutor.run.state import RunState, fold
from mwtutor.system import processes

#: A file, whatever it is called: its device and its number.
_Inode = tuple[int, int]


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
                _clear(spec)
                _record(spec, end)
    except OSError:  # its directory was removed, or may only be read
        _clear(spec)
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


def _clear(spec: RunSpec) -> None:
    logs = _logs(spec.path / "logs")
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and _is_of(process, spec.id, logs):
                _kill(process)
    for path in control.paths(spec):
        with contextlib.suppress(OSError):
            path.unlink()
    spec.clear_elsewhere()


def _is_of(process: psutil.Process, run_id: str, logs: set[_Inode]) -> bool:
    """Whether the process proves to be of the run."""
    if process.uids().real != os.getuid():
        return False
    if process.environ().get(MARKER) == run_id:
        return True
    return any(_inode(Path(f"/proc/{process.pid}/fd/{fd}")) in logs for fd in (1, 2))


def _logs(directory: Path) -> set[_Inode]:
    files = [file for file in directory.glob("*.log") if file.is_file() and not file.is_symlink()]
    return {seen for file in files if (seen := _inode(file)) is not None}


def _inode(file: Path) -> _Inode | None:
    try:
        seen = file.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _kill(process: psutil.Process) -> None:
    if os.getpgid(process.pid) == process.pid:
        processes.kill_group(process.pid)
    process.kill()
