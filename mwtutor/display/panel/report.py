"""What is shown of a run, as plain values; how it looks is left to text and HTML."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mwtutor.cluster import TaskId
from mwtutor.run.observations.curves import Course
from mwtutor.run.observations.standing import Standing


@dataclass(frozen=True)
class Row:
    """One task.

    Attributes:
        state: as a word, for the color.
        cells: of the table, as text.
        curve: what the cell below :attr:`Report.drawn` shows.
    """

    task: TaskId
    state: str
    cells: tuple[str, ...]
    curve: tuple[float, ...] = ()


@dataclass(frozen=True)
class Bar:
    """How far the training is: the part that is done, if that is known, and words."""

    done: float | None
    words: str


@dataclass(frozen=True)
class Fold:
    """The last lines of a task's log, which a reader can unfold; ``open`` is unfolded at once."""

    task: TaskId
    state: str
    lines: tuple[str, ...]
    open: bool


@dataclass(frozen=True)
class Seen:
    """What is known of a run besides its state: what was measured, and asked of its tasks.

    Attributes:
        course: what its tasks have reported so far.
        usage: what each takes of its machine: bytes, and the part of a processor, if it is known.
        standings: where they stand, if they were asked.
        missing: whose exchange is missing, in words.
        then: when it stood so (seconds since the epoch), if that is past: then the logs may say
            more by now than they did.
    """

    course: Course | None = None
    usage: Mapping[TaskId, tuple[int, float | None]] = field(default_factory=dict)
    standings: Sequence[Standing] = ()
    missing: str = ""
    then: float = 0.0

    @property
    def now(self) -> float:
        """When it stands so (seconds since the epoch)."""
        return self.then or time.time()


#: Nothing but the state is known, which is that of this moment.
NOW = Seen()


@dataclass(frozen=True)
class Report:
    """Everything that is shown of a run.

    Attributes:
        name, state: for the headline; ``facts`` follow it.
        header, rows: the table of tasks.
        bar: how far its training is; None if nothing was reported.
        spare: the column from which on a narrow page can do without them.
        drawn: the metric whose curve the table has, and in which column; none is empty and 0.
        folds: the logs of a run that has ended.
        attempts: why it was restarted, each time.
        problem: what went wrong, in a sentence; empty if nothing did.
        evidence: the last lines of the task that failed first.
        hints: what to do next.
        ended: whether this is how it ended.
    """

    name: str
    state: str
    facts: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    spare: int = sys.maxsize
    bar: Bar | None = None
    drawn: tuple[str, int] = ("", 0)
    folds: tuple[Fold, ...] = ()
    attempts: tuple[str, ...] = ()
    problem: str = ""
    evidence: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    ended: bool = False
