"""A supervisor's knowledge of a task, wherever it runs: its log's length, and how it ended."""

from __future__ import annotations

import contextlib
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run.logs import log_index
from mwtutor.run.observations import stacks
from mwtutor.run.record.events import ProgramEnded, ProgramRaised
from mwtutor.system.files import open_file
from mwtutor.worker import sampling
from mwtutor.worker.stacks import OVER


class FollowedTask(ABC):
    """A :class:`mwtutor.supervisor.world.Task`, as far as the log on this machine shows it.

    Args:
        clock: says when the log was written.
    """

    def __init__(self, task: TaskId, attempt: int, log: Path, clock: Callable[[], float]) -> None:
        self.id = task
        self.attempt = attempt
        self.log = log
        self._clock = clock
        self.begun = self.heard = time.monotonic()
        self.pid = 0  # meaningless for a task on another machine
        self.born = 0
        self.said_all = self.stopping = False
        self.raised: ProgramRaised | ProgramEnded | None = None
        self.ended_by: int | None = None
        self.lost = ""
        self.left: tuple[str, ...] = ()
        self.memory_kills = 0  # processes that the kernel had killed when the task ended
        self._asked = 0
        self._sent: set[int] = set()
        open_file(log, "ab").close()  # a task that cannot open it has no way to report that
        self._begins = self._seen = _size(log)  # text before this offset is from an earlier attempt
        self._index = open_file(log_index.file(log), "ab", 0)

    @abstractmethod
    def ask(self, word: str) -> None:
        """Send the task a request, which :mod:`mwtutor.worker.stacks` reads."""

    @abstractmethod
    def send_signal(self, number: int) -> None: ...

    def note_log(self) -> None:
        """Record the length of the log, so that lines can be put in chronological order."""
        size = _size(self.log)
        if size != self._seen:
            with contextlib.suppress(OSError):  # a full disk loses the order, but not the run
                self._index.write(log_index.ENTRY.pack(self._seen, self._clock()))
            self._seen = size
            self.heard = time.monotonic()

    @property
    def ended(self) -> bool:
        return self.ended_by is not None

    def ask_for_stacks(self) -> str:
        """Ask what the task is executing; return the token of the answer, next to its log."""
        token = self._new_token()
        self.ask(token)
        return token

    def ask_for_samples(self, seconds: float) -> str:
        """Ask where the task's time goes; return the token of the answer, in another file."""
        token = self._new_token()
        self.ask(sampling.request(token, seconds))
        return token

    def _new_token(self) -> str:
        self._asked += 1
        return f"{self.attempt}.{self._asked}"  # an earlier attempt's answer may still be there

    def say_training_is_over(self) -> None:
        """Tell an evaluator that no further checkpoint will be written."""
        self.ask(OVER)

    def crash(self) -> stacks.Crash | None:
        """Where the task's native code crashed, if Python reported it."""
        return stacks.read_crash(self.log, self._begins)

    @property
    def signalled(self) -> bool:
        """Whether this supervisor sent the task a signal."""
        return bool(self._sent)

    @property
    def killed_by_others(self) -> bool:
        """Whether the task was killed by a SIGKILL that this supervisor did not send."""
        return self.ended_by == -signal.SIGKILL and signal.SIGKILL not in self._sent

    def stop(self, number: int = signal.SIGKILL) -> None:
        self.stopping = True
        self.send_signal(number)

    def close(self) -> None:
        self.note_log()
        self._index.close()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
