"""Locks between one user's processes; a waiting process says so, and eventually gives up."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from mwtutor.exceptions import BadInput
from mwtutor.notices import notice
from mwtutor.system import processes
from mwtutor.system.files import open_fd
from mwtutor.system.linux import PROC

#: Seconds after which a waiting user is notified, and seconds between two attempts.
_SILENT, _PAUSE = 1.0, 0.02


@contextlib.contextmanager
def hold(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock on one of mwtutor's files, which is created if necessary.

    Args:
        path: must be in a directory that only its owner can enter, because a process that can open
            the file can lock it.
        patience: seconds to wait for it.

    Raises:
        OSError: the file cannot be opened.
        BadInput: another process held the lock the whole time.
    """
    fd = open_fd(path, os.O_RDWR | os.O_CREAT)
    try:
        _take(fd, path, patience)
        yield
    finally:
        os.close(fd)


def _take(fd: int, path: Path, patience: float) -> None:
    begun = time.monotonic()
    told = False
    while not _taken(fd):
        waited = time.monotonic() - begun
        if waited > patience:
            holder = _holder(fd)
            raise BadInput(
                f"{_described(holder)} has held {path} for {patience:.0f} s.",
                f"Wait until it exits{f', or stop it (kill {holder})' if holder else ''}, and try"
                " again.",
            )
        if waited > _SILENT and not told:
            told = True
            notice(f"Waiting for {_described(_holder(fd))}, which holds {path}.")
        time.sleep(_PAUSE)


def _taken(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True


def _holder(fd: int) -> int:
    """The pid of the process that holds the lock, as the kernel lists it; 0 if unlisted."""
    seen = os.fstat(fd)
    file = f"{os.major(seen.st_dev):02x}:{os.minor(seen.st_dev):02x}:{seen.st_ino}"
    with contextlib.suppress(OSError):
        for line in Path(PROC, "locks").read_text().splitlines():
            words = line.split()
            if words[1:2] == ["FLOCK"] and words[5:6] == [file]:
                return max(int(words[4]), 0)
    return 0


def _described(holder: int) -> str:
    return processes.whose(holder) if holder else "another process"
