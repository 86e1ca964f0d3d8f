"""Try out an exercise's folder: stub, solution, wrong solutions, answers, and mutations.

Each of them is judged like a learner's cell, in a :mod:`~mwtutor.exercises.judging_kernel`.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import catalogue
from mwtutor.exercises.exercise import Sabotage
from mwtutor.exercises.folders import ANSWERS, SOLUTION, STUB, read_answers, read_wrong, wrong_files
from mwtutor.exercises.judging_kernel import Limits, Room, places_of
from mwtutor.exercises.mutations import mutations_of
from mwtutor.exercises.notebooks import lacking

#: Seconds between two checks of whether a file was saved.
_LOOK = 0.5

_TEMPLATE = Path(__file__).parent / "template"


@dataclass(frozen=True)
class Judged:
    """The verdict on one file.

    Attributes:
        file: its path in the folder; for an answer, also its line and description.
        status, words: the verdict.
        fault: the problem with the verdict, as a clause; empty if there is none.
    """

    file: str
    status: str
    words: str
    fault: str = ""


@dataclass(frozen=True)
class Mutated:
    """The result of the mutations of the solution.

    Attributes:
        judged: how many were judged.
        right: the changes that the check judged right.
    """

    judged: int
    right: tuple[str, ...]


@dataclass(frozen=True)
class Untried:
    """An exercise that cannot be tested here.

    Attributes:
        why: the missing requirement, as a clause.
    """

    why: str


def new_folder(path: Path) -> None:
    """Create a folder with a working exercise, to test and then change into another one.

    Raises:
        BadInput: the folder exists already, or cannot be written.
    """
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadInput(f"{path} exists and is not an empty folder.", "Name a new folder.")
        shutil.copytree(
            _TEMPLATE, path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    except (OSError, shutil.Error) as error:
        why = message_of(error) if isinstance(error, OSError) else "some files could not be copied"
        raise BadInput(f"{path} cannot be written: {why}.", "Name another place.") from None


def try_out(folder: Path, mutations: int, seconds: float) -> Iterator[Judged | Mutated | Untried]:
    """Judge the files of an exercise's folder, one after the other.

    Args:
        mutations: the maximum number of mutations of the solution to try.
        seconds: the time limit of a cell, and again of the cells that run it.

    Raises:
        BadInput: a part of the folder is missing or cannot be read.
        MwtutorError: the notebook's setup cells fail.
    """
    (exercise,) = catalogue.load(folder)
    wrong = [(path, one) for path in wrong_files(folder) if (one := read_wrong(path)) is not None]
    answers = read_answers(folder)
    if why := lacking(places_of(folder), exercise.id):
        yield Untried(why)
        return
    with Room(folder, exercise, Limits(seconds)) as room:

        def judge(file: str, code: str) -> Judged:
            verdict = room.judge(code)
            return Judged(file, verdict.status, verdict.words)

        yield _expecting("not yet", judge(STUB, exercise.stub))
        yield _expecting("right", judge(SOLUTION, exercise.solution))
        verdicts: list[tuple[Judged, Sabotage]] = []
        for path, one in wrong:
            judged = judge(f"{path.parent.name}/{path.name}", one.code)
            verdicts.append((judged, one))
            yield _saying("wrong", one.says, judged)
        for judged, one in verdicts:
            others = [
                other.file
                for other, _ in verdicts
                if one.says in judged.words and one.says in other.words and other is not judged
            ]
            if others:
                fault = (
                    f"its words, {one.says!r}, also appear in the verdict on {', '.join(others)}"
                )
                yield Judged(judged.file, "", "", fault)
        for answer in answers:
            file = f"{ANSWERS}:{answer.line} ({answer.what})"
            yield _saying(answer.status, answer.says, judge(file, answer.code))
        tried = mutations_of(exercise.solution, mutations)
        survived = [one.change for one in tried if room.judge(one.code).status == "right"]
        yield Mutated(len(tried), tuple(survived))


def _expecting(status: str, judged: Judged) -> Judged:
    if judged.status == status:
        return judged
    return Judged(judged.file, judged.status, judged.words, f"its verdict is not {status!r}")


def _saying(status: str, says: str, judged: Judged) -> Judged:
    if judged.status != status:
        return _expecting(status, judged)
    if says in judged.words:
        return judged
    return Judged(judged.file, status, judged.words, f"its verdict lacks {says!r}")


def changes(path: Path) -> Iterator[None]:
    """Yield now, and each time a file in the folder has changed. Never ends."""
    seen = None
    while True:
        now = _state(path)
        if now != seen:
            seen = now
            yield
        time.sleep(_LOOK)


def _state(path: Path) -> dict[Path, tuple[int, int]]:
    """When each file was changed, and its size."""
    found = {}
    for file in path.rglob("*"):
        try:
            if "__pycache__" not in file.parts and file.is_file():
                status = file.stat()
                found[file] = (status.st_mtime_ns, status.st_size)
        except OSError:  # an editor is replacing the file
            continue
    return found
