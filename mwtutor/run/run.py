"""A run's handle: inspect it, wait for it, stop it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, MwtutorError, NoRun, RunFailed, RunTimeout
from mwtutor.run.engine import KILL, MACHINES, STACKS, USAGE, Usage, demand, engine
from mwtutor.run.live_state import LiveState
from mwtutor.run.logs import logs
from mwtutor.run.observations import (
    collectives,
    ledgers,
    missing,
    moments,
    samples,
    timeline,
    traffic,
)
from mwtutor.run.observations.collectives import Collectives
from mwtutor.run.observations.curves import Course
from mwtutor.run.observations.exchanges import Exchanges
from mwtutor.run.observations.moments import Noted
from mwtutor.run.observations.phases import durations
from mwtutor.run.observations.samples import Sampled
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.observations.steps import StepTimes
from mwtutor.run.observations.timeline import Timeline
from mwtutor.run.observations.trace import trace
from mwtutor.run.observations.traffic import Sample
from mwtutor.run.record.eventlog import EventReader, recorded_end
from mwtutor.run.record.progress_reports import reports, starts
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import Attempt, Outcome, RunState, TaskState
from mwtutor.run.record.validation import read_spec
from mwtutor.run.request.option_kinds import (
    Count,
    Flag,
    Kind,
    LinkSpeed,
    Seconds,
    Signal,
    short_repr,
)
from mwtutor.sanitize import harmless
from mwtutor.system.files import read
from mwtutor.worker.ledger import ROWS

#: Seconds within which a starting run must accept the command to stop, and seconds within which it
#: must end after its grace period.
_PATIENCE = 60.0

#: What to do about a metric of a run that has reported none.
_NO_METRICS = "Report a metric with mwtutor.report(step, loss=...), or train with Keras' fit."


class Run:
    """One launch of one program on one cluster.

    Args:
        spec: the specification of the launched run.
        launched: whether this process launched it; other processes read its directory.

    Raises:
        NoRun: its engine is unknown here.

    Attributes:
        seen: whether the user has seen how it ended.
    """

    def __init__(self, spec: RunSpec, *, launched: bool = False) -> None:
        self.spec = spec
        self.seen = False
        self._engine = engine(spec.engine)
        self._live = LiveState(spec, self._engine, launched=launched)

    @classmethod
    def open(cls, directory: Path | str) -> Run:
        """Return a run by its directory; it may belong to another kernel, or be old.

        Raises:
            NoRun: there is none, or no readable one.
        """
        return cls(read_spec(Path(directory)))

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.state.status}>"

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def directory(self) -> Path:
        return self.spec.path

    @property
    def state(self) -> RunState:
        """The current state. Reading it changes nothing.

        A run whose supervisor died without recording an end is ``lost``; only :meth:`recover`
        removes what its tasks left.
        """
        state = self._live.look()
        self.seen = self.seen or state.outcome is not None
        return state

    def recover(self) -> str:
        """Clean up after a lost run of this user, and record its end.

        Listings, commands and the next launch call this method; :attr:`state` does not.

        Returns:
            The actions taken, as a sentence; empty if there was nothing to do.
        """
        reason = self._live.recover()
        if not reason:
            return ""
        return f"{self.name} is lost: {harmless(reason)}. mwtutor removed what it left behind."

    @property
    def goes_on(self) -> bool:
        """Whether the run has no outcome yet."""
        return self._live.look().outcome is None

    @property
    def is_foreign(self) -> bool:
        """Whether the run is read-only, because it does not count as this user's."""
        return bool(self._live.look().foreign)

    @property
    def can_be_stopped(self) -> bool:
        """Whether the run is known to be running, and belongs to this user."""
        state = self._live.look()
        return not (state.outcome is not None or state.foreign or state.doubt)

    @property
    def recorded_end(self) -> bool:
        """Whether the run's log records its end; this reads one line, however long the log is."""
        return recorded_end(self.spec.events) is not None

    @property
    def is_there(self) -> bool:
        """Whether the run's log still exists, or the user has not yet seen how the run ended."""
        return self.spec.events.exists() or not self.seen

    @property
    def tasks(self) -> Mapping[TaskId, TaskState]:
        return self.state.tasks

    @property
    def outcome(self) -> Outcome | None:
        """How the run ended; None while it is running."""
        return self.state.outcome

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Each start of the run's cluster, and why that start ended; the current one is last."""
        return self.state.attempts

    @property
    def starts(self) -> dict[TaskId, list[tuple[float, int]]]:
        """When each task was started (seconds since the epoch), with the attempt's number."""
        return starts(EventReader(self.spec.events).read())

    @property
    def course(self) -> Course:
        """The tasks' reports up to the last reading of the state; later readings add to them."""
        return self._live.course()

    @property
    def collectives(self) -> Collectives:
        """The collectives that the strategy requested, and those that ran, as far as is known."""
        return collectives.read(self.spec, self.state)

    def watch(self, interval: float = 0.25, timeout: float = 0.0) -> Iterator[RunState]:
        """Yield the state repeatedly until the run has ended or ``timeout`` seconds have passed."""
        interval = Seconds().check(interval, "interval")
        timeout = Seconds().check(timeout, "timeout")
        return self._watch(interval, time.monotonic() + timeout if timeout else float("inf"))

    def _watch(self, interval: float, deadline: float) -> Iterator[RunState]:
        while True:
            state = self.state
            yield state
            if state.outcome is not None or time.monotonic() >= deadline:
                return
            pause = min(interval, max(0.0, deadline - time.monotonic()))
            if self._engine.wait(self.spec, pause):
                time.sleep(min(pause, 0.05))

    def wait(
        self,
        timeout: float = 0.0,
        *,
        check: bool = True,
        show: Callable[[RunState], None] | None = None,
    ) -> Outcome:
        """Wait until the run has ended.

        Args:
            timeout: seconds to wait; 0 waits forever.
            check: raise unless it succeeded.
            show: called with the state, four times a second.

        Raises:
            RunTimeout: it is still running.
            RunFailed: it did not succeed.
        """
        Flag().check(check, "check")
        if show is not None and not callable(show):
            raise BadInput(
                f"show cannot be {short_repr(show)}.", "Pass a function that takes the state."
            )
        outcome = None
        for state in self.watch(timeout=timeout):
            outcome = state.outcome
            if show is not None:
                show(state)
        if self.recover():
            outcome = self.outcome
        if outcome is None:
            raise RunTimeout(
                f"{self.name} is still running after {timeout:g} s. {self._missing()}".rstrip(),
                "It keeps running: wait again, look at its logs, or stop it.",
            )
        if check:
            self.check()
        return outcome

    def check(self) -> None:
        """Raise :class:`RunFailed` if the run ended without success."""
        outcome = self.outcome
        if outcome is not None and not outcome.ok:
            where = f"Read the log of {outcome.culprit}" if outcome.culprit else "Read the logs"
            raise RunFailed(
                f"{self.name} {outcome.status}: {outcome.reason}. {self._missing()}".rstrip(),
                f"{f'{advice} ' if (advice := self.state.advice) else ''}{where}:"
                f" @mw_logs{f' {outcome.culprit}' if outcome.culprit else ''}.",
            )

    def _missing(self) -> str:
        """Whose exchange is missing, in words; empty if unknown."""
        return missing.verdict_words(self.exchanges())

    def stop(self, reason: str = "it was stopped") -> Outcome:
        """Stop every task, and wait until nothing is left.

        Raises:
            RunTimeout: its supervisor does not accept the command, or the run does not end.
        """
        Kind().check(reason, "reason")
        deadline = time.monotonic() + _PATIENCE
        while self.outcome is None and not self._tell_to_stop(reason):
            self._check_reachable()
            if time.monotonic() > deadline:
                raise RunTimeout(
                    f"{self.name} is still starting and cannot be stopped yet.",
                    "Try again in a moment, or end the process that is launching it.",
                )
            time.sleep(0.05)
        try:
            return self.wait(self.spec.request.grace + _PATIENCE, check=False)
        except RunTimeout:
            raise RunTimeout(
                f"{self.name} was asked to stop, but is still running.",
                self._engine.last_resort(self.spec, self._live.known),
            ) from None

    def _tell_to_stop(self, reason: str) -> bool:
        self._check_ours()
        return self._engine.terminate(self.spec, self._live.look(), reason)

    def _check_ours(self) -> None:
        if foreign := self._live.look().foreign:
            raise NoRun(
                f"{self.name} is read-only: {foreign}.",
                f"Its directory is {self.directory}: leave it to its owner, or remove it yourself.",
            )

    def _check_reachable(self) -> None:
        if self.outcome is None and (why := self._engine.out_of_reach(self.spec)):
            raise NoRun(
                f"{self.name} cannot be reached from here: {why}.",
                "Stop it there; if its machine no longer exists, remove its directory,"
                f" {self.directory}.",
            )

    def kill(self, task: TaskId | str, number: int = signal.SIGKILL) -> None:
        """Send a signal to one task, to study a fault.

        Raises:
            BadInput: there is no such task or signal.
            NoRun: the run has ended.
            NotSupported: its engine cannot send signals.
        """
        demand(self._engine, KILL)
        name = self.task(task)
        number = Signal().check(number, "The signal")
        state = self.state
        if state.outcome is not None:
            raise NoRun(f"{self.name} has ended.", "Launch it again to kill one of its tasks.")
        self._check_ours()
        self._engine.signal(self.spec, name, number)

    def unplug(self, task: TaskId | str) -> str:
        """Unplug the machine of a task, to study a network partition.

        Returns:
            The machine's name. All tasks on it are cut off.

        Raises:
            BadInput: there is no such task, it has ended, is not on a simulated machine, or is
                already unplugged.
            NoRun: the run has ended.
            NotSupported: its engine has no simulated machines.
        """
        return self._rewire("unplug", task)

    def plug(self, task: TaskId | str) -> str:
        """Plug a machine back in; see :meth:`unplug`."""
        return self._rewire("plug", task)

    def link(self, task: TaskId | str, link: str) -> str:
        """Change the link of a task's machine, for example to ``100mbit``; see :meth:`unplug`."""
        return self._rewire("link", task, str(LinkSpeed().check(link, "The link")))

    def _rewire(self, verb: str, task: TaskId | str, link: str = "") -> str:
        demand(self._engine, MACHINES)
        name = self.task(task)
        if self.state.outcome is not None:
            raise NoRun(f"{self.name} has ended.", "Launch it again, with --machines.")
        self._check_ours()
        return self._engine.rewire(self.spec, verb, name, link)

    def traffic(self) -> tuple[Sample, ...]:
        """The bytes that the machines have sent and received, in samples; see :mod:`.traffic`."""
        return traffic.read(self.directory)

    def stacks(self, task: TaskId | str) -> tuple[ThreadStack, ...]:
        """The Python stacks of a live task's threads, the main thread first.

        The task is not stopped; one inside a collective, or any other native call, answers too.

        Raises:
            BadInput: there is no such task, or it cannot answer.
            NoRun: it has ended.
            NotSupported: its engine cannot show stacks.
        """
        demand(self._engine, STACKS)
        name = self._live_task(task, self.state)
        self._check_ours()
        found = self._engine.stacks(self.spec, name)
        if not found:
            raise BadInput(f"{name} does not report its stacks.", "Ask again in a moment.")
        return found

    def sampling(
        self, seconds: float = 5.0, tasks: Iterable[TaskId | str] = ()
    ) -> Generator[Sampled, None, None]:
        """Sample the Python stacks of live tasks, all at the same time, and yield the samples so
        far until the end. Closing the iterator stops the sampling.

        Args:
            seconds: the duration.
            tasks: the tasks to sample; by default, all that have not ended.

        Raises:
            BadInput: ``seconds`` is not positive, or a task does not exist or cannot answer.
            NoRun: it has ended.
            NotSupported: its engine cannot show stacks.
        """
        demand(self._engine, STACKS)
        if not (seconds := Seconds().check(seconds, "The time to sample")):
            raise BadInput("0 seconds is too short to sample.", "Write, for example, --sample 5.")
        state = self.state
        live = [name for name, task in state.tasks.items() if not task.status.ended]
        wanted = [self._live_task(task, state) for task in tasks] or live
        if state.outcome is not None or not wanted:
            raise NoRun(
                f"{self.name} has ended, so its tasks cannot be sampled.",
                "Launch it again, and sample it while it is running.",
            )
        self._check_ours()
        return self._sampling(seconds, wanted)

    def _sampling(self, seconds: float, tasks: Iterable[TaskId]) -> Generator[Sampled, None, None]:
        asked: dict[TaskId, tuple[Path, str]] = {}
        try:
            for task in tasks:
                token = self._engine.sample(self.spec, task, seconds)
                asked[task] = self.spec.log(task), token
            yield from samples.collected(asked, seconds, self._why_ended)
            asked.clear()
        finally:
            for task in asked:
                with contextlib.suppress(MwtutorError):  # the run has ended
                    self._engine.sample(self.spec, task, 0.0)

    def _why_ended(self, task: TaskId) -> str:
        seen = self._live.look().tasks[task]
        return f"it {seen.status.value}" if seen.status.ended else ""

    def sample(self, seconds: float = 5.0, tasks: Iterable[TaskId | str] = ()) -> Sampled:
        """Where the time of live tasks goes: their Python stacks, sampled for ``seconds``; see
        :meth:`sampling`."""
        *_, last = self.sampling(seconds, tasks)
        return last

    def usage(self) -> Mapping[TaskId, Usage]:
        """The resources that the run's tasks use, except those that cannot be measured.

        Only tasks that were alive when its state was last read are included.
        """
        state = self._live.known
        if state.outcome is not None or state.foreign or USAGE in self._engine.cannot:
            return {}
        return self._engine.usage(self.spec, state)

    def _live_task(self, task: TaskId | str, state: RunState) -> TaskId:
        name = self.task(task)
        seen = state.tasks[name]
        if seen.status.ended or state.outcome is not None:
            why = seen.reason or f"{name} {seen.status.value}"
            raise NoRun(
                f"{name} has ended, so it has no stack: {why}.",
                f"See what it printed last: @mw_logs {name} -n 20",
            )
        return name

    def task(self, task: TaskId | str) -> TaskId:
        """The task of that name, or an error that lists the existing names."""
        wanted = TaskId.parse(task) if isinstance(task, str) else task
        if not isinstance(wanted, TaskId):
            raise BadInput(f"{short_repr(task)} is not a task.", "Write it as worker:1.")
        if wanted not in list(self.tasks):  # compared, not hashed: it may be of any type
            known = ", ".join(str(name) for name in self.tasks) or "none yet"
            raise BadInput(f"{self.name} has no task {wanted}.", f"Its tasks are: {known}.")
        return wanted

    def history(self, metric: str, attempt: int = 0) -> dict[TaskId, list[tuple[int, float]]]:
        """The values of a metric over the course of training, task by task.

        Args:
            metric: its name, for example ``loss``.
            attempt: only the values of this attempt of a restarted run, counted from 1; 0 means
                all.

        Returns:
            For each task that reported it, in the cluster's order: pairs of the steps since the
            start and the value, in chronological order.

        Raises:
            BadInput: no task has reported a metric of that name.
        """
        Kind().check(metric, "The metric")
        attempt = Count().check(attempt, "attempt")
        found: dict[TaskId, list[tuple[int, float]]] = {}
        known: set[str] = set()
        for its_attempt, report in reports(EventReader(self.spec.events).read()):
            if attempt not in (0, its_attempt):
                continue
            known |= set(report.metrics)
            if (value := report.metrics.get(harmless(metric))) is not None:
                found.setdefault(report.task, []).append((report.position, value))
        if not found:
            remedy = f"Choose one of: {', '.join(sorted(known))}." if known else _NO_METRICS
            where = f" in attempt {attempt}" if attempt else ""
            raise BadInput(f"{self.name} has no metric {metric!r}{where}.", remedy)
        return {task: found[task] for task in sorted(found, key=lambda task: task.place)}

    def timeline(self) -> Timeline:
        """The activities of each task over time.

        Raises:
            NoRun: its event log does not list its tasks.
        """
        state = self.state
        events = EventReader(self.spec.events).read()
        logs_of = {task: self.spec.log(task) for task in state.tasks}
        found = timeline.trace(
            events,
            self.spec.now(),
            self._noted(),
            {task: logs.write_times(log) for task, log in logs_of.items()},
        )
        if not found.lanes:
            raise NoRun(
                f"The event log of {self.name} does not list its tasks.",
                f"Ask again if it was just launched; otherwise look at {self.directory}.",
            )
        return found if state.outcome is None else replace(found, goes_on=False)

    def step_times(self) -> StepTimes | None:
        """Where the time of the run's steps went, by worker; None if it recorded no steps."""
        return timeline.step_times(self.state, self._noted())

    def exchanges(self, most: int = ROWS) -> Exchanges:
        """The exchanges of the run's tasks with each other through TensorFlow's collectives.

        Args:
            most: how many of each task's newest exchanges to read; fewer if there are more than
                eight tasks.
        """
        state = self.state
        present = state.cluster.trainers if state.cluster is not None else ()
        logs = {task: self.spec.log(task) for task in present}
        found = ledgers.read_all(logs, most)
        return Exchanges(
            ledgers={task: one for task, one in found.items() if one is not None},
            now=state.ended or time.time(),
            ended={one.id: one.status.value for one in state.tasks.values() if one.status.ended},
            silent=state.outcome is None or not state.outcome.ok,
            without=[task for task, one in found.items() if one is None],
        )

    def trace(self, lines: int = 2000) -> dict[str, Any]:
        """The run over time, as far as known, in Chrome's trace event format, which Perfetto opens.

        Args:
            lines: the number of log lines to include, from the end.
        """
        said = logs.lines(self.spec, list(self.tasks), last=lines) if lines else []
        return trace(self.name, self.timeline(), self._noted(), self.exchanges(), said)

    def phases(self) -> dict[str, list[float]]:
        """How long steps, exchanges and other phases took (seconds); see :mod:`.phases`."""
        return durations(self._noted(), self.exchanges())

    def _noted(self) -> dict[TaskId, tuple[Noted, ...]]:
        return {task: moments.read(self.spec.log(task)) for task in self.tasks}

    def tf_config(self, task: TaskId | str) -> str:
        """The ``TF_CONFIG`` of a task."""
        name = self.task(task)
        if self.spec.request.is_horovod:
            raise NoRun(
                f"{name} is a Horovod rank, and has no TF_CONFIG.",
                f"See what it has instead: @mw_config {name}",
            )
        try:
            return read(self.spec.tf_config(name)).decode(errors="replace").strip()
        except OSError as error:
            raise NoRun(
                f"The TF_CONFIG of {name} cannot be read: {error.strerror}.",
                "Launch the program again.",
            ) from None
