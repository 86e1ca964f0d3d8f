"""The supervisor of a run on Ray: a process here; actors on other nodes keep its tasks.

The loop and its policy are the same for every run. When this process ends, Ray stops the actors,
and each actor stops its task, so a run ends with the process that launched it, as on this
machine.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import queue
import selectors
import socket
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, NoReturn

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.engines import node_check
from mwtutor.engines.ray import connection, placement
from mwtutor.engines.ray.placement import Room
from mwtutor.engines.ray.task import RayTask, passed_on
from mwtutor.exceptions import LaunchFailed, MwtutorError
from mwtutor.network import Network
from mwtutor.run.logs.logs import mark_attempt
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import RunStarted
from mwtutor.run.record.spec import MARKER, RunSpec
from mwtutor.supervisor.loop import TICK, Supervisor
from mwtutor.supervisor.process import Place, heed, supervise_cold, woken
from mwtutor.supervisor.real_world import Nodes
from mwtutor.supervisor.wires import Wires
from mwtutor.supervisor.world import Task
from mwtutor.system import processes
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import remove, write_whole
from mwtutor.system.ports import REUSE_PORT_ENV

#: Seconds within which actors must start, and within which they must stop their tasks; the latter
#: is shorter than the guard's patience.
_ARRIVING, _ENDING = 120.0, 4.0

#: Seconds between two checks of whether there are resources.
_ASK = 0.5


def pending_file(run: RunSpec) -> Path:
    """The file that contains the reason why a run has not started."""
    return run.path / "pending.txt"


def supervise(fd: int) -> NoReturn:
    """Act as the supervisor of a run on Ray; the request arrives over ``fd``."""
    supervise_cold(fd, _begin)


def _begin(place: Place) -> Callable[[], None]:
    """Request places, and start the tasks now if Ray provides them soon, or else later."""
    machine = RayMachine(place.run, place.context)
    try:
        return _begin_on(machine, place)
    except BaseException:
        machine.close()
        raise


def _begin_on(machine: RayMachine, place: Place) -> Callable[[], None]:
    run = place.run
    machine.connect()
    supervisor = Supervisor(run.request, machine, EventWriter(run.events))
    machine.told_to_end = lambda: supervisor.told_to_end
    machine.watch(*woken(supervisor))
    heed(place, machine, supervisor, Wires(None, lambda task: 0, supervisor.record).obey)
    if machine.await_room(placement.PATIENCE):
        supervisor.start()
        return supervisor.watch
    return functools.partial(_start_later, machine, supervisor)


def _start_later(machine: RayMachine, supervisor: Supervisor) -> None:
    machine.await_room()
    if not supervisor.told_to_end:
        try:
            supervisor.start()
        except MwtutorError as error:
            supervisor.stop(f"it could not be started: {error.problem} {error.remedy}", "failed")
    supervisor.watch()


class RayMachine(Nodes):
    """See :class:`mwtutor.supervisor.world.World`.

    Attributes:
        told_to_end: whether the run should end; if so, waiting stops.
    """

    #: A dead node is noticed when Ray's connection to it breaks; peers may notice it earlier.
    late = 5.0

    def __init__(self, run: RunSpec, context: ProcessContext) -> None:
        super().__init__(run)
        self._umask = context.umask
        self._env = passed_on(context.env)
        self._bundles = placement.bundles(run.request)
        self._actors: dict[TaskId, Any] = {}
        self._commands: dict[TaskId, list[str]] = {}
        self._nodes: dict[TaskId, str] = {}
        self._lost: set[TaskId] = set()
        self._room: Room
        self._connected = False
        self._live: list[RayTask] = []
        self._actions: dict[RayTask, Callable[[], None]] = {}
        self._came: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = socket.socketpair()
        for end in (self._woken, self._wake):
            end.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, self._act)
        self.told_to_end: Callable[[], bool] = lambda: False

    # -- a place for each task --------------------------------------------------------------

    def connect(self) -> None:
        """Find the cluster, and request places in it."""
        where = connection.address(self._run.engine, {**os.environ, **self._env})
        connection.connect(where, self._bundles)
        self._room = Room(self._bundles)
        self._connected = True

    def await_room(self, patience: float = float("inf")) -> bool:
        """Wait for the places, until the run should end; return whether they are available."""
        file = pending_file(self._run)
        until = self.now() + patience
        said = ""
        while (why := self._room.why_not()) and not self.told_to_end() and self.now() < until:
            if why != said:
                write_whole(file, why.encode())
                said = why
            self._pause(_ASK)
        if not why:
            remove(file, missing_ok=True)
        return not why

    def establish(self) -> RunStarted:
        size = self._run.request.size
        self._lost.clear()
        tasks = list(size.at([f"unknown:{number + 1}" for number in range(size.tasks)]).tasks())
        self._actors = {task: self._room.actor(place) for place, task in enumerate(tasks)}
        question, words = node_check.question(), node_check.words(self._run, elsewhere=True)
        asked = [
            actor.arrive.remote(self._run.request.python, question, words)
            for actor in self._actors.values()
        ]
        answers = dict(zip(tasks, self._answers(asked, _ARRIVING), strict=True))
        for task, answer in answers.items():
            _check(task, answer)
            self._commands[task] = [answer["python"], answer["said"].split("\n")[-1], "ray-node"]
            self._nodes[task] = f"{answer['ip']} ({answer['host']}, {answer['node'][:8]})"
        self._settle([f"{answer['ip']}:{answer['port']}" for answer in answers.values()])
        where = ", ".join(dict.fromkeys(self._nodes.values()))
        me = os.getpid(), processes.started_at(os.getpid()) or 0
        network = Network("host", f"it is on Ray's nodes: {where}")
        return RunStarted(self._cluster, *me, network)

    def renew(self, without: Collection[TaskId] = ()) -> ClusterSpec | None:
        """Request new places: a node may no longer exist."""
        self._room.leave(list(self._actors.values()))
        self._room = Room(self._bundles)
        return self.establish().cluster if self.await_room() else None

    def _answers(self, asked: list[Any], patience: float) -> list[Any]:
        """The actors' answers; commands are handled in the meantime.

        Raises:
            LaunchFailed: an actor does not answer.
        """
        futures = [one.future() for one in asked]
        until = self.now() + patience
        while not all(future.done() for future in futures) and not self.told_to_end():
            if self.now() > until:
                raise LaunchFailed(
                    f"Ray's actors did not start within {patience:g} s.",
                    "Look at the cluster: ray status.",
                )
            self._pause(TICK)
        if self.told_to_end():
            raise LaunchFailed("The run was stopped.", "")
        try:
            return [future.result() for future in futures]
        except Exception as error:  # an exception of Ray, or one that the actor raised
            why = str(error).strip().splitlines()
            raise LaunchFailed(
                f"A Ray actor could not be started: {why[-1] if why else type(error).__name__}.",
                "Look at the cluster: ray status.",
            ) from None

    # -- tasks ------------------------------------------------------------------------------

    def spawn(self, task: TaskId, attempt: int) -> Task:
        if task in self._lost:
            raise OSError(f"its node {self._nodes[task]} no longer exists")
        log = self._run.log(task)
        if attempt > 1:
            mark_attempt(log, attempt)
        actor, node = self._actors[task], self._nodes[task]
        started = RayTask(task, attempt, log, actor, node, self._hear_of, self.time)
        env = {**self._env, **REUSE_PORT_ENV}
        context = ProcessContext(env, self._run.request.cwd, self._umask, {})
        spec = self._spec(task, attempt, context, log="")  # the node has its own log
        order = {
            "port": int(self._cluster.address(task).rpartition(":")[2]),
            "attempt": attempt,
            "spec": json.loads(spec.to_json()),
        }
        started.start(self._commands[task], {MARKER: self._run.id}, order)
        self._live.append(started)
        return started

    def reap(self) -> Iterator[tuple[Task, int]]:
        for task in list(self._live):
            if task.exit is not None:
                self._live.remove(task)
                if task.lost:
                    self._lost.add(task.id)
                yield task, task.exit

    # -- what happens -----------------------------------------------------------------------

    def _hear_of(self, task: RayTask, heard: Future[bytes | None]) -> None:
        """Record that output has arrived; Ray calls this in its own thread."""
        self._came.put(lambda: self._take(task, heard))
        with contextlib.suppress(BlockingIOError):
            self._wake.send(b"!")

    def _take(self, task: RayTask, heard: Future[bytes | None]) -> None:
        task.take(heard)
        if task in self._actions:
            self._actions[task]()

    def _act(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)
        while not self._came.empty():
            self._came.get()()

    def watch(self, file: Any, action: Callable[[], None]) -> None:
        if isinstance(file, RayTask):
            self._actions[file] = action
        else:
            self._selector.register(file, selectors.EVENT_READ, action)

    def forget(self, file: Any) -> None:
        if isinstance(file, RayTask):
            del self._actions[file]
        else:
            self._selector.unregister(file)

    def wait(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()

    def _pause(self, seconds: float) -> None:
        """Wait this long, or until the run should end."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0 and not self.told_to_end():
            self.wait(left)

    # -- the end ----------------------------------------------------------------------------

    def kill_children(self) -> list[str]:
        """Have every node stop the processes that its task left running."""
        asked = {task: actor.end.remote().future() for task, actor in self._actors.items()}
        wait([asked[task] for task in asked if task not in self._lost], _ENDING)
        return [
            f"possibly processes of {task} on {self._nodes[task]}"
            for task, ended in asked.items()
            if task not in self._lost and not (ended.done() and _has_ended(ended))
        ]

    def close(self) -> None:
        if self._connected:
            self._room.leave(list(self._actors.values()))
            connection.module().shutdown()
        remove(pending_file(self._run), missing_ok=True)
        super().close()


def _has_ended(ended: Future[bool]) -> bool:
    return ended.exception() is not None or ended.result()  # a keeper without its actor ends


def _check(task: TaskId, answer: Mapping[str, Any]) -> None:
    if answer["code"] < 0:
        raise LaunchFailed(
            f"{answer['host']}, where Ray placed {task}, cannot start {answer['python']}:"
            f" {answer['said']}.",
            "Name an interpreter that every node has: --python.",
        )
    if answer["code"]:
        problem, dot, remedy = answer["said"].strip().rpartition(". ")
        raise LaunchFailed(f"{problem}{dot}".strip() or answer["said"], remedy)
