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
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.network import Network
from mwtutor.run.logs.logs import mark_attempt
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import Reported, RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor import pipe_protocol
from mwtutor.supervisor.followed import FollowedTask
from mwtutor.supervisor.loop import Supervisor
from mwtutor.supervisor.orders import Orders
from mwtutor.supervisor.real_world import Nodes
from mwtutor.supervisor.world import Task
from mwtutor.system import child, ports
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import append, open_file, write_whole
from mwtutor.targets.task import hostlist, slurm_step
from mwtutor.worker import remote
from mwtutor.worker.bootstrap import TaskSpec

#: Seconds between two checks for tasks' output, and between two checks for commands.
_LOOK, _ORDERS = 0.2, 1.0

#: Seconds to wait before deciding whether a killed task was killed with its job.
_WITH_ITS_JOB = 3.0


def order(run: RunSpec, **what: Any) -> None:
    """Send the supervisor of a run a command; it checks once a second."""
    line = json.dumps(what).encode() + b"\n"
    append(_orders(run), line)


class Lines:
    """The lines that are appended to a file, as they arrive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0

    def read(self) -> list[bytes]:
        """The complete lines since the last call."""
        try:
            with open_file(self._path) as file:
                file.seek(self._at)
                data = file.read()
        except OSError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole)
        return whole.splitlines()


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


class StepTask(FollowedTask):
    """One task: a step, and its ``srun``."""

    def __init__(
        self,
        task: TaskId,
        attempt: int,
        spec: TaskSpec,
        node: str,
        address: str,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(task, attempt, Path(spec.log), clock)
        self.died = 0.0
        self._address = address
        self._step = ""
        place = self.log.with_name(f"{self.log.stem}.{attempt}.task")
        self._said = remote.events(place)
        self._events = Lines(self._said)
        self._asks = remote.asks(place)
        write_whole(place, spec.to_json().encode(), mode=0o600)
        self._srun = subprocess.Popen(
            ["srun", "--overlap", "--nodes=1", "--ntasks=1", f"--nodelist={node}",
             f"--job-name={task}", "--unbuffered", "--input=none",
             sys.executable, str(child.ENTRY), "remote", str(place)],
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def exit(self) -> int | None:
        """The task's exit status, once it has ended; negative if a signal ended it."""
        code = self._srun.poll()
        if code is not None and not self.died:
            self.died = time.monotonic()
        return 128 - code if code is not None and 128 < code < 128 + signal.NSIG else code

    def events(self) -> Iterator[Reported]:
        for line in self._events.read():
            if (event := pipe_protocol.parse(line, self.id)) is not None:
                self.heard = time.monotonic()
                yield event

    def listens(self) -> bool:
        return ports.listens(self._address)

    def ask(self, word: str) -> None:
        with contextlib.suppress(OSError):
            append(self._asks, f"{word}\n".encode())

    def send_signal(self, number: int) -> None:
        self._sent.add(number)
        if self.ended:
            return
        if self._number():
            name = signal.Signals(number).name.removeprefix("SIG")
            subprocess.run(["scancel", f"--signal={name}", self._step])
        else:
            self._srun.terminate()  # Slurm has not started the step yet; now it never will

    def _number(self) -> str:
        """The step's number; empty if not reported yet."""
        if not self._step and (first := Lines(self._said).read()[:1]):
            self._step = first[0].removeprefix(remote.STEP).decode()
        return self._step
