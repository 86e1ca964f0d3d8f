"""A run in the hands of a person: look at it, wait for it, stop it. The kernel only reads."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, NoRun, RunFailed, RunTimeout
from mwtutor.run import collectives, control, stacks
from mwtutor.run.collectives import Collectives
from mwtutor.run.engine import Engine
from mwtutor.run.eventlog import EventReader, last_event
from mwtutor.run.options import Count, Flag, Kind, Seconds, Signal, shown
from mwtutor.run.reading import read_spec
from mwtutor.run.recovery import recover
from mwtutor.run.spec import RunSpec
from mwtutor.run.stacks import ThreadStack
from mwtutor.run.state import Attempt, Outcome, RunState, TaskState, fold, points
from mwtutor.sanitize import harmless
from mwtutor.system import processes

#: Seconds that a run may take to write its first event before it counts as lost.
_BEGIN = 200.0

#: Seconds that a run gets to take the order to stop, while it starts, and beyond its grace to end.
_PATIENCE = 60.0


class Run:
    """One launch of one program on one cluster."""

    def __init__(self, spec: RunSpec, engine: Engine | None = None) -> None:
        self.spec = spec
        self._engine = engine
        self._reader = EventReader(spec.events)
        self._state = RunState()

    @classmethod
    def open(cls, directory: Path | str) -> Run:
        """A run by its directory; also one of another kernel, or of long ago.

        Raises:
            NoRun: there is none, or none that can be read.
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
        """What is known now; a run whose supervisor is gone is cleared up and recorded as lost."""
        self._read()
        if self._state.outcome is None and self._is_lost():
            end = recover(self.spec, self._state)
            self._read()
            if self._state.outcome is None:  # it could not be written down
                self._state = fold(self._state, [end])
        if self._state.outcome is not None and self._engine is not None:
            self._engine.cleanup(self.spec)
        return self._state

    @property
    def recorded_end(self) -> bool:
        """Whether its log says that it has ended: a look at one line, however long the log is."""
        return (last_event(self.spec.events) or {}).get("event") == "run_ended"

    @property
    def is_there(self) -> bool:
        """Whether there is something to say of it that was not said before its directory went."""
        return self.spec.events.exists() or self._state.outcome is None

    @property
    def tasks(self) -> Mapping[TaskId, TaskState]:
        return self.state.tasks

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it is going on."""
        return self.state.outcome

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Each start of its cluster, why it ended, and the present one at the end."""
        return self.state.attempts

    @property
    def collectives(self) -> Collectives:
        """Which collectives its strategy asked for, and which really ran as far as can be seen."""
        return collectives.of(self.spec, self.state)

    def watch(self, interval: float = 0.25, timeout: float = 0.0) -> Iterator[RunState]:
        """The state, again and again, until the run has ended or ``timeout`` seconds are over."""
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
            if self._engine is None or self._engine.wait(self.spec, pause):
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
            timeout: seconds to wait; 0 is for ever.
            check: raise unless it succeeded.
            show: called with the state, four times a second.

        Raises:
            RunTimeout: it is still going on.
            RunFailed: it did not succeed.
        """
        Flag().check(check, "check")
        if show is not None and not callable(show):
            raise BadInput(f"show cannot be {shown(show)}.", "Give a function of the state.")
        outcome = None
        for state in self.watch(timeout=timeout):
            outcome = state.outcome
            if show is not None:
                show(state)
        if outcome is None:
            raise RunTimeout(
                f"{self.name} is still going on after {timeout:g} s.",
                "It runs on: wait again, look at its logs, or stop it.",
            )
        if check:
            self.check()
        return outcome

    def check(self) -> None:
        """Raise :class:`RunFailed` if the run has ended otherwise than in success."""
        outcome = self.outcome
        if outcome is not None and not outcome.ok:
            where = f"Read the log of {outcome.culprit}" if outcome.culprit else "Read the logs"
            raise RunFailed(
                f"{self.name} {outcome.status}: {outcome.reason}.",
                f"{where}: %mw_logs{f' {outcome.culprit}' if outcome.culprit else ''}"
                f" (in a terminal: mwtutor logs).",
            )

    def stop(self, reason: str = "it was stopped") -> Outcome:
        """Stop every task, and wait until nothing is left.

        Raises:
            RunTimeout: nobody takes the order, or the run does not end.
        """
        Kind().check(reason, "reason")
        deadline = time.monotonic() + _PATIENCE
        while self.outcome is None and not self._tell_to_stop(reason):
            if time.monotonic() > deadline:
                raise RunTimeout(
                    f"{self.name} is still starting, and takes no orders yet.",
                    "Stop it again in a moment, or end the process that launches it.",
                )
            time.sleep(0.05)
        try:
            return self.wait(self.spec.request.grace + _PATIENCE, check=False)
        except RunTimeout:
            raise RunTimeout(
                f"{self.name} was told to stop, and still goes on.",
                f"Its supervisor may hang: kill -9 {self.state.supervisor[0]} ends it.",
            ) from None

    def _tell_to_stop(self, reason: str) -> bool:
        """Whether its supervisor could be told: by our connection, its socket, or a signal."""
        if self._engine is not None and self._engine.terminate(self.spec, reason):
            return True
        state = self.state
        with contextlib.suppress(NoRun):
            control.order(state.control, verb="stop", reason=reason)
            return True
        return processes.terminate(*state.supervisor)

    def kill(self, task: TaskId | str, number: int = signal.SIGKILL) -> None:
        """Send a signal to one task, as a fault to learn from.

        Raises:
            BadInput: there is no such task or signal.
            NoRun: the run has ended.
        """
        name = self.task(task)
        number = Signal().check(number, "The signal")
        state = self.state
        if state.outcome is not None:
            raise NoRun(f"{self.name} has ended.", "Launch it again to kill a task of it.")
        answer = control.order(state.control, verb="kill", task=str(name), signal=number)
        if "error" in answer:
            raise BadInput(f"{name} cannot be killed: {answer['error']}.", "Look at %mw_status.")

    def stacks(self, task: TaskId | str) -> tuple[ThreadStack, ...]:
        """Where a live task stands: the Python stacks of its threads, the main one first.

        The task is not stopped; one inside a collective, or any other native call, answers too.

        Raises:
            BadInput: there is no such task, or it cannot answer.
            NoRun: it has ended.
        """
        name = self.task(task)
        state = self.state
        seen = state.tasks[name]
        if seen.status.ended or state.outcome is not None:
            why = seen.reason or f"{name} {seen.status.value}"
            raise NoRun(
                f"{name} has ended, and stands nowhere: {why}.",
                f"What it printed last: %mw_logs {name} -n 20",
            )
        log = self.spec.log(name)
        asked = self._ask(state, name)
        found = stacks.await_answer(log, str(asked["token"]), stacks.PATIENCE)
        if found is None:  # native code holds Python's lock
            since = stacks.native_size(log)
            self._ask(state, name, native=True)
            found = stacks.await_native(log, since, stacks.PATIENCE)
        if not found:
            raise BadInput(f"{name} does not say where it stands.", "Ask again in a moment.")
        return found

    def _ask(self, state: RunState, task: TaskId, **how: bool) -> dict[str, Any]:
        answer = control.order(state.control, verb="stacks", task=str(task), **how)
        if "error" in answer:
            raise BadInput(f"{answer['error']}.", "Look at %mw_status.")
        return answer

    def task(self, task: TaskId | str) -> TaskId:
        """The task by its name, or the error that lists the names there are."""
        wanted = TaskId.parse(task) if isinstance(task, str) else task
        if not isinstance(wanted, TaskId):
            raise BadInput(f"{shown(task)} is not a task.", "Write it as worker:1.")
        if wanted not in list(self.tasks):  # compared, not hashed: it may hold anything
            known = ", ".join(str(name) for name in self.tasks) or "none yet"
            raise BadInput(f"{self.name} has no task {wanted}.", f"Its tasks are: {known}.")
        return wanted

    def history(self, metric: str, attempt: int = 0) -> dict[TaskId, list[tuple[int, float]]]:
        """The values of a metric over the training, task by task.

        Args:
            metric: its name, for example ``loss``.
            attempt: of a run that was restarted, only the values of this attempt, the first is 1;
                all unless given.

        Returns:
            For each task that reported it: (steps since the start, value), in order of time.

        Raises:
            BadInput: no task has reported a metric of that name.
        """
        Kind().check(metric, "The metric")
        attempt = Count().check(attempt, "attempt")
        found: dict[TaskId, list[tuple[int, float]]] = {}
        known: set[str] = set()
        for number, task in points(EventReader(self.spec.events).read()):
            if attempt not in (0, number):
                continue
            known |= set(task.metrics)
            if (value := task.metrics.get(harmless(metric))) is not None:
                done = ((task.epoch or 1) - 1) * (task.steps or 0)
                found.setdefault(task.id, []).append((done + (task.step or 0), value))
        if not found:
            names = ", ".join(sorted(known)) or "none yet"
            where = f" in attempt {attempt}" if attempt else ""
            raise BadInput(
                f"{self.name} has no metric {metric!r}{where}.", f"Its metrics are: {names}."
            )
        return found

    def tf_config(self, task: TaskId | str) -> str:
        """The ``TF_CONFIG`` that a task got."""
        name = self.task(task)
        try:
            return self.spec.tf_config(name).read_text(errors="replace").strip()
        except OSError as error:
            raise NoRun(
                f"The TF_CONFIG of {name} cannot be read: {error.strerror}.",
                "Launch the program again.",
            ) from None

    def _read(self) -> None:
        self._state = fold(self._state, self._reader.read())

    def _is_lost(self) -> bool:
        if self._engine is not None and self._engine.poll(self.spec):
            return False
        if self._lives():
            return False
        self._read()  # it may have begun or ended, and said so, between the two looks
        return self._state.outcome is None and not self._lives()

    def _lives(self) -> bool:
        """Whether its supervisor does or, before there is one, the process that launches it."""
        pid, started = self._state.supervisor
        if pid:
            return processes.alive(pid, started)
        launching = self.spec.path.is_dir() and time.time() - self.spec.created < _BEGIN
        return launching and processes.alive(*self.spec.launcher)
