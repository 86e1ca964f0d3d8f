"""Whether a run is still running, proved by a lock that its supervisor holds while it is alive.

It is a POSIX record lock: the kernel releases it when the process ends, for whatever reason. A
forked child does not inherit it. It is visible from every container of the machine, and from other
machines if their file system supports locks. Where it is not visible, the answer is unknown.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import struct
import sys
from dataclasses import dataclass

from mwtutor.run.record.spec import RunSpec
from mwtutor.system import processes
from mwtutor.system.files import open_fd
from mwtutor.system.mounts import is_local
from mwtutor.system.pidspace import PidSpace

#: The system's ``struct flock``, and its fields for asking whether a lock is held.
_LINUX = sys.platform == "linux"
_FLOCK = struct.Struct("hhqqi0q" if _LINUX else "qqihh")
_ASKS = (fcntl.F_RDLCK, 0, 0, 0, 0) if _LINUX else (0, 0, 0, fcntl.F_RDLCK, 0)


@dataclass(frozen=True)
class Life:
    """What is known about a run from here.

    Attributes:
        goes_on: whether its supervisor is alive or being started; None if unknown.
        supervisor: its pid, according to the kernel; 0 if unknown.
    """

    goes_on: bool | None
    supervisor: int = 0


@dataclass(frozen=True)
class _Holder:
    """The content that a supervisor writes into the file that it locks.

    Attributes:
        pid, born: the supervisor's pid and start time.
        inode: device and number of the file, so that a copy is recognized; empty if the file
            system has no locks.
    """

    pid: int
    born: int
    inode: tuple[int, ...] = ()


def hold(spec: RunSpec) -> None:
    """Hold the run's lock until this process ends.

    The process must not open that file again: closing any descriptor of it releases the lock.
    """
    fd = open_fd(spec.lock, os.O_RDWR | os.O_CREAT)
    inode: tuple[int, ...] = ()
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.lockf(fd, fcntl.LOCK_EX)
        inode = _inode(fd)
    me = {"pid": os.getpid(), "born": processes.started_at(os.getpid()), "inode": inode}
    with contextlib.suppress(OSError):  # a full disk
        os.pwrite(fd, json.dumps(me).encode(), 0)


def look(spec: RunSpec, known: tuple[int, int] = (0, 0), *, launched: bool = False) -> Life:
    """Whether the run is still running, as far as that is known here.

    Args:
        spec: the run.
        known: pid and start time of its supervisor, in case its directory has been removed.
        launched: whether its launch is known to be over.
    """
    try:
        fd = open_fd(spec.lock, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return _without_lock(spec, known, launched)
    except OSError:
        return Life(None)
    try:
        holder, noted, inode = _holder_of_lock(fd), _noted(fd), _inode(fd)
    except OSError:
        return Life(None)
    finally:
        os.close(fd)
    here = PidSpace.here()
    if holder is not None:
        return Life(True, holder if spec.space.shares_pids(here) else 0)
    if noted is None:  # the supervisor is about to take the lock
        return _without_lock(spec, known, launched)
    if spec.space.shares_pids(here):
        return Life(processes.alive(noted.pid, noted.born))
    if spec.space.shares_boot(here):
        return Life(False if noted.inode == inode else None)
    return _of_another_boot(spec)


def _without_lock(spec: RunSpec, known: tuple[int, int], launched: bool) -> Life:
    """What is known about a run that is being launched, or whose directory was removed."""
    here = PidSpace.here()
    if spec.space.shares_pids(here):
        starting = not launched and spec.path.is_dir() and processes.alive(*spec.launcher)
        return Life(processes.alive(*known) if known[0] else starting)
    return Life(None) if spec.space.shares_boot(here) else _of_another_boot(spec)


def _of_another_boot(spec: RunSpec) -> Life:
    """A run of another boot, which is over, unless another machine may share its directory."""
    known = spec.space.boot and PidSpace.here().boot
    return Life(False if known and is_local(spec.path) else None)


def _holder_of_lock(fd: int) -> int | None:
    """The pid of the lock's holder, 0 if it is in another PID namespace; None without one."""
    answer = _FLOCK.unpack(fcntl.fcntl(fd, fcntl.F_GETLK, _FLOCK.pack(*_ASKS)))
    kind, pid = (answer[0], answer[4]) if _LINUX else (answer[3], answer[2])
    return None if kind == fcntl.F_UNLCK else max(pid, 0)


def _noted(fd: int) -> _Holder | None:
    try:
        data = json.loads(os.pread(fd, 4096, 0))
        return _Holder(int(data["pid"]), int(data["born"] or 0), tuple(data["inode"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _inode(fd: int) -> tuple[int, ...]:
    seen = os.fstat(fd)
    return seen.st_dev, seen.st_ino
