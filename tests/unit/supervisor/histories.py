"""A world in which exactly the events of a history happen, on time: no process, no sleep.

A history has one line per event: the seconds since the start, the subject, and the event. The clock
moves from one event to the next, at most a tick at a time.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.record.events import (
    Closures,
    Event,
    Executing,
    Idle,
    Listening,
    ProgramRaised,
    ProgramStarted,
    Progress,
    Record,
    Reported,
    RunStarted,
    Serving,
)
from mwtutor.run.record.state import RunState, fold
from mwtutor.run.request.options import LaunchRequest
from mwtutor.supervisor.loop import Supervisor

#: Seconds after which a history that has not ended never will.
_HORIZON = 10_000.0

#: The time of day at which every history begins.
_EPOCH = 1_000_000.0


class Told:
    """A task of a history."""

    raised = crashed = None
    ended_by: int | None = None
    said_all = stopping = killed = listening = False
    lost = ""
    left: tuple[str, ...] = ()
    memory_kills = 0

    def __init__(self, world: World, task: TaskId, attempt: int) -> None:
        self.id, self.attempt, self._world = task, attempt, world
        self.log = Path("/nonexistent", str(task))
        self.pid = self.born = 100 * attempt + len(world.spawned)
        self.begun = self.heard = world.now()
        self.said: list[Reported] = []
        self.asked = 0
        self.told_of_the_end: list[float] = []

    @property
    def ended(self) -> bool:
        return self.ended_by is not None

    @property
    def killed_by_others(self) -> bool:
        return self.ended_by == -signal.SIGKILL and not self.killed

    def events(self) -> list[Reported]:
        said, self.said = self.said, []
        return said

    def note_log(self) -> None:
        assert not self.ended

    def listens(self) -> bool:
        return self.listening

    def ask_for_stacks(self) -> str:
        self.asked += 1
        return "token"

    def say_training_is_over(self) -> None:
        self.told_of_the_end.append(self._world.now())

    def crash(self) -> None:
        return None

    def send_signal(self, number: int) -> None:
        if not self.ended and (number == signal.SIGKILL or self.id not in self._world.stubborn):
            self.killed = True
            self._world.dying.setdefault(self, -number)

    def stop(self, number: int = signal.SIGKILL) -> None:
        self.stopping = True
        self.send_signal(number)

    def close(self) -> None:
        pass


class World:
    """Replays a history; see the module. ``events`` are the entries of its log."""

    late = 0.0

    def __init__(
        self, history: str, cluster: ClusterSpec, *, session: bool = False, idle: int = 0,
        **request: Any,
    ) -> None:  # fmt: skip
        self.events: list[Record] = []
        self.spawned: list[Told] = []
        self.dying: dict[Told, int] = {}
        self.halting: dict[Told, bool] = {}
        self.stubborn: set[TaskId] = set()
        self.no_more_processes_at = float("inf")
        self.closed = False
        self.moved: ClusterSpec | None = None
        self.lost: dict[str, str] = {}
        self.missed: dict[str, str] = {}
        self._clock = 0.0
        self._cluster = cluster
        self._watched: dict[Any, Callable[[], None]] = {}
        lines = [line.split(maxsplit=3) for line in history.splitlines() if line.strip()]
        self._to_come = [(float(at), who, what, *rest) for at, who, what, *rest in lines]
        assert self._to_come == sorted(self._to_come, key=lambda line: line[0])
        asked = LaunchRequest("main.py", **request)
        self.supervisor = Supervisor(asked, self, self, session=session, idle=idle)

    def replay(self) -> RunState:
        """The run from its start to its end, as a reader of its log sees it."""
        self.supervisor.start()
        self.supervisor.watch()
        assert not self._to_come, "it ended before its history"
        assert self.closed
        assert all(task.ended for task in self.spawned)
        return fold(RunState(), self.events)

    def when(self, event: str, task: str | None = None) -> list[float]:
        """The seconds at which such events were written."""
        found = [e for e in self.events if e["event"] == event and e.get("task") == task]
        return [round(e["t"] - _EPOCH, 1) for e in found]

    def task(self, name: str) -> Told:
        return self.supervisor.tasks[TaskId.parse(name)]

    # -- what happens -----------------------------------------------------------------------

    def _happen(self, who: str, what: str, rest: str = "") -> None:
        if who == "run":
            if what == "misses":
                self.missed[rest] = f"{rest}: no answer"
                return None
            assert what == "stops"
            return self.supervisor.stop(rest)
        task = self.task(who)
        assert not task.ended, f"{who} has ended before it {what}"
        if what == "exits":
            self.dying[task] = int(rest)
        elif what in ("halts", "continues"):
            self.halting[task] = what == "halts"
        elif what == "listens":
            task.listening = True
        elif what == "prints":
            task.heard = self._clock
        else:
            task.heard = self._clock
            task.said.append(_event(task.id, what, rest))
            self._watched[task]()
        return None

    # -- what the supervisor asks of the world -------------------------------------------------

    def now(self) -> float:
        return self._clock

    def time(self) -> float:
        return _EPOCH + self._clock

    def establish(self) -> RunStarted:
        return RunStarted(self._cluster, pid=1, born=1)

    def renew(self, without: Collection[TaskId] = ()) -> ClusterSpec | None:
        if without:
            self._cluster = self._cluster.without(without)
            return self._cluster
        return self.moved

    def spawn(self, task: TaskId, attempt: int) -> Told:
        if self._clock >= self.no_more_processes_at:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        self.spawned.append(Told(self, task, attempt))
        self.spawned[-1].lost = self.lost.get(str(task), "")
        return self.spawned[-1]

    def reap(self):
        dead, self.dying = self.dying, {}
        yield from dead.items()

    def halts(self):
        told, self.halting = self.halting, {}
        yield from told.items()

    def watch(self, file: Any, action: Callable[[], None]) -> None:
        self._watched[file] = action

    def forget(self, file: Any) -> None:
        del self._watched[file]

    def wait(self, seconds: float) -> None:
        assert self._clock < _HORIZON, "it does not end"
        self._clock = min([self._clock + seconds, *(line[0] for line in self._to_come[:1])])
        while self._to_come and self._to_come[0][0] <= self._clock:
            _, *happening = self._to_come.pop(0)
            self._happen(*happening)

    def unreachable(self) -> dict[str, str]:
        told, self.missed = self.missed, {}
        return told

    def memory_kills(self) -> int:
        return 0

    def kill_children(self) -> list[str]:
        return []

    # -- its log ------------------------------------------------------------------------------

    def append(self, event: Event, *, durable: bool = False) -> None:
        self.events.append(event.record())

    def close(self) -> None:
        self.closed = True


def _event(task: TaskId, what: str, rest: str) -> Reported:
    if what == "begins":
        return ProgramStarted(task)
    if what == "says-that-it-listens":
        return Listening(task)
    if what == "serves":
        return Serving(task)
    if what in ("executes", "idles"):
        return Executing(task) if what == "executes" else Idle(task)
    if what == "trains":
        return Progress(task, step=int(rest))
    if what in ("schedules", "waits-for"):
        return Closures(task, scheduled=int(rest), waiting=what == "waits-for")
    assert what == "raises", what
    return ProgramRaised(task, rest.partition(":")[0], rest, file="/home/me/main.py", line=3)
