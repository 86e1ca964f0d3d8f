"""The private directory that holds our Unix sockets.

A socket's path may not exceed 107 bytes, so it cannot lie in the run's own directory.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

from mwtutor.exceptions import NotSupported


def runtime_dir() -> Path:
    """The directory, made if need be, that only this user can enter.

    Raises:
        NotSupported: somebody else made the directory that would be ours.
    """
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if base and len(base) < 60 and os.access(base, os.W_OK):
        path = Path(base) / "mwtutor"
    else:
        path = Path(tempfile.gettempdir()) / f"mwtutor-{os.getuid()}"
        if len(str(path)) > 70:
            path = Path("/tmp") / path.name
    path.mkdir(mode=0o700, exist_ok=True)
    seen = path.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid():
        raise NotSupported(
            f"{path} belongs to somebody else, and our sockets would lie in it.",
            "Set XDG_RUNTIME_DIR to a directory of your own.",
        )
    if stat.S_IMODE(seen.st_mode) != 0o700:
        path.chmod(0o700)
    return path


def new_socket_dir() -> Path:
    """A new directory in there, for the sockets of one session."""
    return Path(tempfile.mkdtemp(prefix="s-", dir=runtime_dir()))


def remove_socket_dir(path: str | Path) -> None:
    """Remove what :func:`new_socket_dir` made; nothing else is touched."""
    path = Path(path)
    if path.parent == runtime_dir() and path.name.startswith("s-"):
        shutil.rmtree(path, ignore_errors=True)
