"""Directories for files that are not ready yet; what a killed process leaves of them is removed.

By the next that wants such a directory at the same place, and, in a run, when the run is cleared.
Other people's directories may have the same names, so only one is removed that is this user's
alone, holds our mark, and is held by no process: its mark is locked as long as it is in use.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Lies in the directory beside what is made there.
MARK = ".mwtutor-scratch"

_MARKED = b"made by mwtutor; of no use once nobody locks this file\n"

#: How files end in which tasks note where they make directories, see :func:`remove_noted`.
NOTES = ".scratch"

_note_down: Callable[[bytes], object] | None = None
_noted: set[tuple[str, str]] = set()


def note_with(note_down: Callable[[bytes], object]) -> None:
    """Have noted from now on where directories are made: called in a task.

    Args:
        note_down: appends to the task's notes.
    """
    global _note_down
    _note_down = note_down


@contextmanager
def directory(prefix: str, parent: str | os.PathLike[str] = "") -> Iterator[str]:
    """A new directory that is gone afterwards, in the system's temporary one unless given.

    Beside what is put there it holds a file named :data:`MARK`.
    """
    place = os.path.abspath(parent or tempfile.gettempdir())
    remove_left(place, prefix)
    _note(place, prefix)
    with (
        tempfile.TemporaryDirectory(dir=place, prefix=prefix, ignore_cleanup_errors=True) as own,
        _marked(own),
    ):
        yield own


def remove_left(place: str, prefix: str) -> int:
    """Remove the directories that processes have left which were killed; how many there were."""
    removed = 0
    named = re.compile(re.escape(prefix) + "[a-z0-9_]{8}")  # as tempfile names them
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if named.fullmatch(entry.name) and _is_left(entry.path):
                shutil.rmtree(entry.path, ignore_errors=True)
                removed += 1
    return removed


def remove_noted(notes: bytes) -> None:
    """Remove what is left at the places in a task's notes."""
    for line in notes.split(b"\0"):
        place, _, prefix = os.fsdecode(line).rpartition(os.sep)
        # The notes lie where programs can write: whatever they say, only what is left.
        if prefix and os.path.isabs(place):
            remove_left(place, prefix)


def _note(place: str, prefix: str) -> None:
    if _note_down is None or (place, prefix) in _noted:
        return
    _noted.add((place, prefix))
    with contextlib.suppress(OSError):  # a full disk costs the note, not the program
        _note_down(os.fsencode(os.path.join(place, prefix)) + b"\0")


@contextmanager
def _marked(own: str) -> Iterator[None]:
    """Mark the directory as ours and in use; without locks nothing tells that it is left."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            mark = held.enter_context(open(os.path.join(own, MARK), "xb", buffering=0))
            fcntl.flock(mark, fcntl.LOCK_EX)
            mark.write(_MARKED)  # under the lock: what holds these words has been locked
        yield


def _is_left(path: str) -> bool:
    """Whether it is provably a directory of ours, and no process is using it."""
    try:
        found = os.lstat(path)
        private = not stat.S_IMODE(found.st_mode) & 0o077
        if not (stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and private):
            return False
        with open(os.open(os.path.join(path, MARK), os.O_RDWR | os.O_NOFOLLOW), "rb") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return mark.read(len(_MARKED) + 1) == _MARKED
    except OSError:  # no mark, or one that is locked
        return False
