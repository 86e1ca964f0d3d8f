"""The stacks of tasks that have long been silent, requested from all at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from mwtutor.run.observations import stacks
from mwtutor.run.record.task_status import SILENT
from mwtutor.supervisor.world import Task

#: Seconds that a task gets to report its stacks.
PATIENCE = 0.5

#: How many tasks are named; the others are counted.
_NAMED = 2


class Silence:
    """The tasks that are silent now; :meth:`pending` does not wait for them, so call it repeatedly.

    Args:
        tasks: the tasks that may report something.
        now: their clock.
    """

    def __init__(self, tasks: Iterable[Task], now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until = now() + PATIENCE
        quiet = [(task, now() - task.heard) for task in tasks]
        silent = [(task, seconds) for task, seconds in quiet if seconds >= SILENT]
        self._others = len(silent[_NAMED:])
        self._asked = [(task, quiet, task.ask_for_stacks()) for task, quiet in silent[:_NAMED]]
        self._places: dict[Task, str] = {}

    def pending(self) -> bool:
        """Whether a task may still answer."""
        for task, _, token in self._asked:
            if (threads := stacks.read_answer(task.log, token)) is not None:
                self._places[task] = f", in {stacks.place(threads)}"
        unanswered = any(task not in self._places for task, _, _ in self._asked)
        return unanswered and self._now() < self._until

    def words(self) -> list[str]:
        """Which tasks were silent, for how long, and, if reported, what they were executing."""
        named = [
            f"{task.id} was silent for {quiet:.0f} s{self._places.get(task, '')}"
            for task, quiet, _ in self._asked
        ]
        return named + [f"and so were {self._others} more"] * bool(self._others)
