"""The outside world of a supervisor: a clock, tasks to start and reap, and files to watch.

The real implementation is in :mod:`mwtutor.supervisor.host`. Tests replay recorded histories in a
world whose clock they advance, without processes or sleeps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.observations import stacks
from mwtutor.run.record.events import Event, ProgramEnded, ProgramRaised, Reported, RunStarted


class Task(Protocol):
    """The process of one task, from its start to its end.

    Attributes:
        id: its name in the cluster.
        attempt: the number of the task's start; the first is 1.
        pid: its process, and ``born`` its start time (clock ticks since boot).
        begun: when it was started, ``heard`` when it last reported or printed something (seconds on
            the clock of its :class:`World`).
        said_all: whether no more events will come.
        stopping: whether mwtutor asked it to exit, or killed it.
        raised: the event with which its program failed.
        ended_by: its exit status (negative: a signal), once it has ended.
        lost: how the task was lost, in a clause that follows its name, if its end is unknown;
            otherwise empty.
        left: the Python scripts that its child processes were still executing when it ended.
        memory_kills: the number of processes that the kernel had killed by then because memory ran
            out.
    """

    id: TaskId
    log: Path
    attempt: int
    pid: int
    born: int
    begun: float
    heard: float
    said_all: bool
    stopping: bool
    raised: ProgramRaised | ProgramEnded | None
    ended_by: int | None
    lost: str
    left: tuple[str, ...]
    memory_kills: int

    @property
    def ended(self) -> bool: ...

    @property
    def killed_by_others(self) -> bool:
        """Whether the task was killed by a SIGKILL that this supervisor did not send."""

    def events(self) -> Iterable[Reported]:
        """What the task has reported since the last call."""

    def note_log(self) -> None:
        """Record the length of the task's log."""

    def listens(self) -> bool:
        """Whether the task listens on its port."""

    def ask_for_stacks(self) -> str:
        """Ask what the task is executing; return the token of the answer."""

    def ask_for_samples(self, seconds: float) -> str:
        """Ask where the task's time goes in the next seconds; return the token of the answer."""

    def say_training_is_over(self) -> None:
        """Tell an evaluator that no further checkpoint will be written."""

    def crash(self) -> stacks.Crash | None:
        """Where the task's native code has crashed, if that is known."""

    def send_signal(self, number: int) -> None: ...

    def stop(self, number: int = ...) -> None:
        """Send the task a signal that ends it; SIGKILL unless another is given."""

    def close(self) -> None:
        """Close the task's files, once it has ended."""


class World(Protocol):
    """The machine on which one run takes place.

    Attributes:
        late: the seconds by which a task's peers may see its end before this machine does.
    """

    late: float

    def now(self) -> float:
        """Seconds on a monotonic clock."""

    def time(self) -> float:
        """Seconds since the epoch."""

    def establish(self) -> RunStarted:
        """Make the network; return the event that describes it."""

    def renew(self, without: Collection[TaskId] = ()) -> ClusterSpec | None:
        """Prepare a restart of all tasks, which have ended; return their addresses if they changed.

        This may take a while; commands are handled in the meantime.

        Args:
            without: workers that the new cluster leaves out.
        """

    def spawn(self, task: TaskId, attempt: int) -> Task:
        """Start a task.

        Raises:
            OSError: the task cannot be started.
        """

    def reap(self) -> Iterator[tuple[Task, int]]:
        """The tasks that have ended, each with its exit status (negative: a signal)."""

    def halts(self) -> Iterable[tuple[Task, bool]]:
        """The tasks that a signal has suspended or resumed, and whether each is suspended now."""

    def watch(self, file: Any, action: Callable[[], None]) -> None:
        """Call ``action`` when there is something to read from ``file``."""

    def forget(self, file: Any) -> None:
        """Stop watching ``file``."""

    def wait(self, seconds: float) -> None:
        """Wait until something has happened, or for this long; the files' actions are called."""

    def unreachable(self) -> Mapping[str, str]:
        """The outside hosts that tasks could not reach since the last call, and why."""

    def memory_kills(self) -> int:
        """How many processes the kernel recently killed because memory ran out."""

    def kill_children(self) -> list[str]:
        """Kill whatever is left of the tasks; return a description of each that remained."""

    def close(self) -> None:
        """Release the network and accept no more commands, because the run is over."""


class Log(Protocol):
    """The log of events; see :class:`mwtutor.run.record.eventlog.EventWriter`."""

    def append(self, event: Event, *, durable: bool = False) -> None: ...

    def close(self) -> None: ...
