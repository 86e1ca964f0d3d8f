"""Why a task failed, in words, and where in the program it failed."""

from __future__ import annotations

import os
import re
import signal
from typing import Any

from mwtutor.run.record.events import ProgramEnded, ProgramRaised
from mwtutor.supervisor.world import Task
from mwtutor.system.exit_words import exit_words

#: Signals of crashed native code, for which Python reports the place.
_CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}


#: Text that native code prints when it cannot start a thread, and the limits on threads.
_THREAD = re.compile(r"pthread_create|Resource temporarily unavailable")
_NO_THREAD = (
    "; the system refused to start another thread: see ulimit -u, which limits all of a user's"
    " processes and threads, and the pids limit of a container"
)


def failure(task: Task) -> dict[str, Any]:
    """Why a task failed, in words, and the place in the program if it is known."""
    if task.lost:
        return {"reason": f"{task.id} {task.lost}"}
    if isinstance(place := task.raised, ProgramRaised):
        where = f" ({os.path.basename(place.file)}, line {place.line})" if place.file else ""
        return {
            "reason": f"{task.id} raised {place.message}{where}",
            "error": place.error,
            "message": place.message,
            "file": place.file,
            "line": place.line,
            "code": place.code,
            "function": place.function,
        }
    asked = task.raised.code if isinstance(task.raised, ProgramEnded) else 1
    status = task.ended_by if task.ended_by is not None else asked
    words = exit_words(status)
    if task.memory_kills and task.killed_by_others:
        count = f"{task.memory_kills} process{'es' * (task.memory_kills > 1)}"
        words += f"; memory ran out, and the kernel killed {count} at that time, possibly this one"
    crash = task.crash() if -status in _CRASHES else None
    if crash is not None and crash.said:
        words += f": {crash.said.rstrip('.')}"
        words += _NO_THREAD if _THREAD.search(crash.said) else ""
    if crash is not None and crash.own:
        frame = crash.own[-1]
        return {
            "reason": f"{task.id} {words} ({frame.spot})",
            "file": frame.file,
            "line": frame.line,
            "code": frame.source,
            "function": frame.function,
        }
    return {"reason": f"{task.id} {words}"}
