"""The directory of the datasets' locks, and the lock itself."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def state_dir(data_dir: Path) -> Path:
    """The directory for mwtutor's files about the data in ``data_dir``; it exists on return.

    It is inside ``data_dir``, so everyone who shares the data shares the locks. If ``data_dir`` is
    read-only (a course's data), the user's cache directory is used; then nothing is prepared in
    ``data_dir`` either.

    Raises:
        OSError: neither directory is writable.
    """
    try:
        return _writable(data_dir / ".mwtutor")
    except OSError:
        name = hashlib.sha256(bytes(data_dir.absolute())).hexdigest()[:16]
        return _writable(Path.home() / ".cache" / "mwtutor" / name)


def _writable(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    if not os.access(directory, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(directory))
    return directory


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Wait for an exclusive lock on ``path``, and hold it; a process that dies releases it."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
