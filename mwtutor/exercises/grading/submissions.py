"""The submissions of learners: the source of the exercises' cells; outputs do not count."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import workspaces
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.notebooks import NotebookCell, code_cells
from mwtutor.exercises.sources import read, same

#: Maximum number of bytes of a program that are read.
_LONGEST = 1 << 20

#: The message about a notebook in which no exercise was found.
NO_CELL = (
    "The notebook has no cell for these exercises: it belongs to another lesson, or its cells were"
    " renamed."
)

_Cells = Sequence[tuple[NotebookCell, Sequence[str]]]


@dataclass(frozen=True)
class Submission:
    """The work of one learner.

    Attributes:
        learner: the name of the learner's folder, or of the file if it is in no such folder.
        code: the content of each exercise's cell, by the exercise's id.
        problems: problems with the learner's files, a sentence each.
    """

    learner: str
    code: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def submissions(
    folder: Path, exercises: Sequence[Exercise], cells: Mapping[str, str]
) -> list[Submission]:
    """The submissions in a folder, by learner.

    A learner's notebooks are files in the learner's folder, at any depth (as nbgrader collects
    them), or a single file, named after the learner. Links are not followed. An exercise that is a
    program is a file in the learner's folder, or the cell that writes it.

    Args:
        exercises: those to look for.
        cells: the id of each exercise's cell in the course's notebook, where it is known: a cell is
            recognized by its tag or by this.

    Raises:
        BadInput: the folder does not exist, or has no submission.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} does not exist.", "Name the folder with the submissions.")
    programs = {read(one.stub).file for one in exercises if one.launch}
    found: dict[str, list[Path]] = {}
    for path in _files(folder, programs):
        parts = path.relative_to(folder).parts
        if len(parts) > 1 or path.suffix == ".ipynb" or path.is_symlink():
            name = parts[0] if len(parts) > 1 else path.name.removesuffix(".ipynb")
            found.setdefault(name, []).append(path)
    if not found:
        raise BadInput(
            f"{folder} has no notebooks.",
            "Name a folder with one notebook, or one folder of notebooks, for each learner.",
        )
    if not any(
        path.parent == folder and not path.is_dir() for each in found.values() for path in each
    ):
        found.update({name: [] for name in _folders(folder) if name not in found})
    return [_submission(name, found[name], exercises, cells) for name in sorted(found)]


def _files(folder: Path, programs: set[str]) -> Iterator[Path]:
    """The notebooks, the programs, and links to directories, which are not followed."""
    for at, below, files in os.walk(folder):
        here = workspaces.is_ours(Path(at))  # the notebooks there are not the learner's
        below[:] = [one for one in sorted(below) if not one.startswith(".")]
        yield from (Path(at, one) for one in below if Path(at, one).is_symlink())
        for one in sorted(files):
            if one in programs or (one.endswith(".ipynb") and not here):
                yield Path(at, one)


def _folders(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith(".") and not workspaces.is_ours(path):
            yield path.name


def _submission(
    learner: str, paths: Sequence[Path], exercises: Sequence[Exercise], cells: Mapping[str, str]
) -> Submission:
    problems = [] if paths else ["The folder has no notebook."]
    notebooks: dict[Path, _Cells] = {}
    programs: dict[Path, str] = {}
    for path in paths:
        try:
            if path.is_symlink():
                problems.append(f"{path.name} is a link, and was not read.")
            elif not path.is_file():
                problems.append(f"{path.name} is not a file, and was not read.")
            elif path.suffix == ".ipynb":
                notebooks[path] = code_cells(path)
            else:
                programs[path] = _text(path)
        except (OSError, ValueError) as error:
            why = message_of(error) if isinstance(error, OSError) else str(error)
            problems.append(f"{path.name} cannot be read: {why}.")
    code = {}
    for one in exercises:
        written = {path: _sources(each, one, cells) for path, each in notebooks.items()}
        if one.launch:
            file = read(one.stub).file
            written |= {
                path: [f"%%writefile {file}\n{text}"]
                for path, text in programs.items()
                if path.name == file
            }
        if chosen := _chosen(one, {path: each for path, each in written.items() if each}, problems):
            code[one.id] = chosen
    if notebooks and not code:
        problems.append(NO_CELL)
    return Submission(learner, code, tuple(problems))


def _text(path: Path) -> str:
    if path.stat().st_size > _LONGEST:
        raise ValueError(f"it has more than {_LONGEST >> 20} MiB")
    try:
        return path.read_text()
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None


def _sources(notebook: _Cells, exercise: Exercise, cells: Mapping[str, str]) -> list[str]:
    """The cells of an exercise in a notebook."""
    if exercise.launch:
        file = read(exercise.stub).name
        return [cell.source for cell, _ in notebook if read(cell.source).name == file]
    known = cells.get(exercise.id, "")
    return [
        cell.source
        for cell, tags in notebook
        if f"exercise-{exercise.id}" in tags or cell.id == known
    ]


def _chosen(
    exercise: Exercise, written: Mapping[Path, Sequence[str]], problems: list[str]
) -> str | None:
    """The code that counts: the last copy that the learner has changed."""
    if not written:
        return None
    changed = {
        path: [one for one in sources if not same(one, exercise.stub)]
        for path, sources in written.items()
    }
    # The program file counts, even if a cell wrote an earlier version.
    order = sorted(changed, key=lambda path: path.suffix == ".ipynb")
    first = next((path for path in order if changed[path]), order[0])
    alike = [path for path in order if path.suffix == first.suffix]
    if len(alike) > 1:
        both = f"{first.name} and {next(path for path in alike if path != first).name}"
        problems.append(f"Both {both} contain exercise {exercise.id}: the first was graded.")
    return (changed[first] or written[first])[-1]
