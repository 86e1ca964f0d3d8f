"""What a reader of the event log knows about a run: an immutable value, folded from events."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.network import Network
from mwtutor.run.record import event_reading, events, findings
from mwtutor.run.record.cells import Cells, merge, next_cells
from mwtutor.run.record.events import Counts, Event, Machine, Position, Record
from mwtutor.run.record.findings import Findings
from mwtutor.run.record.progress_reports import without_superseded
from mwtutor.run.record.task_status import Status, transition
from mwtutor.sanitize import harmless


@dataclass(frozen=True)
class TaskState(Position):
    """One task, as far as the log shows, and how far its training has progressed.

    Attributes:
        id: its name in the cluster.
        status: its activity, or how it ended.
        pid: the pid of its process, and ``born`` its start time (clock ticks since boot); 0 if
            its engine starts none here. Only the engine knows whether the pid still belongs to it.
        started: when it was started (seconds since the epoch).
        listening: whether it has joined the cluster.
        begun: whether its program has begun.
        heard: when it last reported (seconds since the epoch).
        ended: when it ended; ``exit`` is its exit status, negative if a signal killed it.
        reason: why it failed, in words.
        error: the exception and its place, as :func:`mwtutor.worker.raised.describe` returns them.
        advice: what to do about an exit that its arguments caused; for an exception, this is in
            ``error``.
        raised: when it raised the exception.
        traceback: the position of that exception's traceback in the task's log (begin and end in
            bytes); (0, 0) if unknown.
        collateral: whether it failed only after, and so probably because of, another task.
        attempt: the number of times that it has been started, with its cluster or alone.
        lost: why it ended earlier, each time that it was restarted alone.
        communication: the strategy's implementation of collectives (``wanted``, and ``by``, its
            source), its number of ``workers``, and the different ``operations`` its program has
            built.
        findings: the reports of its process, as evidence for statements about its run.
        halted: when a signal suspended its process (seconds since the epoch); 0 if it is not
            suspended.
        closures: what its coordinator's workers have computed; None if it has no coordinator, as
            far as known.
        cells: its activity with the cells of its session; None if it executes none.
    """

    id: TaskId
    status: Status = Status.STARTING
    pid: int = 0
    born: int = 0
    started: float = 0.0
    listening: bool = False
    begun: bool = False
    heard: float = 0.0
    ended: float = 0.0
    exit: int | None = None
    reason: str = ""
    error: Mapping[str, Any] = field(default_factory=dict)
    advice: str = ""
    raised: float = 0.0
    traceback: tuple[int, int] = (0, 0)
    collateral: bool = False
    attempt: int = 1
    lost: tuple[str, ...] = ()
    communication: Mapping[str, Any] = field(default_factory=dict)
    closures: Counts | None = None
    cells: Cells | None = None
    findings: Findings = field(default_factory=Findings)
    halted: float = 0.0

    @property
    def has_company(self) -> bool:
        """Whether the task has created a strategy that may have several workers."""
        return bool(self.communication) and self.communication.get("workers") != 1

    @property
    def failed(self) -> float:
        """When the task raised an exception, or ended without one (seconds since the epoch)."""
        return self.raised or self.ended

    def raised_the_same(self, other: TaskState) -> bool:
        """Whether this task and the other one raised the same exception."""
        mine, theirs = ((one.error.get("error"), one.error.get("message")) for one in (self, other))
        return bool(self.error) and mine == theirs


@dataclass(frozen=True)
class Attempt:
    """One start of the whole cluster.

    Attributes:
        number: the first is 1.
        started, ended: its times (seconds since the epoch); 0 means not yet.
        reason: why it failed, in words; empty while it is running, and if it succeeded.
        culprit: the task that failed first.
        workers: the number of workers that it started.
    """

    number: int
    started: float
    ended: float = 0.0
    reason: str = ""
    culprit: TaskId | None = None
    workers: int = 0


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        status: ``succeeded``, ``failed``, ``stopped``, ``timed out`` or ``lost``.
        reason: a clause that says why, and what could not be stopped; empty for success, unless an
            evaluator had to be stopped.
        culprit: the task that failed first, if one did.
    """

    status: str
    reason: str = ""
    culprit: TaskId | None = None

    @property
    def ok(self) -> bool:
        return self.status == "succeeded"


@dataclass(frozen=True)
class MachineState(Machine):
    """A simulated machine of a run, as far as the log shows.

    Attributes:
        unplugged: when it was unplugged (seconds since the epoch); 0 if it is plugged in.
    """

    unplugged: float = 0.0


