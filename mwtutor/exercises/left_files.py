"""The course's program: a lesson begins with it as an earlier lesson left it.

``lessons/lesson_NN/left`` has the files with which lesson NN ends, so that the next one also runs
alone.
"""

from __future__ import annotations

from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import lessons, workspaces
from mwtutor.run.request.option_kinds import Text
from mwtutor.system import files

_LESSONS = Path(lessons.__file__).parent
_MOST = 1 << 20  # bytes of a file that is compared


def left_by(lesson: str) -> dict[str, bytes]:
    """The files with which a lesson ends, by name.

    Args:
        lesson: the name of its workspace, for example ``lesson-03``.

    Raises:
        BadInput: no lesson of that name leaves a file.
    """
    lesson = Text().check(lesson, "The name of a lesson's workspace")
    there = {
        f"lesson-{one.parent.name.removeprefix('lesson_')}": one
        for one in sorted(_LESSONS.glob("lesson_*/left"))
    }
    if lesson not in there:
        raise BadInput(f"No lesson leaves files in {lesson!r}.", f"Use one of {', '.join(there)}.")
    return {file.name: file.read_bytes() for file in sorted(there[lesson].glob("*.py"))}


def receive(lesson: str) -> list[str]:
    """Write the files with which a lesson ends into the current workspace.

    The files in that lesson's own workspace are only read, and never used if they differ.

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


def _origin(lesson: str, name: str, content: bytes) -> str:
    instead = "this lesson begins with mwtutor's copy of it."
    try:
        found = files.read(workspaces.home() / lesson / name, _MOST)
    except (FileNotFoundError, NotADirectoryError):
        return f"{name} is not in the folder {lesson}, so {instead}"
    except OSError as error:
        return f"{lesson}/{name} cannot be read ({message_of(error)}), so {instead}"
    if found != content:
        return f"{lesson}/{name} is not as that lesson ends, so {instead}"
    return f"{name} is as {lesson} left it."
