"""The content of a run's display as plain values, for rendering as text or HTML."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mwtutor.cluster import TaskId
from mwtutor.run.observations.curves import Course
from mwtutor.run.observations.standing import Standing
from mwtutor.run.record.spec import RunSpec


@dataclass(frozen=True)
class Row:
    """One task.

    Attributes:
        state: a word, which determines the color.
        cells: the cells of the table row, as text.
        curve: the curve in the column :attr:`Table.drawn`.
    """

    task: TaskId
    state: str
    cells: tuple[str, ...]
    curve: tuple[float, ...] = ()


@dataclass(frozen=True)
class Table:
    """The table of tasks.

    Attributes:
        spare: the first column that a narrow page leaves out.
        drawn: the metric whose curve the table shows, and its column; empty and 0 if there is none.
    """

    header: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    spare: int = sys.maxsize
    drawn: tuple[str, int] = ("", 0)


@dataclass(frozen=True)
class Bar:
    """The training's progress: the fraction done, if known, and the text to show."""

    done: float | None
    words: str


@dataclass(frozen=True)
class Fold:
    """The last lines of a task's log, which a reader can unfold; ``open`` starts unfolded."""

    task: TaskId
    state: str
    lines: tuple[str, ...]
    open: bool


@dataclass(frozen=True)
class Seen:
    """Facts about a run besides its state, measured or requested from its tasks.

    Attributes:
        course: what the tasks have reported so far.
        usage: each task's memory in bytes, and its share of a processor, if known.
        standings: the tasks' current positions in the code, if requested.
        missing: which tasks' exchange is missing, in words.
        then: the time of these facts (seconds since the epoch), if it is in the past; the logs may
            contain more by now.
    """

    course: Course | None = None
    usage: Mapping[TaskId, tuple[int, float | None]] = field(default_factory=dict)
    standings: Sequence[Standing] = ()
    missing: str = ""
    then: float = 0.0

    def now(self, spec: RunSpec) -> float:
        """The time of these facts (seconds since the epoch)."""
        return self.then or spec.now()


#: Only the current state is known.
NOW = Seen()


@dataclass(frozen=True)
class Report:
    """Everything that a run's display shows.

    Attributes:
        name, state: the headline; ``facts`` follow it.
        bar: the training's progress; None if nothing was reported.
        folds: the logs of a run that has ended.
        attempts: the reason for each restart.
        problem: the reason for a failure, in a sentence; empty if there was none.
        evidence: the last lines of the task that failed first.
        hints: what to do next.
        ended: whether the run has ended.
    """

    name: str
    state: str
    facts: tuple[str, ...]
    table: Table = Table()
    bar: Bar | None = None
    folds: tuple[Fold, ...] = ()
    attempts: tuple[str, ...] = ()
    problem: str = ""
    evidence: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    ended: bool = False
