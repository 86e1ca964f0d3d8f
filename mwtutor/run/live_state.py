"""The current state of a run, from its log and its engine."""

from __future__ import annotations

import threading
from dataclasses import replace

from mwtutor.run.engine import Engine
from mwtutor.run.observations.curves import Course
from mwtutor.run.record import ownership
from mwtutor.run.record.eventlog import EventReader, recorded_end
from mwtutor.run.record.events import Record, RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, fold, next_state
from mwtutor.run.recovery import lost_event, recover, why_lost
from mwtutor.sanitize import harmless


class LiveState:
    """Reads the log's new events at each :meth:`look`, and folds them into the state.

    Args:
        launched: whether this process has launched the run.

    Attributes:
        known: the state as of the last reading.
    """

    def __init__(self, spec: RunSpec, engine: Engine, *, launched: bool) -> None:
        self._spec = spec
        self._launched = launched
        self._engine = engine
        self._reader = EventReader(spec.events, keep=launched)
        self._looking = threading.RLock()  # a live panel reads from its own thread
        self.known = RunState(foreign="" if launched else ownership.why_foreign(spec))
        self._recovered = False
        self._course: Course | None = None  # kept only on request

    def look(self) -> RunState:
        """The current state. Looking changes nothing."""
        with self._looking:
            return self._look()

    def recover(self) -> str:
        """Clean up after a lost run of this user, and record its end.

        Returns:
            How the run was lost, in a clause; empty if there was nothing to do.
        """
        with self._looking:
            if self._recovered or recorded_end(self._spec.events) is not None:
                return ""
            state = self._look()
            if state.foreign or state.outcome is None or state.outcome.status != "lost":
                return ""
            end = recover(self._spec, state.outcome.reason, self._engine)
            self.known, self._recovered = next_state(state, end), True
            return end.reason

    def course(self) -> Course:
        """The tasks' reports up to the last reading; later readings add to them."""
        with self._looking:
            if self._course is None:
                self._course = Course()
                self._course.take(self._reader.read_again())
            return self._course

    def _look(self) -> RunState:
        if self.known.outcome is None and not self.known.foreign:
            self._engine.collect(self._spec)
        self._read()
        if self.known.outcome is None and not self.known.foreign:
            self._judge()
        if self.known.outcome is not None and self._launched:
            self._engine.cleanup(self._spec)
            self._reader.close()
        return self.known

    def _judge(self) -> None:
        """Find out whether a run that has not ended is running."""
        alive = self._engine.poll(self._spec, self.known)
        if alive is False:
            self._read()  # meanwhile, the run may have recorded its start or end
            ended = self.known.outcome is not None
            alive = ended or self._engine.poll(self._spec, self.known)
        waits = alive and (not self.known.started or self.known.restarting)
        pending = self._engine.pending(self._spec) if waits else ""
        doubt = self._doubt() if alive is None else ""
        self.known = replace(self.known, doubt=doubt, pending=harmless(pending))
        if alive is False and not self._becomes_foreign():
            self._read()  # the last read, because nothing writes to the log now
        if alive is False and self.known.outcome is None and not self.known.foreign:
            end = lost_event(self._spec, why_lost(self._spec, self.known, self._engine))
            self.known = next_state(self.known, end)

    def _doubt(self) -> str:
        why = self._engine.out_of_reach(self._spec) or "the files that would show it cannot be read"
        return f"whether it is still running cannot be determined from here: {why}"

    def _becomes_foreign(self) -> bool:
        """Whether the run's directory has changed owners since it was first read."""
        if not self._launched:
            self.known = replace(self.known, foreign=ownership.why_foreign(self._spec))
        return bool(self.known.foreign)

    def _read(self) -> None:
        events = self._reader.read()
        if self._launched and any(map(_says_lost, events)) and self._engine.holds(self._spec):
            # The run belongs to this process and is still running, so it cannot be lost.
            events = [event for event in events if not _says_lost(event)]
        self.known = fold(self.known, events)
        if self._course is not None:
            self._course.take(events)


def _says_lost(event: Record) -> bool:
    return event["event"] == RunEnded.kind and event.get("status") == "lost"
