"""Make a forked process behave like a newly started one."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from mwtutor.system.files import open_fd
from mwtutor.system.linux import FDS, LINUX

_PR_SET_PDEATHSIG = 1
#: The directory of this package, with a trailing separator.
OURS = str(Path(__file__).resolve().parent.parent) + os.sep

#: The file that a new interpreter executes to become an mwtutor process.
ENTRY = Path(OURS, "_entry.py")


@dataclass(frozen=True)
class ProcessContext:
    """The properties that a process inherits from its parent, recorded in the launching process.

    Attributes:
        env: the complete environment.
        cwd: the working directory, absolute.
        umask: the mode bits that are cleared for new files.
        limits: soft and hard resource limits by number, as in :mod:`resource`.
    """

    env: dict[str, str]
    cwd: str
    umask: int
    limits: dict[str, tuple[int, int]]

    @classmethod
    def here(cls, cwd: str) -> ProcessContext:
        umask = os.umask(0o077)
        os.umask(umask)
        names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
        limits = {str(getattr(resource, name)) for name in names}
        return cls(
            env=dict(os.environ),
            cwd=cwd,
            umask=umask,
            limits={number: resource.getrlimit(int(number)) for number in sorted(limits)},
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ProcessContext:
        limits = {number: (soft, hard) for number, (soft, hard) in data["limits"].items()}
        return cls(**{**data, "limits": limits})


def detach(log: str, parent: int, keep: Collection[int]) -> None:
    """Give a forked task a session and a log file, and close its parent's file descriptors.

    Args:
        log: the file for standard output and standard error, redirected at descriptor level so that
            it includes C++ messages.
        parent: the process whose death ends this one.
        keep: the descriptors that stay open.
    """
    os.setsid()
    die_with(parent)
    redirect(log)
    close_others(keep)
    reset_signals()


def close_others(keep: Collection[int]) -> None:
    """Close every file descriptor except these and the standard streams."""
    for name in os.listdir(FDS):
        fd = int(name)
        if fd > 2 and fd not in keep:
            with contextlib.suppress(OSError):  # listdir has closed the descriptor that it used
                os.close(fd)


def fork() -> int:
    """Fork despite other threads: the child must not use anything that they may have locked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns about threads
        return os.fork()


def die_with(parent: int) -> None:
    """Have Linux kill this process when ``parent`` dies (on other systems the supervisor does)."""
    if not LINUX:
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent died before the request was made
        os._exit(1)


def reset_signals() -> None:
    """Restore Python's own signal handlers, and unblock all signals."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) not in (signal.SIG_DFL, None):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())


def adopt(context: ProcessContext, title: str) -> None:
    """Take over the environment, directory, limits and name of the launch."""
    os.environ.clear()
    os.environ.update(context.env)
    os.chdir(context.cwd)
    os.umask(context.umask)
    for number, limits in context.limits.items():
        # A limit above what this process may set is not changed.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(int(number), limits)
    set_title(title)


def set_title(title: str) -> None:
    """Set the name that ``ps``, ``top`` and the out-of-memory killer show."""
    try:
        from setproctitle import setproctitle
    except ImportError:  # another interpreter, without mwtutor's dependencies
        return
    # The function accepts UTF-8 only, but a file name may contain any bytes.
    setproctitle(title.encode(errors="backslashreplace").decode())


def set_title_where_others_look(title: str) -> None:
    """Set the name in ``/proc/<pid>/stat``, where a scheduler looks for this process.

    Slurm's ``proctrack/linuxproc`` (22.05) does not find a process whose name contains a space, and
    then cannot stop it.
    """
    set_title(title)
    with contextlib.suppress(ImportError):
        from setproctitle import setthreadtitle

        setthreadtitle(title.partition(" ")[0])


def fresh_state() -> None:
    """Reset what forked siblings share: stream buffers, random generators, the cached TMPDIR."""
    tempfile.tempdir = None  # an import in the fork server may have set it
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    random.seed()
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed()


def leave(code: int) -> NoReturn:
    """End the process as the interpreter would, as far as a program can observe.

    Threads are joined, ``atexit`` runs, the contents of the program's own modules are deleted, and
    buffers are flushed. Finalizing the libraries as well would take a second or more, with no
    visible effect.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    _delete_what_modules_hold()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    ctypes.CDLL(None).fflush(None)
    os._exit(code)


def _delete_what_modules_hold() -> None:
    for name, module in [("__main__", sys.modules["__main__"]), *reversed(sys.modules.items())]:
        file = getattr(module, "__file__", None)
        if name == "__main__" or (file and not is_installed(file)):
            # In the interpreter's order: private names first, and never the built-ins.
            names = sorted(vars(module), key=lambda held: not held.startswith("_"))
            for held in names:
                if held != "__builtins__":
                    vars(module)[held] = None
    gc.collect()


def is_installed(filename: str) -> bool:
    """Whether a file belongs to the interpreter, an installed package or mwtutor."""
    parts = filename.split(os.sep)
    return (
        "site-packages" in parts
        or "dist-packages" in parts
        or filename.startswith((os.path.dirname(os.__file__), OURS, "<"))
        or any(map(_has_packages, Path(filename).parents[1:]))
    )


@functools.cache
def _has_packages(directory: Path) -> bool:
    """Whether packages were installed here, as by ``pip install --target``."""
    try:
        return any(name.endswith(".dist-info") for name in os.listdir(directory))
    except OSError:
        return False


def die_of(number: int) -> NoReturn:
    """Die from this signal, so that the parent sees which one it was."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def redirect(log: str) -> None:
    """Redirect standard output and standard error to a file, and leave standard input empty."""
    null = os.open(os.devnull, os.O_RDONLY)
    out = open_fd(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    for fd in (null, out):
        if fd > 2:
            os.close(fd)
