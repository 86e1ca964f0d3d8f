"""The course's notebooks and the pages they link to, copied to a learner's directory."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from mwtutor import scratch
from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises.course_files import files
from mwtutor.run.record.paths import working_directory
from mwtutor.run.request.option_kinds import FilePath

#: The prefix of the directory in which the copy is made, see :mod:`mwtutor.scratch`.
_PREFIX = ".mwtutor-"


def copy_lessons(directory: str | Path) -> list[Path]:
    """Copy the lessons, with the pages and examples they link to.

    Args:
        directory: a directory that does not exist yet, or is empty.

    Returns:
        The notebooks there.

    Raises:
        BadInput: the directory is not empty, or cannot be written. No file is left behind.
    """
    name = FilePath().check(directory, "The directory")
    if not name:
        raise BadInput("The name of the directory is empty.", "Write mwtutor-course, for example.")
    target = working_directory() / os.path.expanduser(name)
    _check_place(name, target)
    source = source_directory()
    try:
        target.mkdir(parents=True, exist_ok=True)
        _demand_empty(name, source, target)
        with scratch.directory(_PREFIX, target) as made:
            for path in files(source):
                place = Path(made, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes((source / path).read_bytes())
            for entry in Path(made).iterdir():
                if entry.name != scratch.MARK:
                    entry.rename(target / entry.name)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise BadInput(
                f"{name} cannot be written: the disk mounted at {_mount_point(target)} is full.",
                "Free up space there, or name a directory on another disk.",
            ) from None
        raise BadInput(
            f"{name} cannot be written: {message_of(error)}.", "Name another place."
        ) from None
    return sorted((target / "notebooks").glob("*.ipynb"))


def _check_place(name: str, target: Path) -> None:
    if target.is_symlink() and not target.exists():
        raise BadInput(
            f"{name} is a link to {os.readlink(target)}, which does not exist.",
            "Name a new directory, or remove the link.",
        )
    if target.exists() and not target.is_dir():
        raise BadInput(f"{name} is a file.", "Name a new directory.")


def _demand_empty(name: str, source: Path, target: Path) -> None:
    """Raise an error unless the directory is empty, except for unchanged files of a killed copy."""
    was_killed = scratch.remove_left(str(target), _PREFIX) > 0
    there = list(target.iterdir())
    if there and not (was_killed and all(_is_copied(source, target, one) for one in there)):
        raise BadInput(f"{name} is not empty.", "Name a new directory.")
    for one in there:
        shutil.rmtree(one) if one.is_dir() else one.unlink()


def _is_copied(source: Path, target: Path, entry: Path) -> bool:
    """Whether everything in an entry came from the course, unchanged."""
    found = [entry, *entry.rglob("*")] if entry.is_dir() else [entry]
    return not any(one.is_symlink() for one in found) and all(
        one.is_dir() or _same(source / one.relative_to(target), one) for one in found
    )


def _same(original: Path, copy: Path) -> bool:
    return original.is_file() and original.read_bytes() == copy.read_bytes()


def _mount_point(path: Path) -> Path:
    return next(place for place in (path, *path.parents) if os.path.ismount(place))


def source_directory() -> Path:
    """The course's directory: in the package, or in a clone of the repository."""
    package = Path(__file__).parents[1]
    inside = package / "_course"
    return inside if inside.is_dir() else package.parent  # a clone of the repository
