"""Write files whole or not at all; open mwtutor's own files without following links.

Everything below a directory named ``.mwtutor`` belongs to mwtutor, but it may come from a cloned
repository or another user. So every path component from there down is opened relative to its parent
directory, and none may be a link: mwtutor never reads, writes or removes anything elsewhere. The
path to ``.mwtutor`` is the user's and may contain links. In a path without ``.mwtutor``, only the
last component must not be a link.
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

#: The name of the directory with all of mwtutor's files.
OURS = ".mwtutor"

#: The maximum number of bytes of a record that is read as a whole.
_MOST = 16 << 20

_STEP = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def _parent(path: Path | str) -> Iterator[tuple[int, str]]:
    """A descriptor of a file's directory, and the file's name in it."""
    *steps, name = parts = Path(path).parts
    begin = max((at for at, part in enumerate(parts) if part == OURS), default=len(steps))
    if ".." in parts[begin:]:
        raise OSError(errno.EINVAL, "Its path leads outside .mwtutor", str(path))
    above = os.open(Path(*steps[:begin]), os.O_DIRECTORY | os.O_CLOEXEC | _PASSING)
    try:
        for step in steps[begin:]:
            below = _open(step, _STEP | _PASSING, 0, above, path)
            os.close(above)
            above = below
        yield above, name
    finally:
        os.close(above)


#: Where the system supports it, going through a directory does not require permission to list it.
_PASSING = getattr(os, "O_PATH", os.O_RDONLY)


def _open(name: str, flags: int, mode: int, parent: int, path: Path | str) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=parent)
    except OSError as error:
        number, words = error.errno, error.strerror
    with contextlib.suppress(OSError):
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            number, words = errno.ELOOP, f"{name} is a link"
    if number == errno.ENXIO:  # a socket, or a pipe without a reader
        number, words = errno.EINVAL, "Not a regular file"
    raise OSError(number, words, str(path))


def open_fd(path: Path | str, flags: int, mode: int = 0o600) -> int:
    """Open or create one of mwtutor's files; refuse a pipe, a device or a directory in its place.

    Raises:
        OSError: it cannot be opened, is a link, is not a regular file, or is opened for writing and
            has a second name (hard link).
    """
    with _parent(path) as (parent, name):
        fd = _open(name, flags | os.O_NONBLOCK, mode, parent, path)  # do not block on a pipe
    found = os.fstat(fd)
    # A file with a second name (hard link) may be somebody's file elsewhere.
    shared = found.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR)
    if shared or not stat.S_ISREG(found.st_mode):
        os.close(fd)
        words = "It has a second name (a hard link)" if shared else "Not a regular file"
        raise OSError(errno.EINVAL, words, str(path))
    os.set_blocking(fd, True)
    return fd


def open_file(path: Path | str, mode: str = "rb", buffering: int = -1) -> BinaryIO:
    """Like the built-in, but for mwtutor's files; see :func:`open_fd`. New files are private."""
    return cast(BinaryIO, open(path, mode, buffering, opener=open_fd))


def read(path: Path | str, most: int = _MOST) -> bytes:
    """The content of one of mwtutor's files.

    Raises:
        OSError: it cannot be opened, see :func:`open_fd`, or has more than ``most`` bytes.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"More than {most} bytes", str(path))
    return data


def append(path: Path | str, data: bytes) -> None:
    """Append to one of mwtutor's files, which is created if necessary."""
    with open_file(path, "ab", 0) as file:
        file.write(data)


def status(path: Path | str) -> os.stat_result:
    """The status of one of mwtutor's files; for a link, that of the link itself."""
    with _parent(path) as (parent, name):
        return os.stat(name, dir_fd=parent, follow_symlinks=False)


def modified(path: Path) -> float:
    """When a file, mwtutor's or not, was last modified (seconds since the epoch); 0 if unknown."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def make_directory(path: Path | str, mode: int) -> None:
    """Create a directory for mwtutor.

    Raises:
        OSError: the path exists already, or its parent cannot be reached.
    """
    with _parent(path) as (parent, name):
        os.mkdir(name, mode, dir_fd=parent)


def names_in(directory: Path | str) -> list[str]:
    """The names in one of mwtutor's directories."""
    with _directory(directory) as fd:
        return os.listdir(fd)


def take_access(directory: Path | str, bits: int) -> None:
    """Remove permissions from one of mwtutor's directories, if this user owns it."""
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
    """Remove one of mwtutor's files, or anything in its place except a directory."""
    with contextlib.suppress(*[FileNotFoundError] * missing_ok), _parent(path) as (parent, name):
        os.unlink(name, dir_fd=parent)


def remove_tree(directory: Path | str) -> None:
    """Remove one of mwtutor's directories and its content, without following links.

    Raises:
        OSError: some of it could not be removed.
    """
    with _directory(directory):  # neither the path nor the directory is a link
        shutil.rmtree(directory, ignore_errors=True)  # remove as much as possible
    if os.path.lexists(directory):
        shutil.rmtree(directory)


def set_aside(path: Path) -> Path:
    """Rename whatever is at one of mwtutor's paths, and return the new path."""
    with _parent(path) as (parent, name):
        number, there = 1, set(os.listdir(path.parent))
        while (aside := f"{name}.damaged-{number}") in there:
            number += 1
        os.rename(name, aside, src_dir_fd=parent, dst_dir_fd=parent)
    return path.with_name(aside)


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write the file completely, or leave the previous one unchanged.

    Outside ``.mwtutor``, a link is followed: it is the user's.

    Args:
        mode: its mode; by default, that of the previous file, or according to the umask.

    Raises:
        OSError: it could not be written.
    """
    if OURS not in path.parts:
        path = Path(os.path.realpath(path))
    # A separate name, because two threads or processes may write the same file at the same time.
    partial = f".{path.name}.{os.getpid()}-{threading.get_ident()}.part"
    with _parent(path) as (parent, name):
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(_open(partial, flags, mode or 0o666, parent, path), "wb") as file:
                file.write(data)
                if mode is None:
                    with contextlib.suppress(FileNotFoundError):  # no previous file
                        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
                        os.fchmod(file.fileno(), stat.S_IMODE(found.st_mode))
            os.replace(partial, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(partial, dir_fd=parent)
            raise


def unnamed_file() -> IO[bytes]:
    """A file without a name; in memory if the system supports it, so a full disk does not matter.

    Raises:
        OSError: no place has space for it.
    """
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):  # a sandbox may forbid the call
            return open(os.memfd_create("mwtutor"), "w+b")
    return tempfile.TemporaryFile()
