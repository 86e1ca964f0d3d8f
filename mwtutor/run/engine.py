"""The interface of engines, which start a run's tasks, and the lookup of an engine by its name.

Code that handles a run asks its engine about everything that is not in the run's directory. It
assumes nothing about processes, sockets or machines. The directory has the same files with every
engine: the request is in ``run.json``, the events are in the event log, and the tasks' output is in
``logs``. If tasks run elsewhere, the engine brings their events and output into the directory.
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
from mwtutor.run.request.option_kinds import requested_rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Script
from mwtutor.singletons import singleton
from mwtutor.system.child import ProcessContext
from mwtutor.system.plugins import ENGINES

#: What an engine may be unable to do: each item completes the sentence "The ... engine cannot ...".
KILL, STACKS, SESSIONS = "send signals to tasks", "show stacks", "run sessions"
USAGE = "measure tasks"
MACHINES = "simulate machines"


@dataclass(frozen=True)
class Usage:
    """The resources that a task's process uses.

    Attributes:
        memory: resident memory in bytes, shared pages included.
        cpu: seconds of processor time since it started.
        threads: the number of its threads.
        network: bytes exchanged in the run's own network; None if the run has none.
    """

    memory: int
    cpu: float
    threads: int = 0
    network: int | None = None


class Engine(Protocol):
    """Starts runs, and manages them as long as this process lives.

    An engine that has nothing to do in a method can inherit it from this base class.

    Attributes:
        name: its name in ``run.json`` and in options.
        cannot: the things that it cannot do, each with a sentence on what to do instead. The
            corresponding method is then never called.
        remedies: for options that it does not support, a sentence on what to do instead, by the
            option's name.
    """

    name: str
    cannot: Mapping[str, str] = {}
    remedies: Mapping[str, str] = {}

    def check(self, request: LaunchRequest) -> None:
        """Raise a :class:`MwtutorError`, before anything starts, if the request cannot run here."""

    def devices(self) -> Survey:
        """The GPUs that the tasks can use."""
        return Survey()

    def plan(
        self, request: LaunchRequest, script: Script | None, env: dict[str, str]
    ) -> dict[str, Any]:
        """The fields of the run's :class:`RunSpec` that the engine decides, by name.

        Args:
            script: the program, if it is a script.
            env: the environment that all tasks have in common.
        """
        return {"warm": False}

    def launch(self, run: RunSpec, context: ProcessContext) -> RunSpec:
        """Start the run; return once every task has been started.

        Returns:
            The run as started, already saved if it differs from ``run``.

        Raises:
            LaunchFailed: nothing was started, or everything has been removed again.
        """

    def poll(self, run: RunSpec, state: RunState) -> bool | None:
        """Whether the run is running or being started; None if that is unknown here.

        Args:
            state: the state according to its log.
        """

    def preview(self, run: RunSpec) -> str:
        """The job that another scheduler would receive for the run.

        Raises:
            NotSupported: no other scheduler is involved.
        """
        raise NotSupported(
            f"The {self.name} engine does not submit to another scheduler.", "Leave out --dry-run."
        )

    def pending(self, run: RunSpec) -> str:
        """Why a launched run has not begun, in a clause; empty if that is normal."""
        return ""

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        """How a lost run, which has no recorded end, has ended, in a clause."""

    def holds(self, run: RunSpec) -> bool:
        """Whether the run is still running and was launched by this process."""

    def wait(self, run: RunSpec, timeout: float) -> bool:
        """Wait up to ``timeout`` seconds for a run of this process to end; return whether it has.

        It does not wait for a run that another process launched.
        """

    def collect(self, run: RunSpec) -> None:
        """Bring events and logs that were written elsewhere into the run's directory."""

    def signal(self, run: RunSpec, task: TaskId, number: int) -> None:
        """Send a signal to one task.

        Raises:
            BadInput, NoRun: the signal cannot be sent.
        """

    def rewire(self, run: RunSpec, verb: str, task: TaskId, link: str) -> str:
        """Unplug a task's machine, plug it in, or change its link; return the machine's name.

        Args:
            verb: ``unplug``, ``plug`` or ``link``.
            link: the new link, for ``link``.

        Raises:
            BadInput, NoRun: this is not possible.
        """
        raise NotImplementedError("this engine does not support it")

    def stacks(self, run: RunSpec, task: TaskId) -> tuple[ThreadStack, ...]:
        """The Python stacks of a live task's threads, the main thread first; empty if it does
        not answer.

        Raises:
            BadInput, NoRun: the task cannot be asked.
        """
        raise NotImplementedError("this engine does not support it")

    def sample(self, run: RunSpec, task: TaskId, seconds: float) -> str:
        """Make a live task sample its Python stacks; return the token of the answer.

        Args:
            seconds: how long to sample; 0 stops sampling that is in progress.

        Raises:
            BadInput, NoRun: the task cannot be asked.
        """
        raise NotImplementedError("this engine does not support it")

    def usage(self, run: RunSpec, state: RunState) -> Mapping[TaskId, Usage]:
        """The resources that the live tasks use now, as far as this process can see them.

        Args:
            state: the state according to its log.
        """
        raise NotImplementedError("this engine does not support it")

    def terminate(self, run: RunSpec, state: RunState, reason: str) -> bool:
        """Ask the run to stop; return whether its supervisor accepted the command."""

    def out_of_reach(self, run: RunSpec) -> str:
        """Why the run cannot be controlled from here, in a clause; empty if it can."""
        return ""

    def last_resort(self, run: RunSpec, state: RunState) -> str:
        """What to do about a run that does not stop when asked to, in a sentence."""

    def cleanup(self, run: RunSpec) -> None:
        """Release the resources of a run that has ended."""

    def clear(self, run: RunSpec) -> list[str]:
        """Stop the processes that a lost run left; return a description of those that remain."""
        return []

    def close(self) -> None:
        """Stop every run of this process, and release everything."""


class Engines:
    """The engines of this process, each created when it is first needed."""

    def __init__(self) -> None:
        self._made: dict[str, Engine] = {}

    def add(self, engine: Engine) -> None:
        """Use this engine for the runs that name it."""
        self._made[engine.name] = engine

    def get(self, name: str) -> Engine:
        """The engine of that name.

        Raises:
            NoRun: there is no such engine; the run that names it was launched by another version.
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
        """Stop every run of this process, on every engine."""
        for engine in self._made.values():
            engine.close()


def engine(name: str) -> Engine:
    """The engine of that name in this process; see :meth:`Engines.get`."""
    return singleton(Engines).get(name)


def refuse(engine: Engine, request: LaunchRequest) -> None:
    """Raise :class:`NotSupported` if an option is requested that has no effect with this engine."""
    place = engine.name if engine.name in ENGINES.built_in else "other"
    for row in requested_rows(request):
        if place not in row.where:
            remedy = engine.remedies.get(row.name, f"Leave out {row.label}, or --on {engine.name}.")
            raise NotSupported(f"The {engine.name} engine does not support {row.label}.", remedy)


def demand(engine: Engine, what: str) -> None:
    """Raise :class:`NotSupported` if the engine cannot do ``what``."""
    if what in engine.cannot:
        raise NotSupported(f"The {engine.name} engine cannot {what}.", engine.cannot[what])
