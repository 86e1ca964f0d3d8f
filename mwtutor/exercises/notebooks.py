"""The cells of the notebook that contains an exercise, recognized by their tags."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.devices.requirements import unmet
from mwtutor.exceptions import BadInput
from mwtutor.exercises import course, workspaces
from mwtutor.exercises.catalogue import find

#: Maximum number of bytes of a notebook that are read.
_LONGEST = 64 * 2**20


@dataclass(frozen=True)
class NotebookCell:
    """A code cell of the notebook's file."""

    id: str
    source: str


@dataclass(frozen=True)
class Cells:
    """The cells that an exercise needs, in the notebook's order.

    Attributes:
        code: the cell that the learner fills in; None if no notebook has it.
        setup: earlier cells that the lesson needs.
        run: the cells between that cell and its check.
        is_own: whether they come from the learner's copy, which contains the learner's code.
    """

    code: NotebookCell | None = None
    setup: tuple[NotebookCell, ...] = ()
    run: tuple[NotebookCell, ...] = ()
    is_own: bool = False


def cells_of(exercise: str) -> Cells:
    """The cells for that exercise, from the learner's copy of the notebook or else the course's.

    An exercise whose stub is a whole program needs no notebook, because the program is launched.
    """
    for path, is_own in _candidates():
        found = list(_tagged(path, exercise))
        code = [cell for cell, tags in found if f"exercise-{exercise}" in tags]
        if code:
            last = max(at for at, (_, tags) in enumerate(found) if _belongs(tags, exercise))
            setup = tuple(cell for cell, tags in found[:last] if "setup" in tags)
            run = tuple(cell for cell, tags in found if f"run-{exercise}" in tags)
            return Cells(code[0], setup, run, is_own)
    return _launched(exercise)


def _launched(exercise: str) -> Cells:
    try:
        launch = find(exercise).launch
    except BadInput:  # a course author's exercise that is not loaded yet
        return Cells()
    run = NotebookCell("launch", f"%mw_launch {launch} --wait")
    return Cells(run=(run,) if launch else ())


def notebook_of(exercise: str) -> str:
    """The name of the notebook with the exercise's cell; empty if there is none.

    A lesson may have several notebooks, such as 07 and 07b; the tags of cells show which one has
    it.
    """
    return next((path.name for path, _ in _candidates() if list(_tagged(path, exercise))), "")


def has_exercise(directory: Path, exercise: str) -> bool:
    """Whether a notebook there contains the exercise."""
    return any(list(_tagged(path, exercise)) for path in directory.glob("*.ipynb"))


def lacking(directories: Iterable[Path], exercise: str) -> str:
    """A requirement of the exercise's cells that is not met here, in a clause; empty if all are.

    Args:
        directories: where to look for the notebook; the course's directories come last.
    """
    for directory in (*directories, course.source_directory() / "notebooks"):
        for path in sorted(directory.glob("*.ipynb")):
            for cell, tags in _tagged(path, exercise):
                why = next(filter(None, map(unmet, tags)), "") if _belongs(tags, exercise) else ""
                if why:
                    return f"its cell {cell.id} {why}"
    return ""


def _candidates() -> Iterator[tuple[Path, bool]]:
    for path in sorted(workspaces.home().glob("*.ipynb")):
        yield path, True
    for path in sorted((course.source_directory() / "notebooks").glob("*.ipynb")):
        yield path, False


def _belongs(tags: list[str], exercise: str) -> bool:
    return any(tag in (f"exercise-{exercise}", f"run-{exercise}") for tag in tags)


def _tagged(path: Path, exercise: str) -> Iterator[tuple[NotebookCell, list[str]]]:
    """The code cells and their tags, if the notebook contains the exercise."""
    with contextlib.suppress(ValueError, OSError):  # half written, or not a notebook
        yield from code_cells(path, f'"exercise-{exercise}"')


def code_cells(path: Path, containing: str = "") -> list[tuple[NotebookCell, list[str]]]:
    """The code cells of a notebook, and the tags of each.

    Args:
        containing: text without which the file has no cells of interest.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too large, or not a notebook.
    """
    if path.stat().st_size > _LONGEST:
        raise ValueError(f"it has more than {_LONGEST >> 20} MiB")
    data = path.read_bytes()
    if containing.encode() not in data:
        return []
    try:
        return [
            (NotebookCell(str(cell.get("id", "")), _text(cell["source"])), _tags(cell))
            for cell in json.loads(data)["cells"]
            if cell["cell_type"] == "code"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("it is not a notebook") from None


def _tags(cell: dict[str, Any]) -> list[str]:
    return [tag for tag in cell["metadata"].get("tags", []) if isinstance(tag, str)]


def _text(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source)
