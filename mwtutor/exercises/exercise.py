"""Exercises, and the arguments and results of their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from mwtutor.cluster import TaskId
from mwtutor.run.run import Run

Status = Literal["right", "wrong", "not yet", "not judged"]


@dataclass(frozen=True)
class Verdict:
    """The finding of a check.

    Attributes:
        status: ``not yet`` is for a stub, with nothing to judge. ``not judged`` means that the
            check could not be carried out; an exercise's own check never returns it.
        words: the observation; for a wrong solution also its misconception, never the solution.
    """

    status: Status
    words: str


def right(words: str) -> Verdict:
    return Verdict("right", words)


def wrong(words: str) -> Verdict:
    return Verdict("wrong", words)


def not_yet(words: str = "") -> Verdict:
    return Verdict("not yet", words)


class Work(Protocol):
    """A learner's work, as a check sees it. Changes to it have no effect on the learner's notebook.

    Attributes:
        folder: the lesson's workspace.
        session: for each of the exercise's ``session`` expressions, the value on each worker; an
            expression that raised an error, or that no session could evaluate, is missing, and
            looking it up gives no values.
    """

    session: Mapping[str, Mapping[TaskId, Any]]

    @property
    def folder(self) -> Path: ...

    def value(self, name: str) -> Any:
        """A variable of the notebook; None if there is none."""

    def run(self, name: str) -> Run | None:
        """The latest run of that name in the workspace, if there is one."""


def ended(work: Work, program: str) -> Run | Verdict:
    """The latest ended run of a program, or the verdict that there is none yet.

    Args:
        program: the script's file name; the run must have its default name.
    """
    run = work.run(Path(program).stem)
    if run is None:
        return not_yet(f"{program} has not been launched.")
    if run.outcome is None:
        return not_yet(f"{program} is still running: wait for it, then check again.")
    return run


@dataclass(frozen=True)
class Sabotage:
    """A wrong solution that a learner is likely to write.

    Attributes:
        misconception: the belief behind it, in a few words.
        code: the content of the exercise's cell.
        says: words that occur in its verdict, but not in those of the exercise's other sabotages.
    """

    misconception: str
    code: str
    says: str


@dataclass(frozen=True)
class Exercise:
    """A task for a learner.

    Attributes:
        id: the lesson's number and the exercise's, ``03-2``.
        title, task: both are shown; the task is Markdown.
        stub: the initial content of the exercise's cell. It runs, and solves nothing.
        check: examines the learner's work. It never returns the solution.
        hints: shown one by one, from vague to precise.
        solution, reasoning: code that solves it, and the reason.
        sabotages: wrong solutions that the check must distinguish.
        session: expressions evaluated on each worker of the running session before the check.
        seconds: the time limit of the check.
        hard: whether it is marked as hard.
        launch: the arguments of ``%mw_launch`` that run the stub if it is a whole program; empty
            for an exercise whose cells are in a notebook.
    """

    id: str
    title: str
    task: str
    stub: str
    check: Callable[[Work], Verdict] = field(repr=False)
    hints: tuple[str, ...]
    solution: str
    reasoning: str
    sabotages: tuple[Sabotage, ...]
    session: tuple[str, ...] = ()
    seconds: float = 20.0
    hard: bool = False
    launch: str = ""

    @property
    def is_writing_task(self) -> bool:
        """Whether this is a writing task, ``03-w2``: a function of a few lines in a section."""
        return self.id.rpartition("-")[2].startswith("w")

    def misconception(self, words: str) -> str:
        """The misconception that a wrong verdict shows; empty if it shows no known one."""
        return next((one.misconception for one in self.sabotages if one.says in words), "")
