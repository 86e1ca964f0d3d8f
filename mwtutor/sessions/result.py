"""Cells as values: their code, their output, and how they ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from mwtutor.cluster import TaskId
from mwtutor.exceptions import CellFailed, CellInterrupted
from mwtutor.run.observations.exchanges import join_names

#: Marks the error of a released collective, see :mod:`mwtutor.worker.cell_kernel`.
RELEASED = "released by mwtutor"

ANSI = re.compile(r"\x1b\[[0-9;]*m")

#: Seconds within which it is unknown which of two workers raised first: showing an error takes
#: time.
TOGETHER = 0.3

#: Seconds by which a collective's error may be shown before the error that caused it.
OVERTAKES = 1.0

#: Hints for errors that have a different meaning in a worker.
_HINTS = {
    "StdinNotImplementedError": "A worker cannot ask for input: set the value in the cell, or"
    " read it in the notebook and %mw_push it.",
    "StrategyLost": "%mw_restart restores it; choose another name for what you define.",
    "SystemExit": "The workers keep running: %mw_stop ends the session.",
}

#: What to do if workers no longer exist.
_FRESH = (
    "%mw_restart starts fresh workers; with %mw_start --restarts N, mwtutor restarts them. %mw_logs"
    " shows what the old workers printed."
)

#: Sentences that replace the name of an error that the cell itself did not cause.
_PROBLEMS = {"StrategyLost": "`strategy`, which %%mw_scope needs, is no longer a strategy"}


@dataclass(frozen=True)
class Output:
    """One message from a cell, in the terms of Jupyter's messaging protocol.

    Attributes:
        kind: a stream, a display or result, the update of a display, or a request to clear.
        text: the text of a stream.
        data, metadata: the bundle of a display, by MIME type.
        display_id: the id of a display that can be updated.
        wait: whether a request to clear waits for the next output.
    """

    kind: Literal["stdout", "stderr", "display", "update", "clear"]
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    display_id: str = ""
    wait: bool = False


class Listener(Protocol):
    """Receives what happens while a cell runs."""

    def output(self, task: TaskId, output: Output) -> None: ...

    def ended(self, task: TaskId) -> None: ...

    def tick(self) -> None: ...


@dataclass(frozen=True)
class CellError:
    """An error that a cell raised in one worker, as IPython shows it there.

    Attributes:
        told: the error in a sentence, with its name, if the worker could describe it.
        advice: its meaning, and what to do; empty if unknown.
        at: the time at which it was shown (seconds since the epoch).
    """

    name: str
    message: str
    traceback: tuple[str, ...] = ()
    told: str = ""
    advice: str = ""
    at: float = 0.0

    @property
    def released(self) -> bool:
        """Whether this error only marks the end of a wait for other workers."""
        return RELEASED in self.message or any(RELEASED in line for line in self.traceback)

    @property
    def sentence(self) -> str:
        return self.told or f"{self.name}: {ANSI.sub('', self.message)[:200]}"

    @property
    def of_collective(self) -> bool:
        """Whether another worker's error may have caused this one."""
        return "collective" in self.message.lower()

    @property
    def essence(self) -> tuple[str, str]:
        """The error without details: identical for workers that made the same mistake."""
        return self.name, re.sub(r"0x[0-9a-f]+", "0x", ANSI.sub("", self.message))


