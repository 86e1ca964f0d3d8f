"""This machine, as the supervisor of one run uses it: processes, files, a network, a clock."""

from __future__ import annotations

import os
import selectors
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.network.establish import establish
from mwtutor.run import horovod
from mwtutor.run.control import ControlServer
from mwtutor.run.logs import mark_attempt
from mwtutor.run.spec import MARKER, RunSpec
from mwtutor.supervisor.restarts import ATTEMPT
from mwtutor.supervisor.task import TaskProcess
from mwtutor.system import child, processes
from mwtutor.system.memory import MemoryKills
from mwtutor.worker.bootstrap import TaskSpec


class Machine:
    """See :class:`mwtutor.supervisor.world.World`.

    Args:
        context: what the tasks inherit.
        keep: descriptors that forked tasks need.
    """

    def __init__(self, run: RunSpec, context: child.ProcessContext, keep: Collection[int]) -> None:
        self._run = run
        self._context = context
        self._keep = keep
        self._selector = selectors.DefaultSelector()
        self._memory_kills = MemoryKills()
        self._leaders: dict[int, TaskProcess] = {}
        self._control: ControlServer | None = None
        self.now = time.monotonic
        self.time = time.time
        self.kill_children = processes.kill_children
        self.memory_kills = self._memory_kills.lately

    def establish(self) -> tuple[ClusterSpec, dict[str, Any]]:
        processes.become_subreaper()
        run = self._run
        self._network = establish(
            run.request.network, run.request.size.tasks, self._context.env, run.path
        )
        self._cluster = run.request.size.at([f"127.0.0.1:{port}" for port in self._network.ports])
        for task in self._cluster.tasks():
            if not run.request.is_horovod:
                run.tf_config(task).write_text(self._cluster.tf_config(task) + "\n")
        me = {"pid": os.getpid(), "born": processes.started_at(os.getpid())}
        return self._cluster, {**me, "network": asdict(self._network.facts)}

    def take_orders(self, control: ControlServer) -> None:
        """Until the run is over."""
        self._control = control
        self.watch(control, control.serve)

    # -- tasks ------------------------------------------------------------------------------

    def spawn(self, task: TaskId, attempt: int) -> TaskProcess:
        port = dict(zip(self._cluster.tasks(), self._network.ports, strict=True))[task]
        log = self._run.log(task)
        started = TaskProcess(task, port, log, attempt)
        if attempt > 1:
            mark_attempt(log, attempt)
        python = "" if self._run.warm else self._run.request.python or sys.executable
        try:
            started.start(self._spec(task, attempt), python, self._keep, self._network.enter)
        except OSError:
            started.close()
            raise
        self._leaders[started.pid] = started
        return started

    def _spec(self, task: TaskId, attempt: int) -> TaskSpec:
        env = {
            **self._network.env(self._context.env),
            MARKER: self._run.id,
            ATTEMPT: str(attempt),
            **self._place(task),
        }
        env.update(self._run.task_env.get(str(task), {}))
        program = self._run.program
        return TaskSpec(
            task=str(task),
            kind=program.kind,
            target=program.target,
            args=program.args,
            log=str(self._run.log(task)),
            context=child.ProcessContext(
                env, self._run.request.cwd, self._context.umask, self._context.limits
            ),
        )

    def _place(self, task: TaskId) -> dict[str, str]:
        """What tells a task its place among the others."""
        if self._run.request.is_horovod:
            return horovod.env(self._cluster, task)
        return {"TF_CONFIG": self._cluster.tf_config(task)}

    def reap(self) -> Iterator[tuple[TaskProcess, int]]:
        for pid, status in processes.reap(leaders=self._leaders):
            if pid in self._leaders:
                yield self._leaders.pop(pid), status

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

    def close(self) -> None:
        self._network.close()
        if self._control is not None:
            self._control.close()
        self._run.clear_elsewhere()
