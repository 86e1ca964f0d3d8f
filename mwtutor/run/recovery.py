"""Recover a run without a supervisor: its engine removes what is left, and its end is recorded.

Only for runs of this user, see :mod:`mwtutor.run.record.ownership`.
"""

from __future__ import annotations

import fcntl

from mwtutor.run.engine import Engine
from mwtutor.run.record.eventlog import record_end, recorded_end
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.system.files import open_file


def why_lost(spec: RunSpec, state: RunState, engine: Engine) -> str:
    """Why a run that is not running has no recorded end, as a clause."""
    if not spec.path.is_dir():
        return "its directory was removed, with the record of how it ended"
    return engine.why_lost(spec, state)


def lost_event(spec: RunSpec, reason: str) -> RunEnded:
    """The event for the unrecorded end of a run."""
    return RunEnded("lost", reason, t=spec.now())


def recover(spec: RunSpec, reason: str, engine: Engine) -> RunEnded:
    """Remove what a lost run left behind, and record its end.

    Returns:
        The event, even if it could not be recorded.
    """
    try:
        with open_file(spec.events, "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two readers must not both record the end
            if (recorded := recorded_end(spec.events)) is not None:
                return recorded
            end = lost_event(spec, reason + _clear(spec, engine))
            record_end(spec.events, end)
    except OSError:  # the run's directory was removed, or is read-only
        end = lost_event(spec, reason + _clear(spec, engine))
    return end


def _clear(spec: RunSpec, engine: Engine) -> str:
    """Stop the processes that are left; return those that could not be stopped, in words."""
    left = engine.clear(spec)
    spec.clear_elsewhere()
    return f"; left behind: {', '.join(left)}" if left else ""
