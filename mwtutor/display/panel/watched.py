"""A run that is observed repeatedly: its state, and measurements over time."""

from __future__ import annotations

import time

from mwtutor.cluster import TaskId
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.hints import long_silent
from mwtutor.display.panel.report import Report, Seen
from mwtutor.run.engine import Usage
from mwtutor.run.observations.standing import Asker
from mwtutor.run.record.state import RunState
from mwtutor.run.run import Run

#: Seconds between two measurements for up to this many tasks; proportionally longer for more.
_MEASURED, _TASKS = 2.0, 16


class Watched:
    """Reports on a run on request. Only one thread may use it at a time."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._course = run.course  # read before the state, so each event is parsed only once
        self._before: dict[TaskId, Usage] = {}
        self._usage: dict[TaskId, tuple[int, float | None]] = {}
        self._measured = 0.0
        self._asker = Asker()

    def report(self, state: RunState | None = None, *, ask: bool = False) -> Report:
        """The current report.

        Args:
            state: the run's state, if it was just read.
            ask: whether to ask long-silent tasks where they are in the code, and wait for the
                answer.
        """
        state = state or self.run.state
        self._measure(state)
        silent = long_silent(self.run.spec, state)
        if ask and silent:
            self._asker.ask(self.run)
        found = self._asker.standings(self.run, silent)
        missing = self._asker.missing(self.run, silent)
        return report(self.run.spec, state, Seen(self._course, self._usage, found, missing))

    def _measure(self, state: RunState) -> None:
        if state.outcome is not None:
            self._usage = {}
            return
        now = time.monotonic()
        passed = now - self._measured
        if passed < _MEASURED * max(1.0, len(state.tasks) / _TASKS):
            return
        taken = dict(self.run.usage())
        self._usage = {
            task: (usage.memory, _share(usage, self._before.get(task), passed))
            for task, usage in taken.items()
        }
        self._before, self._measured = taken, now


def _share(now: Usage, before: Usage | None, seconds: float) -> float | None:
    """The share of a processor that a task used; None if the task started in between."""
    if before is None or now.cpu < before.cpu:
        return None
    return (now.cpu - before.cpu) / seconds