@dataclass(frozen=True)
class RunState:
    """A run, as far as its log shows.

    Attributes:
        cluster: its addresses; None until it has started.
        tasks: its tasks, in the order of the cluster that was launched.
        supervisor: pid and start (clock ticks since boot) of the process that writes the log,
            if its engine has one; otherwise 0.
        network: the kind of network that the tasks are in.
        machines: the simulated machines that the tasks are on, if any.
        started, formed, ended: the times (seconds since the epoch); 0 means not yet.
        ending: why it is being stopped, once that has been decided.
        outcome: how it ended; None before that.
        attempts: each start of the cluster; the current or last one comes last.
        restarting: whether the current attempt has failed, and another will follow.
        foreign: why it does not count as this user's, and so is read-only; empty if it does.
        doubt: why it is unknown whether it is running; empty if it is known.
        unreachable: the outside hosts that tasks could not reach, and why, in words.
        pending: why it has not begun, according to its engine; empty if that is normal.
    """

    cluster: ClusterSpec | None = None
    tasks: Mapping[TaskId, TaskState] = field(default_factory=dict)
    supervisor: tuple[int, int] = (0, 0)
    network: Network = field(default_factory=Network)
    machines: tuple[MachineState, ...] = ()
    started: float = 0.0
    formed: float = 0.0
    ended: float = 0.0
    ending: str = ""
    outcome: Outcome | None = None
    attempts: tuple[Attempt, ...] = ()
    restarting: bool = False
    foreign: str = ""
    doubt: str = ""
    pending: str = ""
    unreachable: Mapping[str, str] = field(default_factory=dict)

    def machine_of(self, task: TaskId) -> MachineState | None:
        """The machine that a task is on; None if there are no simulated machines."""
        return next((machine for machine in self.machines if task in machine.tasks), None)

    @property
    def cut_off(self) -> tuple[TaskId, ...]:
        """The workers of the current cluster whose machine is unplugged."""
        tasks = (task for machine in self.machines if machine.unplugged for task in machine.tasks)
        return tuple(task for task in tasks if task.type == "worker")

    @property
    def smaller(self) -> str:
        """``1 of 2 workers``, if the current cluster is smaller than the first; else empty."""
        sizes = [attempt.workers for attempt in self.attempts]
        return f"{sizes[-1]} of {sizes[0]} workers" if sizes and sizes[-1] < sizes[0] else ""

    def waiting_for(self) -> tuple[TaskId, ...]:
        """The tasks that are not yet in the cluster; the others wait for them."""
        if self.formed or self.cluster is None:
            return ()
        return tuple(task for task in self.cluster.peers() if not self.tasks[task].listening)

    def apart(self) -> tuple[TaskId, ...]:
        """The workers that train, or have trained, without having joined their cluster."""
        if self.cluster is None or self.cluster.ps:
            return ()
        peers = [self.tasks[task] for task in self.cluster.peers()]
        alone = [task for task in peers if not task.listening and not task.has_company]
        trained = [task for task in alone if task.step is not None]
        return tuple(task.id for task in trained) if len(peers) > 1 else ()

    def never_met(self) -> bool:
        """Whether a run of several workers has succeeded without a cluster."""
        if self.cluster is None or self.outcome is None or self.cluster.ps:
            return False
        peers = [self.tasks[task] for task in self.cluster.peers()]
        met = self.formed or any(task.listening or task.has_company for task in peers)
        return self.outcome.ok and len(peers) > 1 and not met

    @property
    def closures(self) -> Counts | None:
        """The counts of the chief's closures; None if it has no coordinator."""
        return next((task.closures for task in self.tasks.values() if task.closures), None)

    @property
    def cells(self) -> Cells | None:
        """Whether a session executes a cell or waits for one; None for a program."""
        return merge(task.cells for task in self.tasks.values())

    @property
    def served(self) -> frozenset[TaskId]:
        """The tasks that have begun to serve the others since their cluster was started."""
        return frozenset(name for name, task in self.tasks.items() if task.findings.serves)

    @property
    def dispensable(self) -> frozenset[TaskId]:
        """The workers that the run can lose and still continue: those that serve a chief."""
        return self.served.intersection(self.driven)

    @property
    def driven(self) -> tuple[TaskId, ...]:
        """The workers that serve a chief, if its program uses them."""
        return self.cluster.driven if self.cluster is not None else ()

    @property
    def stranded(self) -> str:
        """Why a chief has no worker left and will get none; empty if it has one, or may get one.

        A worker's restart is recorded just after its end.
        """
        workers = [self.tasks[name] for name in self.driven]
        coming = any(len(task.lost) >= task.attempt for task in workers)
        if not workers or coming or not all(task.status.ended for task in workers):
            return ""
        why = "; ".join(task.reason or f"{task.id} exited" for task in workers)
        return f"no worker is left to run scheduled closures: {why}"

    @property
    def failed_first(self) -> TaskState | None:
        """The task whose failure caused those of others; None as long as none has failed."""
        culprit = self.outcome.culprit if self.outcome is not None else None
        if culprit is not None and culprit in self.tasks:
            return self.tasks[culprit]
        failed = [task for task in self.tasks.values() if task.status is Status.FAILED]
        return min(failed, key=lambda task: task.failed, default=None)

    @property
    def advice(self) -> str:
        """The meaning of the error that ended the run, and what to do; empty if unknown."""
        culprit = self.outcome.culprit if self.outcome is not None else None
        task = self.tasks.get(culprit) if culprit is not None else None
        return harmless(task.error.get("advice", task.advice)) if task is not None else ""

    @property
    def status(self) -> str:
        """A word or two: the outcome, or what the run as a whole is doing."""
        if self.outcome is not None:
            return self.outcome.status
        if self.foreign or self.doubt:
            return "foreign" if self.foreign else "unknown"
        if self.restarting:
            return "restarting"
        live = [task.status for task in self.tasks.values() if not task.status.ended]
        for status in (Status.STARTING, Status.WAITING):
            if status in live:
                return str(status.value)
        if self.cells is not None:
            return self.cells.status
        return "running" if self.tasks else "pending" if self.pending else "starting"


