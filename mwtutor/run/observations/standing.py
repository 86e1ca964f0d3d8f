"""Where the tasks of a run are now, and which of them the others wait for."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mwtutor.cluster import TaskId
from mwtutor.exceptions import MwtutorError, NoRun
from mwtutor.run.observations import missing, stacks
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.run import Run

#: How many exchanges of each task are read during a run; with more than ``_TASKS`` tasks, they are
#: read less often.
_NEWEST, _TASKS = 2048, 8


@dataclass(frozen=True)
class Standing:
    """Where one task is.

    Attributes:
        threads: its Python stacks, the main thread first; none if it did not answer.
        why: why it did not answer; empty if it did.
    """

    task: TaskId
    threads: tuple[ThreadStack, ...] = ()
    why: str = ""

    @property
    def waits(self) -> bool:
        """Whether the task is in code that waits for other tasks, such as a collective."""
        # One thread is enough: a strategy runs each replica's part in its own thread.
        return any(thread.waits for thread in self.threads)

    @property
    def place(self) -> str:
        return stacks.place(self.threads)


def standings(run: Run, tasks: Iterable[TaskId] = ()) -> tuple[Standing, ...]:
    """Where tasks are: first the tasks that the others wait for, then the waiting ones.

    Args:
        tasks: the tasks to ask; by default, all that have not ended.

    Raises:
        NoRun: the run has ended, so there are none, or this user may not ask.
    """
    state = run.state
    live = [name for name, task in state.tasks.items() if not task.status.ended]
    if state.outcome is not None or not live:
        raise NoRun(
            f"{run.name} has ended, so its tasks have no stacks.",
            f"See what they printed last: @mw_logs --name {run.name} -n 20",
        )
    found = [_standing(run, task) for task in tuple(tasks) or live]
    return tuple(sorted(found, key=lambda one: (one.waits, not one.threads)))


def _standing(run: Run, task: TaskId) -> Standing:
    try:
        return Standing(task, run.stacks(task))
    except MwtutorError as error:
        return Standing(task, why=str(error).splitlines()[0])


def awaited_tasks(found: Sequence[Standing]) -> tuple[Standing, ...]:
    """The tasks that the others wait for, because they are elsewhere.

    A task that did not answer may be anywhere, and is not among them.
    """
    if not any(one.waits for one in found):
        return ()
    return tuple(one for one in found if one.threads and not one.waits)


class Asker:
    """Repeatedly asks where tasks are while a run is displayed, without delaying the display.

    Waiting for a task that does not answer takes seconds, so a separate thread asks.

    Args:
        pause: seconds between an answer and the next question.
    """

    def __init__(self, pause: float = 5.0) -> None:
        self._pause = pause
        self._found: tuple[Standing, ...] = ()
        self._answered = float("-inf")
        self._heard: tuple[tuple[Standing, ...], float] = self._found, self._answered
        self._thread: threading.Thread | None = None
        self._missing = ""
        self._looked = float("-inf")

    def standings(self, run: Run, silent: Sequence[TaskId]) -> tuple[Standing, ...]:
        """Where the tasks were when they were last asked during this silence.

        Args:
            silent: the tasks that have been silent for a long time; without any, no task is asked.
        """
        if self._thread is not None:
            if self._thread.is_alive():
                return self._found if silent else ()
            self._thread = None
            self._found, self._answered = self._heard
        if not silent:
            self._found, self._answered = (), float("-inf")
        elif time.monotonic() - self._answered > self._pause:
            self._thread = threading.Thread(target=self._ask_on_its_own, args=(run,), daemon=True)
            self._thread.start()
        return self._found

    def missing(self, run: Run, silent: Sequence[TaskId]) -> str:
        """Whose exchange is missing, as last known; empty if unknown.

        Args:
            silent: as for :meth:`standings`.
        """
        if run.state.outcome is not None:
            return missing.verdict_words(run.exchanges())
        if time.monotonic() - self._looked > self._pause * max(1.0, len(run.tasks) / _TASKS):
            found = run.exchanges(_NEWEST)
            self._missing = missing.verdict_words(replace(found, silent=bool(silent)))
            self._looked = time.monotonic()
        return self._missing

    def _ask_on_its_own(self, run: Run) -> None:
        self._heard = self._found, self._answered
        with contextlib.suppress(MwtutorError):  # the run's directory has been removed
            self._heard = _ask(Run.open(run.directory))

    def ask(self, run: Run) -> None:
        """Ask now, and wait for the answer."""
        self._found, self._answered = _ask(run)


def _ask(run: Run) -> tuple[tuple[Standing, ...], float]:
    """Where the tasks are, and when they answered."""
    found: tuple[Standing, ...] = ()
    with contextlib.suppress(MwtutorError):  # the run has ended meanwhile
        found = standings(run)
    return found, time.monotonic()
