"""What can happen in a run: one class per event, with its fields.

Names and fields are defined here for the supervisor, which writes events, for all readers, for the
pipe of the tasks (:mod:`mwtutor.supervisor.pipe_protocol`) and the reference
(``docs/reference/files.md``). A new field needs a type that
:mod:`mwtutor.run.record.event_reading` knows, and a default, so that logs of earlier versions stay
readable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, ClassVar

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.network import Network

#: An event as JSON: ``t``, ``event`` (its kind), and its fields.
Record = dict[str, Any]

#: One line of text that is safe to show, whoever wrote it; a ``str`` is passed on unchanged.
Line = str

#: A pid, or a process's start time: 0 if there is none, which earlier versions wrote as null.
Pid = int


@dataclass(frozen=True)
class Machine:
    """A simulated machine: its host name, address and tasks, and its link's speed."""

    name: str
    address: str
    tasks: tuple[TaskId, ...]
    link: str = ""


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes:
        t: the time (seconds since the epoch).
    """

    kind: ClassVar[str]

    t: float = field(default=0.0, kw_only=True)

    def __init_subclass__(cls) -> None:
        cls.kind = re.sub(r"(?<=.)(?=[A-Z])", "_", cls.__name__).lower()

    def record(self) -> Record:
        """The event as JSON: an optional field is left out if it is empty."""
        mine = ((one.name, getattr(self, one.name), one.default) for one in fields(self)[1:])
        given = {
            name: _plain(value)
            for name, value, usual in mine
            if usual is MISSING or value not in ("", None, ())
        }
        return {"t": self.t, "event": self.kind, **given}


@dataclass(frozen=True)
class TaskEvent(Event):
    """Something that happened to one task.

    Attributes:
        task: its name.
    """

    task: TaskId


class Reported(TaskEvent):
    """A report by a task itself, through its pipe."""


# -- the run ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunStarted(Event):
    """The supervisor is running, and has reserved the ports.

    Attributes:
        cluster: the addresses, by job.
        pid: the supervisor's pid; 0 if the engine has no supervisor on this machine.
        born: when that process started (clock ticks since boot).
        network: the kind of network (``private`` or ``host``), and for ``host`` the reason.
        machines: with ``--machines``, each machine's ``name``, ``address``, ``link`` and ``tasks``.
    """

    cluster: ClusterSpec
    pid: Pid = 0
    born: Pid = 0
    network: Network = field(default_factory=lambda: Network("host"))
    machines: tuple[Machine, ...] = ()


@dataclass(frozen=True)
class ClusterFormed(Event):
    """Every task of the cluster listens."""


@dataclass(frozen=True)
class Unreachable(Event):
    """For the first time, the relay could not reach an outside host.

    Attributes:
        host: its name.
        why: the reason, in words.
    """

    host: Line
    why: Line


@dataclass(frozen=True)
class MachineEvent(Event):
    """Something that happened to a machine of ``--machines``.

    Attributes:
        machine: its name.
    """

    machine: Line


class Unplugged(MachineEvent):
    """``%mw_unplug`` unplugged a machine."""


class Plugged(MachineEvent):
    """``%mw_plug`` plugged a machine in again."""


@dataclass(frozen=True)
class LinkChanged(MachineEvent):
    """The speed of a machine's link was changed.

    Attributes:
        link: the new link, as in ``--link``.
    """

    link: Line


@dataclass(frozen=True)
class AttemptFailed(Event):
    """A start of the cluster failed, and another will follow.

    Attributes:
        attempt: its number; the first is 1.
        reason: the reason, in words.
        culprit: the task that failed first.
        restart_in: the seconds until the next start.
        without: with ``--elastic``, the workers that the next start leaves out.
    """

    attempt: int
    reason: Line
    culprit: TaskId | None = None
    restart_in: float = 0.0
    without: tuple[TaskId, ...] = ()


@dataclass(frozen=True)
class AttemptStarted(Event):
    """The cluster is being started again.

    Attributes:
        attempt: the number of this start.
        cluster: the addresses, if they have changed. With ``--elastic`` it may have fewer workers;
            those behind a worker that was left out have moved up, with their addresses.
    """

    attempt: int
    cluster: ClusterSpec | None = None


@dataclass(frozen=True)
class Ending(Event):
    """The run is about to end.

    Attributes:
        status: the status, as in ``run_ended``.
        reason: the reason, in words.
    """

    reason: Line
    status: Line = ""


@dataclass(frozen=True)
class RunEnded(Event):
    """The run has ended, and left nothing behind except what the reason names.

    Attributes:
        status: ``succeeded``, ``failed``, ``stopped``, ``timed out`` or ``lost``.
        reason: the reason, in words; empty for success.
        culprit: the task that failed first, if one did.
    """

    status: Line
    reason: Line
    culprit: TaskId | None = None


# -- a task, as its supervisor sees it ------------------------------------------------------------


@dataclass(frozen=True)
class TaskStarted(TaskEvent):
    """A task's process was started.

    Attributes:
        attempt: the number of times that the task has been started, with its cluster or alone.
        pid: the pid of its process; 0 if that is on another machine.
        born: when that process started (clock ticks since boot).
    """

    attempt: int = 1
    pid: Pid = 0
    born: Pid = 0


@dataclass(frozen=True)
class Killed(TaskEvent):
    """``%mw_kill`` sent the task a signal.

    Attributes:
        signal: its number.
    """

    signal: int


class TaskHalted(TaskEvent):
    """A signal stopped the task's process, which can be resumed."""


