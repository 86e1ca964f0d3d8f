"""The known exercises: those of the lessons, and a course author's own."""

from __future__ import annotations

import difflib
import functools
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import lessons, workspaces
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.folders import is_exercise, read_folder
from mwtutor.exercises.task_md import ID
from mwtutor.run.request.option_kinds import FilePath, Text
from mwtutor.singletons import singleton

_LESSON = re.compile(r"lesson_(?P<number>\d\d)")

#: The folder of the lessons: the exercises of lesson 03 are ``lesson_03/exercise_1`` and so on.
_LESSONS = Path(lessons.__file__).parent


class Own(dict[str, Exercise]):
    """The exercises that were loaded with :func:`load`, by id."""


def find(exercise: str) -> Exercise:
    """The exercise with that id, for example ``03-2``.

    Raises:
        BadInput: it does not exist.
    """
    wanted = Text().check(exercise, "The number of an exercise").strip()
    if wanted in singleton(Own):
        return singleton(Own)[wanted]
    match = ID.fullmatch(wanted)
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
    """Every lesson's exercises; a course author's exercises replace those with the same ids."""
    found = {
        match["number"]: _of_lesson(match["number"])
        for path in _LESSONS.iterdir()
        if (match := _LESSON.fullmatch(path.stem))
    }
    for one in singleton(Own).values():
        lesson = lesson_of(one.id)
        kept = [other for other in found.get(lesson, ()) if other.id != one.id]
        found[lesson] = tuple(sorted([*kept, one], key=lambda other: other.id))
    return {lesson: found[lesson] for lesson in sorted(found) if found[lesson]}


def load(path: str | Path) -> tuple[Exercise, ...]:
    """Add a course author's exercises to the existing ones.

    Args:
        path: an exercise's folder, a folder of such folders, or a Python file with a tuple
            ``EXERCISES``; relative to the working or the notebook's directory.

    Raises:
        BadInput: there is no exercise, or a part of one is missing or cannot be read or executed.
    """
    name = Path(FilePath().check(path, "The folder of exercises"))
    places = [name, workspaces.home() / name]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        raise BadInput(
            f"{name} does not exist.", "Write its path relative to the notebook's directory."
        )
    if found.is_dir():
        exercises = tuple(read_folder(one, _executed) for one in folders_in(found))
    else:
        exercises = _checked(getattr(_executed(found), "EXERCISES", None), found)
    singleton(Own).update({one.id: one for one in exercises})
    return exercises


def folders_of(what: str) -> list[Path]:
    """The exercise folders of a lesson, named by its number, ``03``, or by an exercise, ``03-2``.

    Args:
        what: such a number; anything else is the path of your own exercises.

    Raises:
        BadInput: there are none.
    """
    match = ID.fullmatch(what)
    lesson = _LESSONS / f"lesson_{match['lesson'] if match else what}"
    if not lesson.is_dir():
        return folders_in(Path(what))
    if match:
        find(what)
    return folders_in(lesson)


def folders_in(path: Path) -> list[Path]:
    """The folder, if it is an exercise, or else the folders of exercises in it.

    Raises:
        BadInput: there is none, or they cannot be listed.
    """
    if not path.exists():
        raise BadInput(
            f"{path} does not exist.", "Create it with `mwtutor exercise new DIR`, or name another."
        )
    try:
        folders = [path] if is_exercise(path) else sorted(filter(is_exercise, path.iterdir()))
    except OSError as error:
        raise BadInput(
            f"{path} cannot be listed: {message_of(error)}.", "Make it readable."
        ) from None
    if not folders:
        raise BadInput(
            f"{path} has no exercises.",
            "Name an exercise's folder, with task.md and check.py, or a folder of such folders.",
        )
    return folders


@functools.cache
def _of_lesson(number: str) -> tuple[Exercise, ...]:
    name = f"lesson_{number}"
    if not _LESSON.fullmatch(name):
        return ()
    folders = sorted(filter(is_exercise, _LESSONS.glob(f"{name}/*")))
    return tuple(read_folder(one, _imported) for one in folders)


def _imported(check: Path) -> ModuleType:
    parts = check.relative_to(_LESSONS).with_suffix("").parts
    return import_module(".".join([lessons.__name__, *parts]))


def _known(lesson: str, there: Sequence[str]) -> str:
    own = [one for one in singleton(Own) if lesson_of(one) == lesson]
    if there or own:
        return f"Choose an exercise from lesson {lesson}: {', '.join([*there, *own])}."
    if lesson.zfill(2) in all_lessons():
        return f"A lesson's number has two digits: write {lesson.zfill(2)}."
    near = difflib.get_close_matches(lesson, all_lessons(), 1)
    also = f"; did you mean lesson {near[0]}?" if near else "."
    return f"Lesson {lesson} has no exercises{also} %mw_progress lists all exercises."


def _executed(path: Path) -> ModuleType:
    name = f"mwtutor_exercises_{path.parent.name}_{path.stem}"
    spec = spec_from_file_location(name, path.absolute())
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} is not a Python file.", "Exercises are written in Python: name.py.")
    module = module_from_spec(spec)
    sys.modules[name] = module  # a dataclass looks up its module there
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
            f"{path} has no exercises.", "Define EXERCISES, a tuple of Exercise objects."
        )
    for one in exercises:
        if not isinstance(one, Exercise):
            raise BadInput(
                f"EXERCISES in {path} contains an object of type {type(one).__name__}.",
                "Create each with mwtutor.exercises.Exercise.",
            )
        if not isinstance(one.id, str) or not ID.fullmatch(one.id):
            raise BadInput(
                f"{one.id!r} in {path} is not the number of an exercise.",
                "Write the lesson's name and the exercise's number, for example mine-1.",
            )
    return tuple(exercises)
