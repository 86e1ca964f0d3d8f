"""What learners have submitted: the source of the exercises' cells; outputs do not count."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mwtutor.exceptions import BadInput, said
from mwtutor.exercises import workspaces
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.notebooks import code_cells


@dataclass(frozen=True)
class Submission:
    """The work of one learner.

    Attributes:
        learner: the name of the learner's folder; for a file that is in none, that of the file.
        code: the content of each exercise's cell, by the exercise's id.
        problems: what could not be read, a sentence each.
    """

    learner: str
    code: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def submissions(
    folder: Path, exercises: Sequence[Exercise], cells: Mapping[str, str]
) -> list[Submission]:
    """The submissions in a folder, by learner.

    A learner's notebooks are files in the learner's folder, at any depth (as nbgrader collects
    them), or a single file, named after the learner. Links are not followed.

    Args:
        exercises: those to look for.
        cells: the id of each exercise's cell in the course's notebook, where it is known: a cell is
            recognized by its tag or by this.

    Raises:
        BadInput: the folder does not exist, or has no notebook.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} does not exist.", "Name the folder with the submissions.")
    found: dict[str, list[Path]] = {}
    for path in _notebooks(folder):
        parts = path.relative_to(folder).parts
        found.setdefault(parts[0] if len(parts) > 1 else path.stem, []).append(path)
    if not found:
        raise BadInput(
            f"{folder} has no notebooks.",
            "Name a folder with one notebook, or one folder of notebooks, for each learner.",
        )
    return [_submission(name, found[name], exercises, cells) for name in sorted(found)]


def _notebooks(folder: Path) -> Iterator[Path]:
    for at, below, files in os.walk(folder):  # it follows no links
        below[:] = [
            one
            for one in sorted(below)
            if not one.startswith(".") and not workspaces.is_ours(Path(at, one))
        ]
        yield from (Path(at, one) for one in sorted(files) if one.endswith(".ipynb"))


def _submission(
    learner: str, paths: list[Path], exercises: Sequence[Exercise], cells: Mapping[str, str]
) -> Submission:
    code: dict[str, str] = {}
    origin: dict[str, Path] = {}
    problems = []
    for path in paths:
        if path.is_symlink():
            problems.append(f"{path.name} is a link, and was not read.")
            continue
        try:
            read = code_cells(path)
        except (OSError, ValueError) as error:
            why = said(error) if isinstance(error, OSError) else str(error)
            problems.append(f"{path.name} cannot be read: {why}.")
            continue
        for one in exercises:
            sources = [
                cell.source
                for cell, tags in read
                if f"exercise-{one.id}" in tags or cell.id == cells.get(one.id, "")
            ]
            if not sources:
                continue
            if one.id in origin:
                both = f"{origin[one.id].name} and {path.name}"
                problems.append(f"Both {both} have exercise {one.id}: the first was graded.")
                continue
            # A copied cell keeps its tags: the last one that the learner has changed counts.
            changed = [source for source in sources if source.strip() != one.stub.strip()]
            code[one.id], origin[one.id] = (changed or sources)[-1], path
    return Submission(learner, code, tuple(problems))
