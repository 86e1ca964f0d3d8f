"""The supervisor of a run inside its job: every task is a step, on the node that Slurm chose.

The loop and its policy are the same for every run (:mod:`mwtutor.supervisor.loop`); only starting,
reading and signaling a task differ. Tasks write their reports to files in the run's directory,
which every node sees; commands arrive in a file there.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.engines.slurm.task import Lines, StepTask
from mwtutor.network import Network
from mwtutor.run.logs.logs import mark_attempt
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor.loop import Supervisor
from mwtutor.supervisor.orders import Orders
from mwtutor.supervisor.real_world import Nodes
from mwtutor.supervisor.world import Task
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import append
from mwtutor.targets.task import hostlist, slurm_step

#: Seconds between two checks for tasks' output, and between two checks for commands.
_LOOK, _ORDERS = 0.2, 1.0

#: Seconds to wait before deciding whether a killed task was killed with its job.
_WITH_ITS_JOB = 3.0


def order(run: RunSpec, **what: Any) -> None:
    """Send the supervisor of a run a command; it checks once a second."""
    line = json.dumps(what).encode() + b"\n"
    append(_orders(run), line)


def _orders(run: RunSpec) -> Path:
    return run.path / "orders.jsonl"


def supervise(directory: str) -> None:
    """Supervise a run from start to end, as the script of its job."""
    run = RunSpec.load(Path(directory))
    job = Job(run)
    supervisor = Supervisor(run.request, job, EventWriter(run.events))
    orders = Orders(supervisor.tasks, supervisor.stop, supervisor.record, _no_cables)
    job.obey = orders.obey
    signal.signal(signal.SIGTERM, lambda *_: job.hear_of_the_end())
    supervisor.start()
    supervisor.watch()


def _no_cables(*_: Any) -> dict[str, Any]:
    return {
        "error": "Slurm's nodes are real machines, which mwtutor cannot unplug",
        "remedy": "Launch with --machines on this machine.",
    }


class Job(Nodes):
    """See :class:`mwtutor.supervisor.world.World`.

    Attributes:
        obey: called with each command.
    """

    def __init__(self, run: RunSpec) -> None:
        super().__init__(run)
        self._orders = Lines(_orders(run))
        self.obey: Callable[[dict[str, Any]], Any] = lambda order: None
        self._looked = 0.0
        self._ending = False
        self._actions: dict[Any, Callable[[], None]] = {}
        self._live: list[StepTask] = []

    def hear_of_the_end(self) -> None:
        """Record that Slurm is ending the job; called in a signal handler."""
        self._ending = True

    def establish(self) -> RunStarted:
        hosts = hostlist.expand(os.environ["SLURM_JOB_NODELIST"])
        per_host = hostlist.counts(os.environ["SLURM_TASKS_PER_NODE"])
        homes = slurm_step.homes(len(hosts), per_host)
        first = slurm_step.first_port(os.environ["SLURM_JOB_ID"], "")
        addresses = slurm_step.addresses(slurm_step.reachable(hosts), homes, first)
        self._settle(addresses)
        tasks = list(self._cluster.tasks())
        self._homes = {task: hosts[homes[number]] for number, task in enumerate(tasks)}
        why = f"it is on Slurm's nodes, job {os.environ['SLURM_JOB_ID']}"
        return RunStarted(self._cluster, network=Network("host", why))

    def spawn(self, task: TaskId, attempt: int) -> Task:
        log = self._run.log(task)
        if attempt > 1:
            mark_attempt(log, attempt)
        context = ProcessContext({}, self._run.request.cwd, 0o077, {})
        spec = self._spec(task, attempt, context, str(log))
        address = self._cluster.address(task)
        started = StepTask(task, attempt, spec, self._homes[task], address, self.time)
        self._live.append(started)
        return started

    def reap(self) -> Iterator[tuple[Task, int]]:
        for task in list(self._live):
            if (exit := task.exit()) is not None and not self._may_be_the_job(task, exit):
                self._live.remove(task)
                yield task, exit

    def _may_be_the_job(self, task: StepTask, exit: int) -> bool:
        """Whether Slurm may be ending the whole job: it ends the tasks before it reports that."""
        by_others = exit in (-signal.SIGTERM, -signal.SIGKILL) and not task.signalled
        return by_others and not self._ending and self.now() - task.died < _WITH_ITS_JOB

    def watch(self, file: Any, action: Callable[[], None]) -> None:
        self._actions[file] = action

    def forget(self, file: Any) -> None:
        del self._actions[file]

    def wait(self, seconds: float) -> None:
        time.sleep(max(seconds, _LOOK))
        for action in list(self._actions.values()):
            action()
        if self._ending:
            self.obey({"verb": "stop", "reason": "Slurm ended its job"})
        if self.now() - self._looked >= _ORDERS:
            self._looked = self.now()
            for line in self._orders.read():
                with contextlib.suppress(ValueError):
                    self.obey(json.loads(line))

    def kill_children(self) -> list[str]:
        for task in self._live:
            task.send_signal(signal.SIGKILL)
        return []
