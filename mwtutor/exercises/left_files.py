"""Give a lesson the course's program in the state in which an earlier lesson left it.

``lessons/trainer.txt`` has the lines of every state, so each lesson also runs without the earlier
ones. A line begins with the lessons that contain it: ``03-09`` for lessons 03 to 09, ``10-`` for
all from 10 on.
"""

from __future__ import annotations

from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import lessons, workspaces
from mwtutor.run.request.option_kinds import Text
from mwtutor.system import files

_LISTING = Path(lessons.__file__).with_name("trainer.txt")
_MOST = 1 << 20  # maximum size in bytes of a file that is compared


def left_by(lesson: str) -> dict[str, bytes]:
    """The files with which a lesson ends, by name.

    Args:
        lesson: the name of its workspace, for example ``lesson-03``.

    Raises:
        BadInput: no lesson of that name leaves a file.
    """
    lesson = Text().check(lesson, "The name of a lesson's workspace")
    there = workspaces_with_files()
    if lesson not in there:
        raise BadInput(f"No lesson leaves files in {lesson!r}.", f"Use one of {', '.join(there)}.")
    at = lesson.removeprefix("lesson-")
    lines = [f"{text}\n" for first, last, text in _listed() if first <= at <= (last or at)]
    return {"trainer.py": "".join(lines).encode()}


def workspaces_with_files() -> list[str]:
    """The workspaces of the lessons that leave files, in order."""
    numbers = {number for first, last, _ in _listed() for number in (first, last) if number}
    return [f"lesson-{number}" for number in sorted(numbers)]


def receive(lesson: str) -> list[str]:
    """Write the files with which a lesson ends into the current workspace.

    The files in that lesson's own workspace are not copied, only compared.

    Returns:
        For each file, a sentence that says where it comes from.

    Raises:
        BadInput: no lesson of that name leaves a file.
    """
    said = []
    for name, content in left_by(lesson).items():
        (workspaces.folder() / name).write_bytes(content)
        said.append(_origin(lesson, name, content))
    return said


def _listed() -> list[tuple[str, str, str]]:
    """The program's lines, each preceded by the first and the last lesson that contain it."""
    lines = _LISTING.read_text(encoding="utf-8").splitlines()
    return [(line[:2], line[3:5].strip(), line[6:]) for line in lines]


def _origin(lesson: str, name: str, content: bytes) -> str:
    instead = "this lesson begins with mwtutor's copy of it."
    try:
        found = files.read(workspaces.home() / lesson / name, _MOST)
    except (FileNotFoundError, NotADirectoryError):
        return f"{name} is not in the folder {lesson}, so {instead}"
    except OSError as error:
        return f"{lesson}/{name} cannot be read ({message_of(error)}), so {instead}"
    if found != content:
        return f"{lesson}/{name} differs from the version at the end of that lesson, so {instead}"
    return f"{name} is unchanged since the end of {lesson}."
