"""This machine, as the supervisor of one run uses it: processes, files, a network and a clock."""

from __future__ import annotations

import functools
import os
import selectors
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.network.establish import MachineNetwork, establish
from mwtutor.run.logs.logs import mark_attempt
from mwtutor.run.observations import traffic
from mwtutor.run.record import events
from mwtutor.run.record.events import Event, RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor.real_world import RealWorld
from mwtutor.supervisor.task import TaskProcess
from mwtutor.supervisor.wires import Wires
from mwtutor.system import child, processes
from mwtutor.system.memory_kills import MemoryKills


class Machine(RealWorld):
    """See :class:`mwtutor.supervisor.world.World`.

    Args:
        context: the context that the tasks inherit.
        keep: descriptors that forked tasks need.
    """

    def __init__(self, run: RunSpec, context: child.ProcessContext, keep: Collection[int]) -> None:
        super().__init__(run)
        self._context = context
        self._keep = keep
        self._selector = selectors.DefaultSelector()
        self._memory_kills = MemoryKills()
        self._leaders: dict[int, TaskProcess] = {}
        self._left: dict[int, str] = {}  # scripts that tasks had started and that outlived them
        self._traffic = traffic.Writer(run.path, run.now)
        self.kill_children = processes.kill_children
        self.memory_kills = self._memory_kills.lately

    def establish(self) -> RunStarted:
        processes.become_subreaper()
        run = self._run
        asked = run.request
        self._network = establish(
            asked.network,
            asked.size.tasks,
            self._context.env,
            run.path,
            int(asked.machines),
            asked.link,
        )
        self._settle(self._network.addresses)
        me = os.getpid(), processes.started_at(os.getpid()) or 0
        return RunStarted(self._cluster, *me, self._network.facts, self._machines())

    def _machines(self) -> tuple[events.Machine, ...]:
        """The machines of the run, as recorded."""
        if not isinstance(self._network, MachineNetwork):
            return ()
        tasks = list(zip(self._cluster.tasks(), self._network.places, strict=True))
        return tuple(
            events.Machine(
                machine.name,
                machine.address,
                tuple(task for task, place in tasks if place == number),
                self._run.request.link,
            )
            for number, machine in enumerate(self._network.known)
        )

    def wires(self, record: Callable[[Event], None]) -> Wires:
        """The handler of commands about the cables of the machines, if there are any."""
        if not isinstance(self._network, MachineNetwork):
            return Wires(None, self._place_of, record)
        return Wires(self._network, self._machine_of, record)

    def _machine_of(self, task: TaskId) -> int:
        assert isinstance(self._network, MachineNetwork)
        return self._network.places[self._place_of(task)]

    def _place_of(self, task: TaskId) -> int:
        """The index of the task's address among those of the network."""
        return self._network.addresses.index(self._cluster.address(task))

    # -- tasks ------------------------------------------------------------------------------

    def spawn(self, task: TaskId, attempt: int) -> TaskProcess:
        port = int(self._cluster.address(task).rpartition(":")[2])
        enter = functools.partial(self._network.enter, self._place_of(task))
        log = self._run.log(task)
        started = TaskProcess(task, port, log, attempt, self.time)
        if attempt > 1:
            mark_attempt(log, attempt)
        context = replace(self._context, env=self._network.env(self._context.env))
        python = "" if self._run.warm else self._run.request.python or sys.executable
        try:
            started.start(self._spec(task, attempt, context, str(log)), python, self._keep, enter)
        except OSError:
            started.close()
            raise
        self._leaders[started.pid] = started
        return started

    def reap(self) -> Iterator[tuple[TaskProcess, int]]:
        for pid, status in processes.reap(self._leaders, self._note_left):
            if pid in self._leaders:
                yield self._leaders.pop(pid), status

    def _note_left(self, leader: int) -> None:
        found = processes.scripts_left(leader, self._leaders)
        new = {pid: script for pid, script in found.items() if pid not in self._left}
        self._leaders[leader].left = tuple(new.values())
        self._left.update(new)

    def halts(self) -> Iterator[tuple[TaskProcess, bool]]:
        for pid, halted in processes.halts():
            if pid in self._leaders:
                yield self._leaders[pid], halted

    # -- files ------------------------------------------------------------------------------

    def watch(self, file: Any, action: Callable[[], None]) -> None:
        self._selector.register(file, selectors.EVENT_READ, action)

    def forget(self, file: Any) -> None:
        self._selector.unregister(file)

    def wait(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()
        self._memory_kills.look()
        self._network.tend()
        if isinstance(self._network, MachineNetwork) and self._traffic.due:
            self._traffic.note(self._network.switch.traffic())

    def unreachable(self) -> dict[str, str]:
        return self._network.unreachable()

    def close(self) -> None:
        if isinstance(self._network, MachineNetwork):
            self._traffic.note(self._network.switch.traffic())
        self._network.close()
        super().close()