@dataclass(frozen=True)
class CellResult:
    """How a cell ended.

    Attributes:
        tasks: the tasks that executed it.
        errors: the errors that it raised, by task.
        released: the tasks whose wait for others mwtutor ended.
        interrupted: whether the user interrupted it, or the session did because no worker was left.
        running: the tasks that are still executing it despite an interrupt.
        disturbed: whether an earlier cell was cut short, possibly at a different step on each task.
        scheduled: the number of closures scheduled with a coordinator that are not done yet.
        stranded: a sentence if no worker is left to compute them; otherwise empty.
        waited_at: where the released tasks waited, for example ``line 3 of cell 7``; empty if
            unknown.
    """

    tasks: tuple[TaskId, ...]
    errors: Mapping[TaskId, CellError] = field(default_factory=dict)
    released: tuple[TaskId, ...] = ()
    interrupted: bool = False
    running: tuple[TaskId, ...] = ()
    disturbed: bool = False
    scheduled: int = 0
    stranded: str = ""
    waited_at: str = ""

    @property
    def ok(self) -> bool:
        return not self.errors and not self.interrupted and not self.running

    @property
    def warning(self) -> str:
        """A warning about a cell that succeeded; usually empty."""
        if not self.ok or not self.released:
            return ""
        return (
            f"{list_names(self.released)} waited in {self._collective} for workers that take no"
            " part in it, and had to be released. Collectives no longer work in this session:"
            " %mw_restart starts fresh workers."
        )

    @property
    def _collective(self) -> str:
        return f"a collective, at {self.waited_at}," if self.waited_at else "a collective"

    def check(self) -> None:
        """Raise an error unless the cell succeeded everywhere.

        Raises:
            CellInterrupted: the user interrupted it.
            CellFailed: it raised, or it waited for workers that have all ended; the traceback is
                the worker's, shown once.
        """
        if self.scheduled and self.stranded:
            raise CellFailed(f"{self.stranded} The cell was interrupted.", _FRESH)
        if self.interrupted or self.running:
            raise CellInterrupted(*self._interruption())
        causes = {task: error for task, error in self.errors.items() if not error.released}
        if not causes and self.errors:
            self._raise_for_wait()
        elif causes:
            self._raise_for(causes)

    def _interruption(self) -> tuple[str, str]:
        if self.running:
            return (
                f"The cell was interrupted, but is still running on {list_names(self.running)}.",
                "%mw_restart starts fresh workers.",
            )
        if self.released:
            return (
                f"The cell was interrupted, and {list_names(self.released)} had to be released from"
                " a collective.",
                "Collectives no longer work in this session: %mw_restart starts fresh workers.",
            )
        remedy = "The session is still usable."
        if self.scheduled:
            remedy += " Scheduled functions continue: coordinator.join() waits for them."
        return f"The cell was interrupted on {list_names(self.tasks)}.", remedy

    def _raise_for_wait(self) -> None:
        waiting = tuple(self.errors)
        if self.released:
            problem = (
                f"{list_names(waiting)} waited in {self._collective} for workers that take no part"
                " in it, and had to be released."
            )
            remedy = (
                "Use %mw_restart, because collectives no longer work in this session, and run cells"
                " with collectives (fit, strategy.run, reduce) on every worker."
            )
        else:
            problem = (
                "This cell needs collectives, which no longer work in this session because a worker"
                " had to be released from one."
            )
            remedy = "%mw_restart starts fresh workers."
        raise CellFailed(problem, remedy)

    def _raise_for(self, causes: Mapping[TaskId, CellError]) -> None:
        early = _early(causes)
        first = early[0]
        same = tuple(task for task, error in causes.items() if error.essence == first.essence)
        others = [(task, error) for task, error in causes.items() if task not in same]
        parts = [f"{_PROBLEMS.get(first.name, first.name)} on {list_names(same)}."]
        if others and all(error not in early for _, error in others):
            parts = [f"{list_names(same)} raised first: {_ended(first.sentence)}"]
        parts += [f"{task} raised {_ended(error.sentence)}" for task, error in others]
        # Later errors are usually consequences of the first, and need no advice.
        advice = dict.fromkeys(error.advice for error in early)
        remedies = [*advice, _HINTS.get(first.name, "")]
        if self.released:
            parts.append(
                f"{list_names(self.released)} waited for it in {self._collective} and had to be"
                " released."
            )
            remedies.append(
                "Collectives no longer work in this session: %mw_restart starts fresh workers."
            )
        elif self._out_of_step(causes):
            parts.append(
                "An earlier cell was cut short and left the workers at different steps, so"
                " collectives no longer work in this session."
            )
            remedies.append("%mw_restart starts fresh workers.")
        raise CellFailed(" ".join(parts), " ".join(filter(None, remedies)), first.traceback)

    def _out_of_step(self, causes: Mapping[TaskId, CellError]) -> bool:
        """Whether a collective failed because an earlier one was cut short.

        The released worker reports this itself; the messages of the others are TensorFlow's
        guesses.
        """
        of_collective = any("collective" in error.message.lower() for error in causes.values())
        return len(causes) < len(self.errors) or (self.disturbed and of_collective)


def _early(causes: Mapping[TaskId, CellError]) -> list[CellError]:
    """The errors that cannot be shown to be consequences of others, in the cluster's order."""
    times = [error.at + OVERTAKES * error.of_collective for error in causes.values()]
    at_once = min(times) + TOGETHER
    return [error for error, at in zip(causes.values(), times, strict=True) if at <= at_once]


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else f"{sentence}."


@dataclass(frozen=True)
class Cell:
    """An executed cell, as an exported script needs it.

    Attributes:
        source: its body.
        scope: whether it ran inside ``strategy.scope()``.
        tasks: the tasks on which it ran; empty for all.
        place: its cell in the notebook, if known.
    """

    source: str
    scope: bool = False
    tasks: tuple[TaskId, ...] = ()
    place: str = ""


def list_names(tasks: Sequence[TaskId]) -> str:
    """``worker:0, worker:1 and worker:2``: all of them, however many there are."""
    return join_names(tasks, len(tasks))
