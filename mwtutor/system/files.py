"""Files on a disk that may be full: written whole or not at all, or not on the disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import IO


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write the file, or leave what was there before and nothing else.

    Args:
        mode: its mode; without it, that of the file that was there, or what the umask leaves.

    Raises:
        OSError: it could not be written.
    """
    path = Path(os.path.realpath(path))
    # A name of its own: two may write the same file at once.
    partial = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        if mode is not None:
            partial.touch(mode)
        partial.write_bytes(data)
        if mode is None:
            with contextlib.suppress(FileNotFoundError):  # there was none before
                shutil.copymode(path, partial)
        os.replace(partial, path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def unnamed_file() -> IO[bytes]:
    """A file without a name, in memory where the system can do that: a full disk is no hindrance.

    Raises:
        OSError: there is no room for it anywhere.
    """
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            return open(os.memfd_create("mwtutor"), "w+b")
    return tempfile.TemporaryFile()
