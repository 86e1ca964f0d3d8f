"""Directories for unfinished files; those that a killed process leaves are removed later.

The next process that creates such a directory in the same place removes these leftovers, and so
does cleaning up after a run. Other users' directories may have the same names. So a directory is
removed only if it belongs to this user alone, contains mwtutor's mark, and is not in use: while a
process uses a directory, it locks the mark.
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

#: The name of the mark, a file in the directory.
MARK = ".mwtutor-scratch"

_MARKED = b"made by mwtutor; of no use once nobody locks this file\n"

#: Suffix of the files in which tasks record the places of their directories; see
#: :func:`remove_noted`.
NOTES = ".scratch"

_note_down: Callable[[bytes], object] | None = None
_noted: set[tuple[str, str]] = set()


def note_with(note_down: Callable[[bytes], object]) -> None:
    """From now on, record where directories are made; a task calls this.

    Args:
        note_down: appends to the task's record.
    """
    global _note_down
    _note_down = note_down


@contextmanager
def directory(prefix: str, parent: str | os.PathLike[str] = "") -> Iterator[str]:
    """A new directory, by default in the system's temporary directory; removed afterwards.

    It contains a file named :data:`MARK`.
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
    """Remove the directories that killed processes left behind; return their number."""
    removed = 0
    named = re.compile(re.escape(prefix) + "[a-z0-9_]{8}")  # as tempfile names them
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if named.fullmatch(entry.name) and _is_left(entry.path):
                shutil.rmtree(entry.path, ignore_errors=True)
                removed += 1
    return removed


def remove_noted(notes: bytes) -> None:
    """Remove leftovers at the places that a task recorded."""
    for line in notes.split(b"\0"):
        place, _, prefix = os.fsdecode(line).rpartition(os.sep)
        # Programs can write to this file, so only provable leftovers are removed.
        if prefix and os.path.isabs(place):
            remove_left(place, prefix)


def _note(place: str, prefix: str) -> None:
    if _note_down is None or (place, prefix) in _noted:
        return
    _noted.add((place, prefix))
    with contextlib.suppress(OSError):  # a full disk loses only the record
        _note_down(os.fsencode(os.path.join(place, prefix)) + b"\0")


@contextmanager
def _marked(own: str) -> Iterator[None]:
    """Mark the directory as mwtutor's and in use; without locks, leftovers cannot be recognized."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            mark = held.enter_context(open(os.path.join(own, MARK), "xb", buffering=0))
            fcntl.flock(mark, fcntl.LOCK_EX)
            mark.write(_MARKED)  # written under the lock: a file with these words has been locked
        yield


def _is_left(path: str) -> bool:
    """Whether the path is provably a directory of mwtutor's that no process uses."""
    try:
        found = os.lstat(path)
        private = not stat.S_IMODE(found.st_mode) & 0o077
        if not (stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and private):
            return False
        with open(os.open(os.path.join(path, MARK), os.O_RDWR | os.O_NOFOLLOW), "rb") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return mark.read(len(_MARKED) + 1) == _MARKED
    except OSError:  # no mark, or a locked one
        return False
