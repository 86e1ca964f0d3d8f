"""The notebooks of the course, copied to where somebody learns, with the pages they link to."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from mwtutor.exceptions import BadInput, said
from mwtutor.exercises.course_files import files
from mwtutor.run.option_kinds import FilePath
from mwtutor.run.store import working_directory


def copy_lessons(directory: str | Path) -> list[Path]:
    """Copy the lessons, with the pages and examples they link to.

    Args:
        directory: one that does not exist yet, or is empty.

    Returns:
        The notebooks there.

    Raises:
        BadInput: there is something already, or it cannot be written. No file is left behind.
    """
    name = FilePath().check(directory, "The directory")
    target = working_directory() / os.path.expanduser(name)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise BadInput(f"{name} is not empty.", "Name a new directory.")
        with tempfile.TemporaryDirectory(dir=target, prefix=".mwtutor-") as made:
            _copy(_source(), Path(made))
            for entry in Path(made).iterdir():
                entry.rename(target / entry.name)
    except FileExistsError:
        raise BadInput(f"{name} is a file.", "Name a new directory.") from None
    except OSError as error:
        raise BadInput(f"{name} cannot be written: {said(error)}.", "Name another place.") from None
    return sorted((target / "notebooks").glob("*.ipynb"))


def _source() -> Path:
    package = Path(__file__).parents[1]
    inside = package / "_course"
    return inside if inside.is_dir() else package.parent  # a clone of the repository


def _copy(source: Path, target: Path) -> None:
    for path in files(source):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target / path)
