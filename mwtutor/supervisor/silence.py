"""Tasks that have been silent for long: where each of them stands, asked of all at once."""

from __future__ import annotations

import time
from collections.abc import Iterable

from mwtutor.run import stacks
from mwtutor.supervisor.task import TaskProcess

#: Seconds that a task gets to say where it stands.
PATIENCE = 0.5

#: How many are named; of the others, how many they are.
_NAMED = 2


class Silence:
    """The tasks that are silent now. Nobody is waited for: ask :meth:`pending` again."""

    def __init__(self, tasks: Iterable[TaskProcess]) -> None:
        self._until = time.monotonic() + PATIENCE
        silent = [(task, quiet) for task in tasks if (quiet := task.quiet())]
        self._others = len(silent[_NAMED:])
        self._asked = [(task, quiet, task.ask_for_stacks()) for task, quiet in silent[:_NAMED]]
        self._places: dict[TaskProcess, str] = {}

    def pending(self) -> bool:
        """Whether somebody may still answer."""
        for task, _, token in self._asked:
            if (threads := stacks.read_answer(task.log, token)) is not None:
                self._places[task] = f", in {stacks.place(threads)}"
        unanswered = any(task not in self._places for task, _, _ in self._asked)
        return unanswered and time.monotonic() < self._until

    def words(self) -> list[str]:
        """Who was silent, for how long, and where they stand as far as they said."""
        named = [
            f"{task.id} was silent for {quiet:.0f} s{self._places.get(task, '')}"
            for task, quiet, _ in self._asked
        ]
        return named + [f"and so were {self._others} more"] * bool(self._others)
