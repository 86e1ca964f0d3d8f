"""The common part of every supervisor's world, on this machine or on nodes."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.control import ControlServer
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor.task_environment import task_environment
from mwtutor.supervisor.world import Task
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import write_whole
from mwtutor.worker.bootstrap import TaskSpec


class RealWorld(ABC):
    """A part of :class:`mwtutor.supervisor.world.World`: its clock, and its tasks' parameters."""

    late = 0.0

    def __init__(self, run: RunSpec) -> None:
        self._run = run
        self._control: ControlServer | None = None
        self.now = time.monotonic
        self.time = run.now

    def _settle(self, addresses: Sequence[str]) -> None:
        """Take the addresses of the tasks, and write the ``TF_CONFIG`` of each."""
        self._launched = self._run.request.size.at(addresses)
        self._place_tasks(self._launched)

    def _place_tasks(self, cluster: ClusterSpec) -> None:
        run = self._run
        self._cluster = cluster
        for task in cluster.tasks():
            if not run.request.is_horovod:
                write_whole(run.tf_config(task), f"{self._cluster.tf_config(task)}\n".encode())

    @abstractmethod
    def watch(self, file: Any, action: Callable[[], None]) -> None: ...

    def take_orders(self, control: ControlServer) -> None:
        """Accept commands until the run is over."""
        self._control = control
        self.watch(control, control.serve)

    def close(self) -> None:
        if self._control is not None:
            self._control.close()
        self._run.clear_elsewhere()

    def renew(self, without: Collection[TaskId] = ()) -> ClusterSpec | None:
        """Keep the addresses; tasks stay where they are."""
        if not without:
            return None
        self._place_tasks(self._cluster.without(without))
        return self._cluster

    def _origin(self, task: TaskId) -> TaskId:
        """The task that had this task's address and devices when the run was launched."""
        return self._launched.at(self._cluster.address(task))

    def _spec(self, task: TaskId, attempt: int, context: ProcessContext, log: str) -> TaskSpec:
        """Everything that a task needs to know.

        Args:
            context: the context that it inherits, whose environment is added to the task's own
                variables.
            log: the path of its log.
        """
        run = self._run
        own = task_environment(run, self._cluster, task, self._origin(task), attempt)
        return TaskSpec(
            task=str(task),
            kind=run.program.kind,
            target=run.program.target,
            args=run.program.args_of(task, self._cluster),
            log=log,
            context=replace(context, env={**context.env, **own}, cwd=run.request.cwd),
        )


class Nodes(RealWorld):
    """The nodes of a cluster, whose processes this machine cannot see."""

    def halts(self) -> Iterator[tuple[Task, bool]]:
        return iter(())

    def unreachable(self) -> dict[str, str]:
        return {}  # the tasks are in the network of their hosts

    def memory_kills(self) -> int:
        return 0
