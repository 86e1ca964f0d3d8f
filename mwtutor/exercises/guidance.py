"""Hints, solutions, and a learner's progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mwtutor.exceptions import BadInput
from mwtutor.exercises import catalogue
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.predictions import PREDICTIONS
from mwtutor.exercises.records import EXERCISES, Record
from mwtutor.notices import notice


@dataclass(frozen=True)
class Hints:
    """The hints that a learner has seen.

    Attributes:
        shown: these hints, the new one last.
        new: whether the last one is new; if not, there are no more.
        note: why this could not be recorded, as a sentence; empty if it was.
    """

    exercise: Exercise
    shown: tuple[str, ...]
    new: bool
    note: str = ""


@dataclass(frozen=True)
class Progress:
    """One exercise, with a learner's record of it."""

    exercise: Exercise
    record: Record


def hint(exercise: str) -> Hints:
    """Show one more hint with each call.

    Raises:
        BadInput: there is no such exercise.
    """
    wanted = catalogue.find(exercise)
    there = len(wanted.hints)
    before = 0

    def one_more(known: Record) -> Record:
        nonlocal before
        before = min(known.hints, there)
        return replace(known, hints=min(before + 1, there))

    known, lost = EXERCISES.note(wanted.id, one_more)
    return Hints(wanted, wanted.hints[: known.hints], known.hints > before, lost)


def solution(exercise: str) -> Exercise:
    """The exercise, with its ``solution`` and its ``reasoning``; records that they were requested.

    Raises:
        BadInput: there is no such exercise.
    """
    wanted = catalogue.find(exercise)
    _, lost = EXERCISES.note(wanted.id, lambda known: replace(known, solution=True))
    if lost:
        notice(lost)
    return wanted


def progress(lesson: str = "") -> Mapping[str, tuple[Progress, ...]]:
    """A learner's progress in each lesson, by its number.

    Args:
        lesson: only this one, for example ``03``.

    Raises:
        BadInput: it has no exercises, or the record cannot be read.
    """
    known, there = EXERCISES.all(), catalogue.all_lessons()
    if lesson and lesson not in there:
        listed = ", ".join(there) or "none yet"
        raise BadInput(f"There is no lesson {lesson} with exercises.", f"Choose from: {listed}.")
    return {
        number: tuple(Progress(one, known.get(one.id, Record())) for one in exercises)
        for number, exercises in there.items()
        if lesson in ("", number)
    }


@dataclass(frozen=True)
class Score:
    """How many predicted values were right, of those predicted before the outcome was known."""

    right: int
    made: int


def score(lesson: str = "") -> Score:
    """The score of a learner's predictions.

    Args:
        lesson: count only this one, for example ``03``.

    Raises:
        BadInput: the predictions cannot be read.
    """
    hits = [
        hit
        for number, one in PREDICTIONS.all().items()
        if one.counts and lesson in ("", catalogue.lesson_of(number))
        for hit in one.hits
    ]
    return Score(sum(hits), len(hits))
