"""Where exercises are found: those of the lessons, and those of a course author's own file."""

from __future__ import annotations

import difflib
import pkgutil
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor.exceptions import BadInput
from mwtutor.exercises import lessons, workspaces
from mwtutor.exercises.exercise import Exercise
from mwtutor.run.request.option_kinds import FilePath, Text
from mwtutor.singletons import the

_ID = re.compile(r"(?P<lesson>[A-Za-z0-9_.]+)-(?P<number>[0-9]+)")
_LESSON = re.compile(r"lesson_(?P<number>\d\d)")


class Own(dict[str, Exercise]):
    """The exercises of files that were loaded with :func:`load`, by id."""


def find(exercise: str) -> Exercise:
    """The exercise of that id, for example ``03-2``.

    Raises:
        BadInput: there is none.
    """
    wanted = Text().check(exercise, "The number of an exercise").strip()
    if wanted in the(Own):
        return the(Own)[wanted]
    match = _ID.fullmatch(wanted)
    if match is None:
        raise BadInput(
            f"{wanted!r} is not the number of an exercise.",
            "Write the lesson's number and the exercise's, for example 03-2.",
        )
    there = {one.id: one for one in _of_lesson(match["lesson"])}
    if wanted not in there:
        raise BadInput(f"There is no exercise {wanted}.", _known(match["lesson"], list(there)))
    return there[wanted]


def lesson_of(exercise: str) -> str:
    """The part of an id that names its lesson."""
    return exercise.rpartition("-")[0]


def all_lessons() -> Mapping[str, tuple[Exercise, ...]]:
    """Every lesson's exercises, by the lesson's number; a course author's own come last."""
    found = {
        match["number"]: _of_lesson(match["number"])
        for module in pkgutil.iter_modules(lessons.__path__)
        if (match := _LESSON.fullmatch(module.name))
    }
    for one in the(Own).values():
        lesson = lesson_of(one.id)
        kept = [other for other in found.get(lesson, ()) if other.id != one.id]
        found[lesson] = tuple(sorted([*kept, one], key=lambda other: other.id))
    return {lesson: found[lesson] for lesson in sorted(found) if found[lesson]}


def load(file: str | Path) -> tuple[Exercise, ...]:
    """Take the exercises of a course author's file, its ``EXERCISES``, beside those that are there.

    Args:
        file: its path, from here or from the notebook's directory.

    Raises:
        BadInput: the file is missing, cannot be executed, or has no exercises.
    """
    path = Path(FilePath().check(file, "The file of exercises"))
    places = [path, workspaces.home() / path]
    path = next((place for place in places if place.is_file()), places[0])
    if not path.is_file():
        raise BadInput(f"There is no file {path}.", "Write its path from the notebook's directory.")
    exercises = _checked(getattr(_executed(path), "EXERCISES", None), path)
    the(Own).update({one.id: one for one in exercises})
    return exercises


def _of_lesson(number: str) -> tuple[Exercise, ...]:
    name = f"lesson_{number}"
    if not _LESSON.fullmatch(name) or find_spec(f"{lessons.__name__}.{name}") is None:
        return ()
    exercises: tuple[Exercise, ...] = import_module(f"{lessons.__name__}.{name}").EXERCISES
    return exercises


def _known(lesson: str, there: Sequence[str]) -> str:
    own = [one for one in the(Own) if lesson_of(one) == lesson]
    if there or own:
        return f"Those of lesson {lesson} are: {', '.join([*there, *own])}."
    if lesson.zfill(2) in all_lessons():
        return f"A lesson's number has two digits: write {lesson.zfill(2)}."
    near = difflib.get_close_matches(lesson, all_lessons(), 1)
    also = f"; did you mean lesson {near[0]}?" if near else "."
    return f"Lesson {lesson} has none{also} %mw_progress lists all there are."


def _executed(path: Path) -> ModuleType:
    name = f"mwtutor_exercises_{path.stem}"
    spec = spec_from_file_location(name, path.absolute())
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} is not a Python file.", "Exercises are written in Python: name.py.")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses that it defines look there
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise BadInput(
            f"{path} cannot be executed: {type(error).__name__}: {error}{_line(error, path)}.",
            "Correct it, and load it again.",
        ) from None
    return module


def _line(error: BaseException, path: Path) -> str:
    file = str(path.absolute())
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    return f", line {lines[-1]}" if lines else ""


def _checked(exercises: Any, path: Path) -> tuple[Exercise, ...]:
    if not isinstance(exercises, (tuple, list)) or not exercises:
        raise BadInput(
            f"{path} has no exercises.", "It must have EXERCISES, a tuple of Exercise objects."
        )
    for one in exercises:
        if not isinstance(one, Exercise):
            raise BadInput(
                f"In the EXERCISES of {path} there is a {type(one).__name__}.",
                "Make each with mwtutor.exercises.Exercise.",
            )
        if not isinstance(one.id, str) or not _ID.fullmatch(one.id):
            raise BadInput(
                f"In {path} an exercise has the number {one.id!r}.",
                "Write the lesson's name and the exercise's number, for example mine-1.",
            )
    return tuple(exercises)
