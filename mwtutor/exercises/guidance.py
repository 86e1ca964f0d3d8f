"""Hints, solutions, and how far a learner has got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mwtutor.exceptions import BadInput
from mwtutor.exercises import catalogue, records
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.records import Record
from mwtutor.notices import notice


@dataclass(frozen=True)
class Hints:
    """The hints that a learner has been given.

    Attributes:
        shown: those, the new one last.
        new: whether the last one is new; there are no more if not.
        note: why that could not be kept, a sentence; empty if it was.
    """

    exercise: Exercise
    shown: tuple[str, ...]
    new: bool
    note: str = ""


@dataclass(frozen=True)
class Progress:
    """One exercise, and what a learner has done of it."""

    exercise: Exercise
    record: Record


def hint(exercise: str) -> Hints:
    """One more hint each time.

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

    known, lost = records.note(wanted.id, one_more)
    return Hints(wanted, wanted.hints[: known.hints], known.hints > before, lost)


def solution(exercise: str) -> Exercise:
    """The exercise, with its ``solution`` and its ``reasoning``; it is noted that it was asked for.

    Raises:
        BadInput: there is no such exercise.
    """
    wanted = catalogue.find(exercise)
    _, lost = records.note(wanted.id, lambda known: replace(known, solution=True))
    if lost:
        notice(lost)
    return wanted


def progress(lesson: str = "") -> Mapping[str, tuple[Progress, ...]]:
    """How far a learner has got in each lesson, by its number.

    Args:
        lesson: only this one, for example ``03``.

    Raises:
        BadInput: it has no exercises, or what is kept cannot be read.
    """
    known, there = records.records(), catalogue.all_lessons()
    if lesson and lesson not in there:
        listed = ", ".join(there) or "none yet"
        raise BadInput(f"There is no lesson {lesson} with exercises.", f"Those are: {listed}.")
    return {
        number: tuple(Progress(one, known.get(one.id, Record())) for one in exercises)
        for number, exercises in there.items()
        if lesson in ("", number)
    }