class TaskContinued(TaskEvent):
    """A signal resumed the task's process."""


@dataclass(frozen=True)
class TaskEnded(TaskEvent):
    """The task's process has ended.

    Attributes:
        status: ``succeeded``, ``failed`` or ``stopped``.
        exit: the exit status; if negative, a signal killed it.
        reason: why it failed, or was stopped, in words.
        left: the scripts that it had started and that were still running.
        error: the exception that ended it; set, like the next five fields, only if the task failed.
        message: the exception's message.
        file: the program's file in which it was raised.
        line: the line there.
        code: the text of that line.
        function: the enclosing function.
    """

    status: Line
    exit: int
    reason: Line = ""
    left: tuple[Line, ...] = ()
    error: str = ""
    message: str = ""
    file: str = ""
    line: int | None = None
    code: str = ""
    function: str = ""


@dataclass(frozen=True)
class TaskLost(TaskEvent):
    """The task failed, and will be restarted alone.

    Attributes:
        attempt: the start that failed.
        restart_in: the seconds until the next start.
    """

    attempt: int = 1
    restart_in: float = 0.0


# -- what a task reports --------------------------------------------------------------------------


@dataclass(frozen=True)
class ProgramStarted(Reported):
    """The task's program begins.

    Attributes:
        python: the version of Python; empty if unknown.
    """

    python: Line = ""


@dataclass(frozen=True)
class ProgramRaised(Reported):
    """The program ends with an exception.

    Attributes:
        error: its class.
        message: its message.
        file: the program's file in which it was raised.
        line: the line there, if known.
        code: the text of that line.
        function: the enclosing function.
        advice: what to do about it; may be empty.
    """

    error: str
    message: str
    file: str = ""
    line: int | None = None
    code: str = ""
    function: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Traceback(Reported):
    """The exception's traceback was printed.

    Attributes:
        begin: where it begins in the task's log (bytes).
        end: where it ends.
    """

    begin: int
    end: int


@dataclass(frozen=True)
class ProgramEnded(Reported):
    """The program ends normally or with ``sys.exit``.

    Attributes:
        code: the exit status that it asks for.
        advice: what to do about it; may be empty.
    """

    code: int
    advice: str = ""


@dataclass(frozen=True)
class Position:
    """How far training has progressed, as the program reports it.

    Attributes:
        epoch: the current epoch, counted from 1.
        epochs: the total number of epochs.
        step: the steps completed in this epoch.
        steps: the steps of each epoch.
        metrics: the newest values, by name.
        over_epoch: 1 if the values cover all steps of the epoch so far, as Keras reports them.
    """

    epoch: int | None = field(default=None, kw_only=True)
    epochs: int | None = field(default=None, kw_only=True)
    step: int | None = field(default=None, kw_only=True)
    steps: int | None = field(default=None, kw_only=True)
    metrics: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    over_epoch: int | None = field(default=None, kw_only=True)

    @property
    def position(self) -> int:
        """Steps since the training began, as far as its epochs and their steps are reported."""
        return ((self.epoch or 1) - 1) * (self.steps or 0) + (self.step or 0)

    def reported(self) -> dict[str, Any]:
        """Only the fields of the position."""
        return {name: getattr(self, name) for name in _POSITION}


_POSITION = tuple(one.name for one in fields(Position))


@dataclass(frozen=True)
class Progress(Position, Reported):
    """Progress of the training: at most every quarter of a second, and at an epoch's end."""


class Serving(Reported):
    """The task begins to serve the others, in ``server.join()``."""