#: Seconds before a task's end within which its peers may raise an exception because of that end.
_HEARD_BEFORE = 0.6


def fold(state: RunState, records: Iterable[Record]) -> RunState:
    """The state after events from the log; unreadable ones change nothing."""
    for record in without_superseded(records):
        if (event := event_reading.read(record)) is not None:
            state = next_state(state, event)
    return state


def next_state(state: RunState, event: Event) -> RunState:
    """The state after an event; one that cannot belong to this run changes nothing."""
    with contextlib.suppress(KeyError, ValueError):
        return _apply(state, event)
    return state


def _apply(state: RunState, event: Event) -> RunState:
    match event:
        case events.TaskEvent(task=name):
            task = state.tasks[name]
            joined = "workers" in task.communication
            task = replace(task, status=transition(task.status, event, joined=joined))
            return replace(state, tasks={**state.tasks, name: _apply_to_task(state, task, event)})
        case events.RunStarted(cluster=cluster):
            return replace(
                state,
                cluster=cluster,
                tasks={task: TaskState(task) for task in cluster.tasks()},
                supervisor=(event.pid, event.born),
                network=event.network,
                machines=tuple(MachineState(**vars(machine)) for machine in event.machines),
                started=event.t,
                pending="",
                attempts=(Attempt(1, event.t, workers=len(cluster.worker)),),
            )
        case events.Unreachable(host=host, why=why):
            return replace(state, unreachable={**state.unreachable, host: why})
        case events.MachineEvent(machine=name):
            machines = (_rewired(m, event) if m.name == name else m for m in state.machines)
            return replace(state, machines=tuple(machines))
        case events.AttemptFailed():
            return _end_attempt(state, event, restarting=True)
        case events.AttemptStarted(attempt=attempt):
            return _restarted(state, attempt, event)
        case events.ClusterFormed():
            return replace(state, formed=event.t, tasks=_each(state, event))
        case events.Ending(reason=reason):
            return replace(state, ending=reason, restarting=False)
        case events.RunEnded(culprit=culprit):
            outcome = Outcome(event.status, event.reason, culprit)
            state = _end_attempt(state, event, restarting=False)
            tasks = _judged(_each(state, event), culprit)
            return replace(state, outcome=outcome, ended=event.t, tasks=tasks)
    return state


def _restarted(state: RunState, attempt: int, event: events.AttemptStarted) -> RunState:
    before = state.cluster
    after = event.cluster or before
    if before is None or after is None or not set(after.tasks()) <= state.tasks.keys():
        raise ValueError(after)
    tasks = {
        name: TaskState(name, attempt=attempt)
        if name in set(after.tasks())
        else _left_out(task, _new_name(name, before, after), attempt)
        for name, task in state.tasks.items()
    }
    return replace(
        state,
        cluster=after,
        machines=tuple(_moved_up(machine, before, after) for machine in state.machines),
        pending="",
        tasks=tasks,
        attempts=(*state.attempts, Attempt(attempt, event.t, workers=len(after.worker))),
        formed=0.0,
        restarting=False,
    )


def _new_name(task: TaskId, before: ClusterSpec, after: ClusterSpec) -> TaskId | None:
    """The task that now has this task's address; None if there is none."""
    with contextlib.suppress(KeyError, IndexError):
        return after.at(before.address(task))
    return None


