"""A run that nobody has in hand any more: its engine clears what it left, and its end is recorded.

Only for a run of this user's own, see :mod:`mwtutor.run.ownership`.
"""

from __future__ import annotations

import fcntl
import time

from mwtutor.run.engine import Engine
from mwtutor.run.eventlog import Event, EventReader, EventWriter
from mwtutor.run.spec import RunSpec
from mwtutor.run.view import RunState, fold
from mwtutor.system.files import open_file


def recover(spec: RunSpec, state: RunState, engine: Engine) -> Event:
    """Clean up what a run has left that does not go on, and record that it was lost.

    Returns:
        The event that says so, even if it could not be recorded.
    """
    reason = _reason(spec, state, engine)
    end = {"t": time.time(), "event": "run_ended", "status": "lost", "reason": reason}
    try:
        with open_file(spec.events, "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two readers must not both record it
            if fold(state, EventReader(spec.events).read()).outcome is None:
                end["reason"] = reason + _clear(spec, engine)
                _record(spec, end)
    except OSError:  # its directory was removed, or may only be read
        end["reason"] = reason + _clear(spec, engine)
    return end


def _reason(spec: RunSpec, state: RunState, engine: Engine) -> str:
    if not spec.path.is_dir():
        return "its directory was removed, with the record of how it ended"
    return engine.why_lost(spec, state)


def _record(spec: RunSpec, end: Event) -> None:
    writer = EventWriter(spec.events)
    writer.append(end, durable=True)
    writer.close()


def _clear(spec: RunSpec, engine: Engine) -> str:
    """End what is left; in words, what could not be ended."""
    left = engine.clear(spec)
    spec.clear_elsewhere()
    return f"; left behind: {', '.join(left)}" if left else ""
