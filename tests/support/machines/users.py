"""For tests of permissions: run code as a real, ordinary user."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: The user that root becomes: ``nobody``, who owns nothing.
_NOBODY = 65534


@dataclass(frozen=True)
class Done:
    """The outcome and output of a function that was called as an ordinary user."""

    code: int
    stdout: str
    stderr: str


def as_user(function: Callable[[], int | None]) -> Done:
    """Call the function in a fork, as a user other than root; its result is the exit status.

    Its modules must have been imported, because only root may be able to read the interpreter's
    modules.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with warnings.catch_warnings():
            # Python warns about a fork, although the other threads are idle.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            os._exit(_become_and_call(function, out.fileno(), err.fileno()))
        _, status = os.waitpid(pid, 0)
        shown = []
        for file in (out, err):
            file.seek(0)
            shown.append(file.read().decode(errors="replace"))
        return Done(os.waitstatus_to_exitcode(status), *shown)


def _become_and_call(function: Callable[[], int | None], out: int, err: int) -> int:
    code = 99
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - ends with the process
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)
        code = function() or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return code


def open_to_all(path: Path) -> None:
    """Let everybody write into the directory, and enter pytest's directories above it."""
    path.chmod(0o777)
    for parent in path.parents:
        if parent.stat().st_uid == os.getuid() and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
