"""Cells as values: what was executed, what came out of it, how it ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from mwtutor.cluster import TaskId
from mwtutor.exceptions import CellFailed, CellInterrupted

#: In the error of a collective that was released, see :mod:`mwtutor.worker.cell_kernel`.
RELEASED = "released by mwtutor"

ANSI = re.compile(r"\x1b\[[0-9;]*m")

#: What to say beside errors that mean something else in a worker.
_HINTS = {
    "StdinNotImplementedError": "A worker has nobody to ask: set the value in the cell, or read it"
    " in the notebook and %mw_push it.",
    "StrategyLost": "%mw_restart brings it back; give what you define another name.",
    "SystemExit": "The workers stay: %mw_stop ends the session.",
}

#: What to say instead of the name of an error that is not the cell's own.
_PROBLEMS = {"StrategyLost": "`strategy`, which %%mw_scope needs, is not a strategy any more"}


@dataclass(frozen=True)
class Output:
    """One message that a cell has put out, in the terms of Jupyter's messaging.

    Attributes:
        kind: a stream, a display or result, the update of a display, or the wish to clear.
        text: for a stream.
        data, metadata: the bundle of a display, by MIME type.
        display_id: of a display that can be updated.
        wait: for clear: whether to wait for the next output.
    """

    kind: Literal["stdout", "stderr", "display", "update", "clear"]
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    display_id: str = ""
    wait: bool = False


class Listener(Protocol):
    """Is told what happens while a cell runs."""

    def output(self, task: TaskId, output: Output) -> None: ...

    def ended(self, task: TaskId) -> None: ...

    def tick(self) -> None: ...


@dataclass(frozen=True)
class CellError:
    """What a cell raised in one worker, as IPython shows it there."""

    name: str
    message: str
    traceback: tuple[str, ...] = ()

    @property
    def released(self) -> bool:
        """Whether it is only the end of a wait for others."""
        return RELEASED in self.message or any(RELEASED in line for line in self.traceback)

    @property
    def essence(self) -> tuple[str, str]:
        """What is the same when several workers have made the same mistake."""
        return self.name, re.sub(r"0x[0-9a-f]+", "0x", ANSI.sub("", self.message))


@dataclass(frozen=True)
class CellResult:
    """How a cell ended.

    Attributes:
        tasks: where it was executed.
        errors: what it raised, where it did.
        released: the tasks that were freed from waiting for the others.
        interrupted: whether a person has interrupted it.
        running: the tasks that are still executing it, whatever was tried.
        disturbed: whether an earlier cell was cut short, possibly at another step on each task.
    """

    tasks: tuple[TaskId, ...]
    errors: Mapping[TaskId, CellError] = field(default_factory=dict)
    released: tuple[TaskId, ...] = ()
    interrupted: bool = False
    running: tuple[TaskId, ...] = ()
    disturbed: bool = False

    @property
    def ok(self) -> bool:
        return not self.errors and not self.interrupted and not self.running

    @property
    def warning(self) -> str:
        """What there is to say of a cell that has succeeded all the same; mostly nothing."""
        if not self.ok or not self.released:
            return ""
        return (
            f"{listed(self.released)} waited in a collective for workers that do not take part in"
            " it, and was released. Collectives cannot be used any more here: %mw_restart gives"
            " fresh workers."
        )

    def check(self) -> None:
        """Raise what there is to say unless the cell has succeeded everywhere.

        Raises:
            CellInterrupted: a person has interrupted it.
            CellFailed: it raised; the traceback is the worker's, shown once.
        """
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
                f"The cell was interrupted, and {listed(self.running)} does not react.",
                "%mw_restart gives fresh workers.",
            )
        if self.released:
            return (
                f"The cell was interrupted; {listed(self.released)} was waiting in a collective"
                " and has been released.",
                "Collectives cannot be used any more here: %mw_restart gives fresh workers.",
            )
        return f"The cell was interrupted on {listed(self.tasks)}.", "The session can be used on."

    def _raise_for_wait(self) -> None:
        waiting = tuple(self.errors)
        if self.released:
            problem = (
                f"{listed(waiting)} waited in a collective for workers that do not take part in"
                " it, and was released."
            )
            remedy = (
                "Run cells with collectives (fit, strategy.run, reduce) on every worker, then"
                " %mw_restart: this session's collectives cannot be used any more."
            )
        else:
            problem = (
                "This cell needs collectives, and those of this session cannot be used any more"
                " since a worker was released from one."
            )
            remedy = "%mw_restart gives fresh workers."
        raise CellFailed(problem, remedy)

    def _raise_for(self, causes: Mapping[TaskId, CellError]) -> None:
        first = next(iter(causes.values()))
        same = tuple(task for task, error in causes.items() if error.essence == first.essence)
        parts = [f"{_PROBLEMS.get(first.name, first.name)} on {listed(same)}."]
        parts += [
            f"{task} raised {error.name}: {ANSI.sub('', error.message)[:200]}."
            for task, error in causes.items()
            if task not in same
        ]
        remedies = [_HINTS.get(first.name, "")]
        if self.released:
            parts.append(f"{listed(self.released)} waited for it in a collective: released.")
            remedies.append(
                "Collectives cannot be used any more here: %mw_restart gives fresh workers."
            )
        elif self._out_of_step(causes):
            parts.append(
                "An earlier cell was cut short and left the workers at different steps: the"
                " collectives of this session cannot be used any more."
            )
            remedies.append("%mw_restart gives fresh workers.")
        raise CellFailed(" ".join(parts), " ".join(filter(None, remedies)), first.traceback)

    def _out_of_step(self, causes: Mapping[TaskId, CellError]) -> bool:
        """Whether a collective failed because of what happened to an earlier one.

        The worker that was released says so itself; what the others say is TensorFlow's guess.
        """
        of_collective = any("collective" in error.message.lower() for error in causes.values())
        return len(causes) < len(self.errors) or (self.disturbed and of_collective)


@dataclass(frozen=True)
class Cell:
    """A cell that has been executed, as an exported script needs it.

    Attributes:
        source: its body.
        scope: whether it ran inside ``strategy.scope()``.
        tasks: where it ran, if not everywhere.
        place: which cell of the notebook it is, if that is known.
    """

    source: str
    scope: bool = False
    tasks: tuple[TaskId, ...] = ()
    place: str = ""


def listed(tasks: Sequence[TaskId]) -> str:
    """``worker:0, worker:1 and worker:2``."""
    *rest, last = map(str, tasks)
    return f"{', '.join(rest)} and {last}" if rest else last
