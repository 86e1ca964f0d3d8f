"""Files: written whole or not at all; those of ours opened without following a link.

What is below a directory named ``.mwtutor`` is ours, but it may have come with a cloned
repository, or from another user. So every step from there down is opened relative to the directory
above it, and none may be a link: mwtutor neither reads, writes nor removes anything elsewhere. The
way to ``.mwtutor`` belongs to the user and may contain links. In a path without ``.mwtutor`` only
the last step must not be one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

#: The directory in which all that is ours lies.
OURS = ".mwtutor"

#: More bytes than any record of ours has that is read as a whole.
_MOST = 16 << 20

_STEP = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def _parent(path: Path | str) -> Iterator[tuple[int, str]]:
    """A descriptor of the directory that a file is in, and the file's name there."""
    *steps, name = parts = Path(path).parts
    begin = max((at for at, part in enumerate(parts) if part == OURS), default=len(steps))
    if ".." in parts[begin:]:
        raise OSError(errno.EINVAL, "Its path leads out of .mwtutor again", str(path))
    above = os.open(Path(*steps[:begin]), os.O_DIRECTORY | os.O_CLOEXEC | _PASSING)
    try:
        for step in steps[begin:]:
            below = _open(step, _STEP | _PASSING, 0, above, path)
            os.close(above)
            above = below
        yield above, name
    finally:
        os.close(above)


#: To go through a directory, the right to list it is not needed where the system can do that.
_PASSING = getattr(os, "O_PATH", os.O_RDONLY)


def _open(name: str, flags: int, mode: int, parent: int, path: Path | str) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=parent)
    except OSError as error:
        number, words = error.errno, error.strerror
    with contextlib.suppress(OSError):
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            number, words = errno.ELOOP, f"{name} is a link"
    if number == errno.ENXIO:  # a socket, or a pipe that nobody reads
        number, words = errno.EINVAL, "Not a regular file"
    raise OSError(number, words, str(path))


def open_fd(path: Path | str, flags: int, mode: int = 0o600) -> int:
    """Open a file of ours, or make it; a pipe, a device or a directory in its place is refused.

    Raises:
        OSError: it cannot be opened, is a link, is not a regular file, or is to be written and
            has another name.
    """
    with _parent(path) as (parent, name):
        fd = _open(name, flags | os.O_NONBLOCK, mode, parent, path)  # a pipe is not waited for
    found = os.fstat(fd)
    # What has another name as well may be somebody's file elsewhere.
    shared = found.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR)
    if shared or not stat.S_ISREG(found.st_mode):
        os.close(fd)
        words = "It has a second name (a hard link)" if shared else "Not a regular file"
        raise OSError(errno.EINVAL, words, str(path))
    os.set_blocking(fd, True)
    return fd


def open_file(path: Path | str, mode: str = "rb", buffering: int = -1) -> BinaryIO:
    """As the built-in, for a file of ours; see :func:`open_fd`. One that is made is private."""
    return cast(BinaryIO, open(path, mode, buffering, opener=open_fd))


def read(path: Path | str, most: int = _MOST) -> bytes:
    """What is in a file of ours.

    Raises:
        OSError: it cannot be opened, see :func:`open_fd`, or has more than ``most`` bytes.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"More than {most} bytes", str(path))
    return data


def append(path: Path | str, data: bytes) -> None:
    """Add to a file of ours, which is made if need be."""
    with open_file(path, "ab", 0) as file:
        file.write(data)


def seen(path: Path | str) -> os.stat_result:
    """What is at a place of ours, itself: of a link, not where it leads."""
    with _parent(path) as (parent, name):
        return os.stat(name, dir_fd=parent, follow_symlinks=False)


def make_directory(path: Path | str, mode: int) -> None:
    """Make a directory of ours.

    Raises:
        OSError: something is there already, or the way to it cannot be gone.
    """
    with _parent(path) as (parent, name):
        os.mkdir(name, mode, dir_fd=parent)


def names_in(directory: Path | str) -> list[str]:
    """What is in a directory of ours."""
    with _directory(directory) as fd:
        return os.listdir(fd)


def take_access(directory: Path | str, bits: int) -> None:
    """Take permissions of a directory of ours away, if it belongs to this user and has them."""
    with _directory(directory) as fd:
        found = os.fstat(fd)
        if found.st_uid == os.geteuid() and found.st_mode & bits:
            os.fchmod(fd, stat.S_IMODE(found.st_mode) & ~bits)


@contextlib.contextmanager
def _directory(directory: Path | str) -> Iterator[int]:
    with _parent(directory) as (parent, name):
        fd = _open(name, _STEP, 0, parent, directory)
    try:
        yield fd
    finally:
        os.close(fd)


def remove(path: Path | str, *, missing_ok: bool = False) -> None:
    """Remove a file of ours, or what is in its place unless that is a directory."""
    with (
        contextlib.suppress(*[FileNotFoundError] * missing_ok),
        _parent(path) as (parent, name),
    ):
        os.unlink(name, dir_fd=parent)


def remove_tree(directory: Path | str) -> None:
    """Remove a directory of ours with all that is in it; no link in it is followed.

    Raises:
        OSError: some of it could not be removed.
    """
    with _directory(directory):  # no link on the way, nor itself
        shutil.rmtree(directory, ignore_errors=True)  # what cannot be removed keeps nothing else
    if os.path.lexists(directory):
        shutil.rmtree(directory)


def set_aside(path: Path) -> Path:
    """Rename what is at a place of ours, whatever it is, and return where it is now."""
    with _parent(path) as (parent, name):
        number, there = 1, set(os.listdir(path.parent))
        while (aside := f"{name}.damaged-{number}") in there:
            number += 1
        os.rename(name, aside, src_dir_fd=parent, dst_dir_fd=parent)
    return path.with_name(aside)


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write the file, or leave what was there before and nothing else.

    Outside of ``.mwtutor`` a link is followed: it is the user's own.

    Args:
        mode: its mode; without it, that of the file that was there, or what the umask leaves.

    Raises:
        OSError: it could not be written.
    """
    if OURS not in path.parts:
        path = Path(os.path.realpath(path))
    # A separate name: two may write the same file at once.
    partial = f".{path.name}.{os.getpid()}-{threading.get_ident()}.part"
    with _parent(path) as (parent, name):
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(_open(partial, flags, mode or 0o666, parent, path), "wb") as file:
                file.write(data)
                if mode is None:
                    with contextlib.suppress(FileNotFoundError):  # there was none before
                        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
                        os.fchmod(file.fileno(), stat.S_IMODE(found.st_mode))
            os.replace(partial, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(partial, dir_fd=parent)
            raise


def unnamed_file() -> IO[bytes]:
    """A file without a name, in memory where the system can do that: a full disk is no obstacle.

    Raises:
        OSError: there is no room for it anywhere.
    """
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            return open(os.memfd_create("mwtutor"), "w+b")
    return tempfile.TemporaryFile()
