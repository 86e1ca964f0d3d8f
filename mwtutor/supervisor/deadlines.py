"""Actions that a supervisor takes at a certain time, unless they are canceled first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from mwtutor.cluster import TaskId
from mwtutor.worker.end_of_training import LINGER as LINGER

#: Seconds for which a task that raised what TensorFlow raises when a peer exits is only suspected.
SUSPICION = 0.5

#: Seconds that the others get to raise the same error as the first, before they are stopped.
ALIKE = 0.3

#: Seconds within which a program must print, run ``atexit`` and end after an uncaught exception.
LAST_WORDS = 5.0

#: Seconds for which a chief must have waited for workers that no longer exist before its run is
#: ended. TensorFlow waits for them forever.
STRANDED = 5.0


class Due(Enum):
    """The purpose of a deadline."""

    TIMEOUT = auto()  # the run's time limit
    SUSPICION = auto()  # another task may still prove to be the culprit
    ALIKE = auto()  # others may raise what the culprit raised
    LAST_WORDS = auto()  # a program must exit after an uncaught exception
    GRACE = auto()  # tasks that were asked to exit must have done so
    LINGER = auto()  # a task that does not affect the outcome must exit
    RESTART = auto()  # one task is restarted alone
    STRANDED = auto()  # a chief waits for workers, and has none
    BACK_OFF = auto()  # the next attempt begins
    IDLE = auto()  # a session on a shared machine executes no cells


@dataclass(frozen=True)
class Deadline:
    """A kind of deadline, and the task that it is about; None if it is about the run."""

    what: Due
    task: TaskId | None = None


class Deadlines:
    """The deadlines that are set: of each kind, at most one for each task and one for the run.

    Args:
        now: a monotonic clock (seconds).
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._at: dict[Deadline, float] = {}

    def set(self, what: Due, seconds: float, task: TaskId | None = None) -> None:
        """Set a deadline this many seconds from now, even if it is already set."""
        self._at[Deadline(what, task)] = self._now() + seconds

    def set_once(self, what: Due, seconds: float, task: TaskId | None = None) -> None:
        """Set a deadline, unless it is already set."""
        if not self.pending(what, task):
            self.set(what, seconds, task)

    def pending(self, what: Due, task: TaskId | None = None) -> bool:
        return Deadline(what, task) in self._at

    def drop(self, what: Due, task: TaskId | None = None) -> None:
        """Cancel a deadline, if it is set."""
        self._at.pop(Deadline(what, task), None)

    def drop_all(self, what: Due) -> None:
        """Cancel all deadlines of one kind."""
        self._at = {deadline: at for deadline, at in self._at.items() if deadline.what is not what}

    def begin_attempt(self) -> None:
        """Cancel the deadlines of the last attempt; the time limit is that of the whole run."""
        self._at = {
            deadline: at for deadline, at in self._at.items() if deadline.what is Due.TIMEOUT
        }

    def due(self) -> Iterator[Deadline]:
        """The deadlines that have passed; each is removed when it is yielded.

        A deadline that is canceled while an earlier one is handled is not yielded.
        """
        now = self._now()
        for deadline in [deadline for deadline, at in self._at.items() if at <= now]:
            if self._at.pop(deadline, None) is not None:
                yield deadline