def _left_out(task: TaskState, new: TaskId | None, attempt: int) -> TaskState:
    """The state of a task that is not in the current cluster, without outdated fields."""
    return TaskState(
        task.id,
        Status.LEFT_OUT,
        started=task.started,
        ended=task.ended,
        exit=task.exit,
        reason=f"{new} since attempt {attempt}" if new is not None else task.reason,
        attempt=task.attempt,
    )


def _moved_up(machine: MachineState, before: ClusterSpec, after: ClusterSpec) -> MachineState:
    """A machine with the tasks that have its addresses now."""
    there = {before.address(task) for task in machine.tasks}
    return replace(machine, tasks=tuple(t for t in after.tasks() if after.address(t) in there))


def _rewired(machine: MachineState, event: events.MachineEvent) -> MachineState:
    if isinstance(event, events.LinkChanged):
        return replace(machine, link=event.link)
    return replace(machine, unplugged=event.t if isinstance(event, events.Unplugged) else 0.0)


def _end_attempt(
    state: RunState, event: events.AttemptFailed | events.RunEnded, *, restarting: bool
) -> RunState:
    *before, last = state.attempts or (Attempt(1, state.started),)
    if last.reason:  # the attempt had failed before the run ended
        return replace(state, restarting=restarting)
    last = replace(last, ended=event.t, reason=event.reason, culprit=event.culprit)
    return replace(state, attempts=(*before, last), restarting=restarting)


def _apply_to_task(state: RunState, task: TaskState, event: events.TaskEvent) -> TaskState:
    if (found := findings.next_findings(task.findings, event)) is not task.findings:
        task = replace(task, findings=found)
    match event:
        case events.TaskStarted():
            return TaskState(
                task.id,
                pid=event.pid,
                born=event.born,
                started=event.t,
                attempt=event.attempt,
                lost=task.lost,
                findings=Findings(serves=task.findings.serves),
            )
        case events.TaskLost():
            return replace(task, lost=(*task.lost, task.reason))
        case events.ProgramStarted():
            return replace(task, begun=True, heard=event.t)
        case events.Listening():
            return replace(task, listening=True)
        case events.Serving():
            return replace(task, heard=event.t)
        case events.TaskHalted():
            return replace(task, halted=event.t)
        case events.TaskContinued():
            return replace(task, halted=0.0)
        case events.Executing() | events.Idle():
            return replace(task, cells=next_cells(task.cells, event), heard=event.t)
        case events.Closures():
            return replace(task, closures=event, heard=event.t)
        case events.Progress():
            return replace(task, **event.reported(), heard=event.t)
        case events.Strategy(wanted=wanted, by=by):
            return _communicates(task, wanted=wanted, by=by)
        case events.Joined(workers=workers):
            return _communicates(task, workers=workers)
        case events.Collective():
            operation = {"op": event.op, "hint": event.hint, "device": event.device}
            known = task.communication.get("operations", ())
            others = [seen for seen in known if seen != operation]
            return _communicates(task, operations=(*others, operation))
        case events.ProgramRaised():
            error = {name: value for name, value in vars(event).items() if name not in _NAMED}
            return replace(task, error=error, raised=event.t)
        case events.ProgramEnded(advice=advice):
            return replace(task, advice=advice)
        case events.Traceback(begin=begin, end=end):
            return replace(task, traceback=(begin, end))
        case events.TaskEnded():
            failed_before = any(
                other.status is Status.FAILED and not other.raised_the_same(task)
                for name, other in state.tasks.items()
                if name != task.id and name not in state.dispensable
            )
            return replace(
                task,
                ended=event.t,
                exit=event.exit,
                reason=event.reason,
                collateral=task.status is Status.FAILED and failed_before,
            )
    return task


#: The fields that every event of a task has.
_NAMED = ("t", "task")


def _communicates(task: TaskState, **known: Any) -> TaskState:
    return replace(task, communication={**task.communication, **known})


def _judged(tasks: dict[TaskId, TaskState], culprit: TaskId | None) -> dict[TaskId, TaskState]:
    """The tasks, once it is known which one failed first; it need not have ended first."""
    if culprit not in tasks:
        return tasks
    first = tasks[culprit]

    def led_to(task: TaskState) -> bool:
        after = task.failed > first.failed - _HEARD_BEFORE
        others = task.status is Status.FAILED and task.id != culprit
        return others and after and not task.raised_the_same(first)

    return {name: replace(task, collateral=led_to(task)) for name, task in tasks.items()}


def _each(state: RunState, event: Event) -> dict[TaskId, TaskState]:
    """The tasks after an event that concerns all of them."""
    after = {}
    for name, task in state.tasks.items():
        status = transition(task.status, event)
        ended = event.t if status.ended and not task.status.ended else task.ended
        after[name] = replace(task, status=status, ended=ended)
    return after
