"""The private directory for mwtutor's Unix sockets.

A socket's path may not exceed 107 bytes, so it cannot be in the run's own directory.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mwtutor.exceptions import NotSupported

#: Maximum bytes of the directory's path; a session's sockets need about thirty more.
_LONGEST = 70

#: How many names to try in one place, since another user may have taken some.
_NAMES = 10


def runtime_dir() -> Path:
    """A directory that only this user can enter; created if necessary.

    It is the first suitable one, in an order that is the same for all processes of a run.

    Raises:
        NotSupported: no place is suitable.
    """
    for path in _candidates():
        if len(os.fsencode(path)) <= _LONGEST and _is_private(path):
            return path
    raise NotSupported(
        "There is no directory in which mwtutor can create its private sockets.",
        f"Set XDG_RUNTIME_DIR to your own directory, with a path of at most "
        f"{_LONGEST - len('/mwtutor')} characters.",
    )


def private_dirs() -> Iterator[Path]:
    """The existing private directories, including those of processes with other settings."""
    usual = Path(f"/run/user/{os.getuid()}/mwtutor")
    for path in dict.fromkeys((*_candidates(), usual)):
        with contextlib.suppress(OSError):
            if _is_ours(seen := path.lstat()) and not seen.st_mode & 0o077:
                yield path


def _candidates() -> Iterator[Path]:
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(base):
        yield Path(base) / "mwtutor"
    places = ["/tmp"]
    with contextlib.suppress(FileNotFoundError):  # no directory is writable
        places.insert(0, tempfile.gettempdir())
    for place in dict.fromkeys(places):
        name = f"mwtutor-{os.getuid()}"
        yield from (Path(place) / (f"{name}-{n}" if n else name) for n in range(_NAMES))


def _is_private(path: Path) -> bool:
    """Whether the directory exists or could be created, and only this user can enter it."""
    try:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
        if not _is_ours(seen := path.lstat()):
            return False
        if stat.S_IMODE(seen.st_mode) != 0o700:
            path.chmod(0o700)
        return os.access(path, os.W_OK)
    except OSError:
        return False


def _is_ours(seen: os.stat_result) -> bool:
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()


def new_socket_dir() -> Path:
    """A new directory in the runtime directory, for the sockets of one session.

    Raises:
        NotSupported: it cannot be created.
    """
    place = runtime_dir()
    try:
        return Path(tempfile.mkdtemp(prefix="s-", dir=place))
    except OSError as error:
        raise NotSupported(
            f"There is no space for a session's sockets in {place}: {error.strerror}.",
            "Free up space there, or set XDG_RUNTIME_DIR to a directory that has space.",
        ) from None


def remove_socket_dir(path: str | Path) -> None:
    """Remove what :func:`new_socket_dir` created; nothing else is touched."""
    path = Path(path)
    if path.parent == runtime_dir() and path.name.startswith("s-"):
        shutil.rmtree(path, ignore_errors=True)
