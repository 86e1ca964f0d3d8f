"""What an engine is: where the tasks of a run are started; and the engines there are, by name.

Whoever has a run asks its engine about everything that is not in the run's directory, and assumes
nothing about processes, sockets and machines. The directory is the same with every engine: the
request in ``run.json``, what happened in the event log, what the tasks print in ``logs``. An engine
sees to it that what happens elsewhere is written down there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from mwtutor.cluster import TaskId
from mwtutor.devices.gpus import Survey
from mwtutor.exceptions import NoRun, NotSupported
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.option_kinds import asked
from mwtutor.run.request.program import Script
from mwtutor.run.request.request import LaunchRequest
from mwtutor.singletons import the
from mwtutor.system.child import ProcessContext
from mwtutor.system.plugins import ENGINES

#: What an engine may be unable to do, in the words of "The ... engine cannot ...".
KILL, STACKS, SESSIONS = "send signals to tasks", "show stacks", "run sessions"
USAGE = "measure tasks"
MACHINES = "give tasks machines of their own"


@dataclass(frozen=True)
class Usage:
    """What the process of a task takes of its machine.

    Attributes:
        memory: what is resident, in bytes; pages that it shares with others are in it.
        cpu: seconds that processors have worked for it since it began.
        threads: how many it has.
        network: bytes that the tasks have exchanged in the network of their own that it is in; None
            if it is in one with others.
    """

    memory: int
    cpu: float
    threads: int = 0
    network: int | None = None


class Engine(Protocol):
    """Starts runs and holds on to them for as long as this process lives.

    A class that derives from this one has what an engine does for which nothing is to be done.

    Attributes:
        name: how ``run.json`` and a user name it.
        cannot: each thing that it cannot do, and a sentence on what to do instead. Its method for
            that is then never called.
        remedies: for options that have no effect with it, by name, what to do instead; a sentence.
    """

    name: str
    cannot: Mapping[str, str] = {}
    remedies: Mapping[str, str] = {}

    def check(self, request: LaunchRequest) -> None:
        """Raise a :class:`MwtutorError` if this cannot be started here, before anything is."""

    def devices(self) -> Survey:
        """The GPUs that its tasks can be given."""
        return Survey()

    def plan(
        self, request: LaunchRequest, script: Script | None, env: dict[str, str]
    ) -> dict[str, Any]:
        """What the engine decides about the run: fields of its :class:`RunSpec`, by their names.

        Args:
            script: the program, if it is one.
            env: the environment that all tasks share.
        """
        return {"warm": False}

    def launch(self, run: RunSpec, context: ProcessContext) -> RunSpec:
        """Start the run; return once every task has been started.

        Returns:
            The run as it was started; if it differs from ``run``, it has been saved.

        Raises:
            LaunchFailed: nothing was started, or nothing is left of it.
        """

    def poll(self, run: RunSpec, state: RunState) -> bool | None:
        """Whether the run is running or being started; None if that cannot be told from here.

        Args:
            state: what is known from its log.
        """

    def preview(self, run: RunSpec) -> str:
        """What would be handed to another scheduler for the run.

        Raises:
            NotSupported: nothing would be.
        """
        raise NotSupported(
            f"The {self.name} engine does not submit to another scheduler.", "Leave out --dry-run."
        )

    def pending(self, run: RunSpec) -> str:
        """Why a run that has been launched has not begun, in a clause; empty if that is normal."""
        return ""

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        """How a run ended that is not running and has recorded no end, in a clause."""

    def holds(self, run: RunSpec) -> bool:
        """Whether the run is still running, and it was launched by this process."""

    def wait(self, run: RunSpec, timeout: float) -> bool:
        """Wait up to ``timeout`` seconds for a run of this process to end; whether it has.

        One that was launched elsewhere is not waited for.
        """

    def collect(self, run: RunSpec) -> None:
        """Bring events and logs into the run's directory that are not written there."""

    def signal(self, run: RunSpec, task: TaskId, number: int) -> None:
        """Send a signal to one task.

        Raises:
            BadInput, NoRun: it cannot be sent.
        """

    def rewire(self, run: RunSpec, verb: str, task: TaskId, link: str) -> str:
        """Unplug, plug, or change the link of, a task's machine; the machine's name.

        Args:
            verb: ``unplug``, ``plug`` or ``link``.
            link: the new one.

        Raises:
            BadInput, NoRun: that cannot be done.
        """
        raise NotImplementedError("it has said that it cannot")

    def stacks(self, run: RunSpec, task: TaskId) -> tuple[ThreadStack, ...]:
        """The Python stacks of a live task's threads, the main thread first; empty if it is silent.

        Raises:
            BadInput, NoRun: it cannot be asked.
        """
        raise NotImplementedError("it has said that it cannot")

    def usage(self, run: RunSpec, state: RunState) -> Mapping[TaskId, Usage]:
        """What the live tasks take at this moment, as far as that can be seen from here.

        Args:
            state: what is known from its log.
        """
        raise NotImplementedError("it has said that it cannot")

    def terminate(self, run: RunSpec, state: RunState, reason: str) -> bool:
        """Have the run stopped; whether somebody has taken the order."""

    def out_of_reach(self, run: RunSpec) -> str:
        """Why nothing can be done about the run from here, in a clause; empty if something can."""
        return ""

    def last_resort(self, run: RunSpec, state: RunState) -> str:
        """What a person can do about a run that was told to stop and does not, in a sentence."""

    def cleanup(self, run: RunSpec) -> None:
        """Let go of a run that has ended."""

    def clear(self, run: RunSpec) -> list[str]:
        """End what a lost run has left; in words, what could not be ended."""
        return []

    def close(self) -> None:
        """End every run of this process, and let go of everything."""


class Engines:
    """The engines of this process, each made when it is first needed."""

    def __init__(self) -> None:
        self._made: dict[str, Engine] = {}

    def add(self, engine: Engine) -> None:
        """Have this one used for the runs that name it."""
        self._made[engine.name] = engine

    def get(self, name: str) -> Engine:
        """The engine of that name.

        Raises:
            NoRun: there is none; a run that names it is of another version.
        """
        if name not in self._made:
            try:
                made = ENGINES.load(name)
            except KeyError:
                raise NoRun(
                    f"There is no engine {name!r}.",
                    "Look at its runs with the version of mwtutor that started them.",
                ) from None
            self.add(cast(Engine, made()))
        return self._made[name]

    def close(self) -> None:
        """End every run of this process, wherever it is."""
        for engine in self._made.values():
            engine.close()


def engine(name: str) -> Engine:
    """The engine of that name in this process; see :meth:`Engines.get`."""
    return the(Engines).get(name)


def refuse(engine: Engine, request: LaunchRequest) -> None:
    """Raise :class:`NotSupported` if an option is used that has no effect with this engine."""
    place = engine.name if engine.name in ENGINES.built_in else "other"
    for row in asked(request):
        if place not in row.where:
            remedy = engine.remedies.get(row.name, f"Leave out {row.label}, or --on {engine.name}.")
            raise NotSupported(f"The {engine.name} engine has no {row.label}.", remedy)


def demand(engine: Engine, what: str) -> None:
    """Raise :class:`NotSupported` if the engine cannot do this."""
    if what in engine.cannot:
        raise NotSupported(f"The {engine.name} engine cannot {what}.", engine.cannot[what])
