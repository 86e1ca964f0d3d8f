"""One process per run: starts the tasks, reaps them, applies the failure policy, writes the log.

Single-threaded, and the parent of every task, so that a death is seen the moment it happens. When
the connection to its owner closes (the kernel was killed, the terminal is gone) it ends the tasks
and all their descendants, records that, and exits. If restarts were requested, it restarts a
failed cluster on the same addresses, and alone a task without which the run can continue.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.network.establish import establish
from mwtutor.run.control import ControlServer
from mwtutor.run.eventlog import Event, EventWriter
from mwtutor.run.logs import mark_attempt
from mwtutor.run.spec import MARKER, RunSpec
from mwtutor.run.status import Status
from mwtutor.supervisor import guard, policy
from mwtutor.supervisor.orders import Orders
from mwtutor.supervisor.restarts import ATTEMPT, Restarts
from mwtutor.supervisor.silence import Silence
from mwtutor.supervisor.task import TaskProcess, failure
from mwtutor.system import child, processes
from mwtutor.system.memory import MemoryKills
from mwtutor.worker.bootstrap import TaskSpec

#: Seconds between two checks of what does not announce itself: log sizes and listening ports.
TICK = 0.05

#: Seconds that a program has, once it has raised, to print, run ``atexit`` and end.
LAST_WORDS = 5.0


class Supervisor:
    """Owns one run from start to finish; see :func:`mwtutor.supervisor.process.supervise`."""

    def __init__(self, run: RunSpec, context: child.ProcessContext, owner: socket.socket) -> None:
        self._run = run
        self._context = context
        self._owner = owner
        self._log = EventWriter(run.events)
        self._selector = selectors.DefaultSelector()
        self._tasks: dict[TaskId, TaskProcess] = {}
        self._attempt = 0
        self._restarts = Restarts(run.request.restarts)
        self._restart_in: float | None = None  # seconds, once a failed attempt is being ended
        self._served: set[TaskId] = set()
        self._formed = False
        self._first_failed: TaskProcess | None = None
        self._suspect: TaskProcess | None = None  # it raised, perhaps because of another's end
        self._verdict: tuple[str, str] | None = None  # status and reason, once the run is ending
        self._deadlines: dict[str, float] = {}
        self._memory_kills = MemoryKills()
        self._silence: Silence | None = None  # once the time is over

    # -- starting ---------------------------------------------------------------------------

    def start(self, listener: socket.socket, link: socket.socket, keep: Collection[int]) -> None:
        """Start every task, and listen: for orders, and for the guard that asks over ``link``."""
        self._watch_for(
            *processes.wake_on_signals(lambda: self._stop("its supervisor was told to terminate"))
        )
        processes.become_subreaper()
        run = self._run
        self._network = establish(
            run.request.network, run.request.size.tasks, self._context.env, run.path
        )
        orders = Orders(self._tasks, self._stop, self._record)
        self._control = ControlServer(listener, orders.obey)
        self._link = link
        self._cluster = run.request.size.at([f"127.0.0.1:{port}" for port in self._network.ports])
        self._keep = keep
        self._record(
            "run_started",
            pid=os.getpid(),
            born=processes.started_at(os.getpid()),
            cluster=asdict(self._cluster),
            network=asdict(self._network.facts),
        )
        for task in self._cluster.tasks():
            self._run.tf_config(task).write_text(self._cluster.tf_config(task) + "\n")
        self._start_attempt()
        self._watch_for(self._owner, self._owner_spoke)
        self._watch_for(self._control, self._control.serve)
        self._watch_for(link, self._guard_asked)
        if self._run.request.timeout:
            self._deadlines["timeout"] = time.monotonic() + self._run.request.timeout

    def _start_attempt(self) -> None:
        """Start every task of a cluster that is new, or of which nothing is left."""
        self._attempt += 1
        self._served = set()
        self._formed = False
        self._first_failed = self._suspect = self._verdict = self._restart_in = None
        self._deadlines = {name: at for name, at in self._deadlines.items() if name == "timeout"}
        if self._attempt > 1:
            self._record("attempt_started", attempt=self._attempt)
        for task in self._cluster.tasks():
            self._start_task(task, self._attempt)

    def _start_task(self, task: TaskId, attempt: int) -> None:
        env = {
            **self._network.env(self._context.env),
            MARKER: self._run.id,
            ATTEMPT: str(attempt),
            "TF_CONFIG": self._cluster.tf_config(task),
        }
        env.update(self._run.task_env.get(str(task), {}))
        spec = TaskSpec(
            task=str(task),
            kind=self._run.program.kind,
            target=self._run.program.target,
            args=self._run.program.args,
            log=str(self._run.log(task)),
            context=child.ProcessContext(
                env, self._run.request.cwd, self._context.umask, self._context.limits
            ),
        )
        port = dict(zip(self._cluster.tasks(), self._network.ports, strict=True))[task]
        joins = port if task in set(self._cluster.peers()) else None
        self._tasks[task] = started = TaskProcess(task, joins, self._run.log(task), attempt)
        if attempt > 1:
            mark_attempt(self._run.log(task), attempt)
        python = "" if self._run.warm else self._run.request.python or sys.executable
        try:
            started.start(spec, python, self._keep, self._network.enter)
        except OSError:
            started.status = Status.FAILED
            started.close()
            raise
        self._record(
            "task_started",
            task=str(task),
            attempt=attempt,
            pid=started.pid,
            born=processes.started_at(started.pid),
        )
        self._watch_for(started, lambda: self._hear(started))

    def _watch_for(self, file: Any, action: Callable[[], None]) -> None:
        self._selector.register(file, selectors.EVENT_READ, action)

    # -- watching ---------------------------------------------------------------------------

    def watch(self) -> None:
        """Run until every task has ended for good and nothing is left of the run."""
        while True:
            while not self._done():
                self._step()
            if self._restart_in is None:
                break
            processes.kill_children()
            self._deadlines["back-off"] = time.monotonic() + self._restart_in
            while "back-off" in self._deadlines and self._restart_in is not None:
                self._step()
            if self._restart_in is not None:
                try:
                    self._start_attempt()
                except OSError as error:
                    self._end("failed", f"it could not be restarted: {error.strerror}")
        self._finish()

    def _step(self) -> None:
        for key, _ in self._selector.select(TICK):
            key.data()
        self._memory_kills.look()
        self._reap()
        for task in self._tasks.values():
            task.note_log()
        self._look_for_listeners()
        self._network.tend()
        self._keep_deadlines()
        self._apply_policy()

    def _done(self) -> bool:
        if self._verdict is None and "suspicion" in self._deadlines:
            return False
        return all(
            task.status.ended and f"restart {name}" not in self._deadlines
            for name, task in self._tasks.items()
        )

    def _hear(self, task: TaskProcess) -> None:
        for event in task.events():
            kind = event.pop("event")
            self._record(kind, task=str(task.id), **event)
            if kind == "serving":
                self._served.add(task.id)
                task.status = Status.SERVING
            elif kind in ("program_started", "progress"):
                self._becomes_running(task)
                if kind == "progress":
                    self._restarts.reached(event.get("epoch"), event.get("step"))
            elif kind == "program_raised" or (kind == "program_ended" and event["code"]):
                task.raised = {"event": kind, **event}
                self._blame(task)
                self._deadlines.setdefault(f"last words {task.id}", time.monotonic() + LAST_WORDS)

        if task.said_all:
            self._hear_no_more(task)

    def _hear_no_more(self, task: TaskProcess) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(task)

    def _becomes_running(self, task: TaskProcess) -> None:
        if task.status is Status.STARTING or (task.status is Status.WAITING and self._formed):
            task.status = Status.RUNNING

    def _look_for_listeners(self) -> None:
        peers = [task for task in self._tasks.values() if task.port is not None]
        if self._formed or not peers:
            return
        for task in filter(TaskProcess.begins_to_listen, peers):
            self._record("listening", task=str(task.id))
            if task.status is not Status.SERVING:
                task.status = Status.WAITING
        if all(task.listening for task in peers):
            self._formed = True
            self._record("cluster_formed")
            for task in peers:
                self._becomes_running(task)

    def _reap(self) -> None:
        by_pid = {task.pid: task for task in self._tasks.values()}
        for pid, status in processes.reap(leaders=by_pid):
            if pid in by_pid:
                self._ended(by_pid[pid], status)

    def _ended(self, task: TaskProcess, status: int) -> None:
        self._hear(task)
        task.ended_by = status
        # It may be restarted alone, under the same name.
        self._deadlines.pop(f"last words {task.id}", None)
        self._hear_no_more(task)
        task.close()
        if status == 0:
            task.status = Status.SUCCEEDED
        elif task.stopping:
            done = self._verdict is not None and self._verdict[0] == "succeeded"
            task.status = Status.SUCCEEDED if done else Status.STOPPED
        else:
            task.status = Status.FAILED
        task.memory_kills = self._memory_kills.lately()
        why = failure(task) if task.status is Status.FAILED else {}
        self._record(
            "task_ended",
            durable=True,
            task=str(task.id),
            status=task.status.value,
            exit=status,
            **why,
        )
        if task.status is Status.FAILED:
            self._blame(task)
            if self._verdict is None and not self._counts(task):
                self._restart_alone(task)

    # -- deciding ---------------------------------------------------------------------------

    def _blame(self, task: TaskProcess) -> None:
        """Remember the first failure that counts; later ones are its consequences."""
        if self._first_failed is not None or not self._counts(task):
            return
        if (task.raised or {}).get("error") not in policy.AFTER_A_LOSS:
            self._first_failed = task
        elif self._suspect is None:
            # Peers hear of a death before the dying process is gone.
            self._suspect = task
            self._deadlines["suspicion"] = time.monotonic() + policy.SUSPICION

    def _counts(self, task: TaskProcess) -> bool:
        return policy.counts(task.id, self._statuses(), frozenset(self._served))

    def _statuses(self) -> dict[TaskId, Status]:
        return {name: task.status for name, task in self._tasks.items()}

    def _apply_policy(self) -> None:
        if self._verdict is not None and self._verdict[0] != "succeeded":
            return
        if self._first_failed is None and "suspicion" in self._deadlines:
            return
        culprit = self._first_failed
        decision = policy.decide(
            self._statuses(), culprit.id if culprit else None, frozenset(self._served)
        )
        if decision.action == "fail" and culprit is not None:
            self._fail(culprit)
        elif decision.action in ("finish", "end"):
            self._verdict = ("succeeded", "")
            self._drop_restarts()
            for name in decision.stop:
                self._tasks[name].stop()
            if decision.linger:
                self._deadlines.setdefault("linger", time.monotonic() + policy.LINGER)

    def _fail(self, culprit: TaskProcess) -> None:
        """End the attempt, and the run with it unless it will be restarted."""
        reason = failure(culprit)["reason"]
        self._restart_in = self._restarts.after(time.monotonic() - culprit.begun)
        if self._restart_in is None:
            self._end("failed", reason + self._restarts.in_vain(), spare=culprit)
            return
        self._verdict = ("failed", reason)
        self._record(
            "attempt_failed",
            attempt=self._attempt,
            reason=reason,
            culprit=str(culprit.id),
            restart_in=self._restart_in,
        )
        self._stop_tasks(spare=culprit)

    def _restart_alone(self, task: TaskProcess) -> None:
        """The run continues without this task, and restarts it soon if restarts were requested."""
        wait = self._restarts.another()
        if wait is not None:
            self._record("task_lost", task=str(task.id), attempt=task.attempt, restart_in=wait)
            self._deadlines[f"restart {task.id}"] = time.monotonic() + wait

    def _stop(self, reason: str, status: str = "stopped") -> None:
        final = self._verdict is not None and self._restart_in is None
        if not final or (self._verdict or ("",))[0] == "succeeded":
            self._end(status, reason)

    def _end(self, status: str, reason: str, spare: TaskProcess | None = None) -> None:
        self._verdict = (status, reason)
        self._restart_in = None
        self._record("ending", status=status, reason=reason)
        self._stop_tasks(spare)

    def _stop_tasks(self, spare: TaskProcess | None) -> None:
        """Stop all tasks but one that is still saying why it failed."""
        self._drop_restarts()
        grace = self._run.request.grace
        for task in self._tasks.values():
            if task is spare and task.raised is not None:
                continue
            task.stop(signal.SIGTERM if grace else signal.SIGKILL)
        if grace:
            self._deadlines["grace"] = time.monotonic() + grace

    def _drop_restarts(self) -> None:
        for name in [name for name in self._deadlines if name.startswith("restart ")]:
            del self._deadlines[name]

    def _keep_deadlines(self) -> None:
        now = time.monotonic()
        for name in [name for name, at in self._deadlines.items() if at <= now]:
            if self._deadlines.pop(name, None) is None:
                continue  # dropped by another deadline
            if name == "suspicion":
                self._first_failed = self._first_failed or self._suspect
            elif name == "timeout":
                self._time_out()
            elif name.startswith("last words "):
                self._tasks[TaskId.parse(name.rsplit(" ", 1)[1])].send_signal(signal.SIGKILL)
            elif name.startswith("restart "):
                lost = self._tasks[TaskId.parse(name.rsplit(" ", 1)[1])]
                with contextlib.suppress(OSError):  # the run goes on without it
                    self._start_task(lost.id, lost.attempt + 1)
            elif name in ("grace", "linger"):  # is over
                for task in self._tasks.values():
                    task.stop()

    def _time_out(self) -> None:
        """End the run, once those that are silent have said where they stand."""
        self._silence = self._silence or Silence(self._tasks.values())
        if self._silence.pending():
            self._deadlines["timeout"] = time.monotonic() + TICK
            return
        words = [f"it took more than {self._run.request.timeout:g} s", *self._silence.words()]
        self._stop("; ".join(words), "timed out")

    def _guard_asked(self) -> None:
        if not guard.answer(self._link):
            self._selector.unregister(self._link)

    def _owner_spoke(self) -> None:
        """The owner says why the run should stop, or has closed the connection."""
        try:
            reason = self._owner.recv(4096).decode(errors="replace")
        except OSError:
            reason = ""
        if not reason:
            self._selector.unregister(self._owner)
        self._stop(reason or "it ended with its kernel")

    # -- ending -----------------------------------------------------------------------------

    def _finish(self) -> None:
        left = processes.kill_children()
        status, reason = self._verdict or ("succeeded", "")
        culprit = self._first_failed
        failed = [task for task in self._tasks.values() if task.status is Status.FAILED]
        if status == "succeeded" and any(task.id.type == "evaluator" for task in failed):
            culprit = next(task for task in failed if task.id.type == "evaluator")
            status, reason = "failed", failure(culprit)["reason"]
        self._network.close()
        self._control.close()
        self._run.clear_elsewhere()
        self._record(
            "run_ended",
            durable=True,
            status=status,
            reason="; ".join(filter(None, [reason, *(f"left behind: {one}" for one in left)])),
            culprit=str(culprit.id) if culprit and status == "failed" else None,
        )
        self._log.close()

    def _record(self, event: str, *, durable: bool = False, **fields: Any) -> None:
        record: Event = {"t": round(time.time(), 4), "event": event, **fields}
        self._log.append(record, durable=durable)