@dataclass(frozen=True)
class Counts:
    """Counts of the closures that a coordinator scheduled.

    Attributes:
        scheduled: the number of closures.
        retried: the number of repeated computations, because a worker was lost or unreachable.
        failed: the number that raised an error.
        cancelled: the number that were canceled, because another one had raised an error.
        done: the number that each worker computed; in the log, by its index.
        computing: the workers that are computing one, or just were; in the log, also by index.
        waiting: whether the program was in a call to the coordinator, such as ``join()``.
    """

    scheduled: int = field(default=0, kw_only=True)
    retried: int = field(default=0, kw_only=True)
    failed: int = field(default=0, kw_only=True)
    cancelled: int = field(default=0, kw_only=True)
    done: Mapping[TaskId, int] = field(default_factory=dict, kw_only=True)
    computing: frozenset[TaskId] = field(default_factory=frozenset, kw_only=True)
    waiting: bool = field(default=False, kw_only=True)

    @property
    def left(self) -> int:
        """How many closures are still to be computed."""
        return self.scheduled - self.finished - self.failed - self.cancelled

    @property
    def finished(self) -> int:
        """How many closures all workers together computed."""
        return sum(self.done.values())

    @property
    def trouble(self) -> str:
        """The retries, failures and cancellations of closures, in words."""
        counts = {"retried": self.retried, "failed": self.failed, "canceled": self.cancelled}
        return ", ".join(f"{number} {what}" for what, number in counts.items() if number)


@dataclass(frozen=True)
class Closures(Counts, Reported):
    """The counts of a coordinator's closures; written at most a few times a second."""


@dataclass(frozen=True)
class Strategy(Reported):
    """The program has chosen an implementation of collectives.

    Attributes:
        wanted: ``AUTO``, ``RING`` or ``NCCL``.
        by: the source of that choice.
    """

    wanted: Line
    by: Line


@dataclass(frozen=True)
class Joined(Reported):
    """A strategy has formed its cluster.

    Attributes:
        workers: the number of its workers.
    """

    workers: int


@dataclass(frozen=True)
class Collective(Reported):
    """The program built a collective of a new kind.

    Attributes:
        op: the operation.
        hint: the implementation that it asks for.
        device: ``CPU`` or ``GPU``.
    """

    op: Line
    hint: Line
    device: Line


@dataclass(frozen=True)
class Place(Reported):
    """A strategy or server of the task took a place other than the task's own.

    Attributes:
        name: the task whose place it took, for example ``worker:0``.
        address: the ``host:port`` of that task in its cluster.
        tasks: the number of tasks in that cluster.
        changed: whether the program had changed ``TF_CONFIG`` by then.
    """

    name: Line
    address: Line
    tasks: int
    changed: bool


@dataclass(frozen=True)
class Keras(Reported):
    """The program uses this Keras for the first time.

    Attributes:
        version: ``2`` or ``3``.
        release: its full version; empty if unknown.
        tensorflow: the version of TensorFlow; empty if unknown.
    """

    version: Line
    release: Line = ""
    tensorflow: Line = ""


@dataclass(frozen=True)
class Executing(Reported):
    """The task of a session starts to execute a cell.

    Attributes:
        cell: its number in the notebook; 0 if unknown.
        background: whether the notebook is free meanwhile.
    """

    cell: int = 0
    background: bool = False


@dataclass(frozen=True)
class Idle(Reported):
    """The task of a session waits for a cell.

    Attributes:
        lost: why collectives no longer work in it, in TensorFlow's words; empty if they work.
        released: whether mwtutor has released it from a collective that other workers did not join.
    """

    lost: Line = ""
    released: bool = False


@dataclass(frozen=True)
class Weights(Reported):
    """A ``fit`` outside a cluster of several tasks has ended.

    Attributes:
        fit: its number.
        sums: a few sums over its weights, which are equal if workers trained together.
    """

    fit: int
    sums: tuple[float, ...]


@dataclass(frozen=True)
class ChildEnded(Reported):
    """A script or function that the program had started as a process has ended.

    Attributes:
        program: the script; empty if unknown.
        exit: its exit status; if negative, a signal killed it.
    """

    program: Line
    exit: int


class Listening(Reported):
    """The task listens at its own address, as reported by the task or its supervisor."""


class FigureKept(Reported):
    """A figure that the program showed was saved beside the task's log."""


class EvaluationLeftOut(Reported):
    """The chief of an Estimator leaves its ``EvalSpec`` to an evaluator."""


@dataclass(frozen=True)
class WithoutEffect(Reported):
    """The program uses something that has no effect on other workers.

    Attributes:
        what: ``MirroredStrategy``, or a class of ``keras.distribution`` on TensorFlow.
    """

    what: Line


def _plain(value: Any) -> Any:
    if isinstance(value, TaskId):
        return str(value)
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, frozenset):
        return sorted(worker.index for worker in value)
    if isinstance(value, Mapping):
        return {str(key.index if isinstance(key, TaskId) else key): n for key, n in value.items()}
    return list(map(_plain, value)) if isinstance(value, tuple) else value
