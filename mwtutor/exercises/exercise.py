"""What an exercise is, and what its check gets and gives."""

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
    """What a check has found.

    Attributes:
        status: ``not yet`` is what a stub is: nothing that could be judged is there; ``not judged``
            is never said by an exercise's own check, but where that could not be carried out.
        words: what was seen; of a wrong solution also the misconception it shows, never the
            solution.
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
    """What a learner has done, as a check may look at it. Nothing done to it reaches the learner.

    Attributes:
        folder: the lesson's workspace.
        session: of the exercise's ``session`` expressions, the value on each worker; an expression
            that raised, or that no session could be asked, is missing, and has no worker's value
            if it is asked for all the same.
    """

    session: Mapping[str, Mapping[TaskId, Any]]

    @property
    def folder(self) -> Path: ...

    def value(self, name: str) -> Any:
        """A variable of the notebook; None if there is none."""

    def run(self, name: str) -> Run | None:
        """The latest run of that name in the workspace, if there is one."""


def ended(work: Work, program: str) -> Run | Verdict:
    """The latest run of a program that has ended, or the verdict that there is none yet.

    Args:
        program: the script's file name; the run has the name that it is given if no other is.
    """
    run = work.run(Path(program).stem)
    if run is None:
        return not_yet(f"{program} has not been launched.")
    if run.outcome is None:
        return not_yet(f"{program} is still running: wait for it, then check again.")
    return run


@dataclass(frozen=True)
class Sabotage:
    """A wrong solution that a learner may well write.

    Attributes:
        misconception: what whoever writes it believes, in a few words.
        code: what stands in the exercise's cell.
        says: words of the verdict on it, and on no other sabotage of the exercise.
    """

    misconception: str
    code: str
    says: str


@dataclass(frozen=True)
class Exercise:
    """A task for a learner.

    Attributes:
        id: the lesson's number and the exercise's, ``03-2``.
        title, task: what is asked; the task in Markdown.
        stub: what stands in the exercise's cell at first. It runs, and solves nothing.
        check: looks at what the learner has done. It never returns the solution.
        hints: one more each time, from vague to precise.
        solution, reasoning: code that solves it, and why it does.
        sabotages: wrong solutions that the check must tell apart.
        session: expressions evaluated on each worker of the running session before the check.
        seconds: how long the check may take.
        hard: whether it is marked as hard.
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
