"""The kernel's side of the fork server: one warm process for all launches of this process.

``%load_ext`` imports this module and little else, so it costs the kernel almost nothing.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from typing import IO

from mwtutor.engines.local.import_time import Fingerprint, import_time_changes
from mwtutor.singletons import singleton
from mwtutor.system import child, processes, transport
from mwtutor.system.exit_words import exit_words
from mwtutor.system.files import unnamed_file

#: How many bytes at the end of the output are searched for the reason for a failure.
_HEARD = 1 << 16


class Warm:
    """The fork server of a process, or none yet."""

    def __init__(self) -> None:
        self.server: ForkServer | None = None
        self.starting = threading.Lock()


def server() -> ForkServer:
    """The fork server, started unless one is alive and up to date."""
    here = singleton(Warm)
    with here.starting:  # two threads may launch at once
        if here.server is None or not here.server.alive() or here.server.outdated():
            retire()
            here.server = ForkServer()
        return here.server


def alive() -> bool:
    server = singleton(Warm).server
    return server is not None and server.alive()


def complaint(since: int) -> str:
    """Why the server, or a process forked from it, died; see :meth:`ForkServer.complaint`."""
    server = singleton(Warm).server
    return server.complaint(since) if server is not None else "it was retired"


def importing() -> bool:
    """Whether a server is still importing TensorFlow."""
    server = singleton(Warm).server
    return server is not None and not server.ready()


def halted() -> int:
    """The pid of the server if a signal has suspended it; otherwise 0."""
    server = singleton(Warm).server
    return server.pid if server is not None and processes.is_halted(server.pid) else 0


def retire(*, kill: bool = False) -> None:
    """Release the server; runs in progress do not need it.

    Args:
        kill: whether to kill it now, because it is suspended and must not act on a request if it is
            resumed.
    """
    here = singleton(Warm)
    if here.server is not None:
        here.server.close(kill=kill)
        here.server = None


class ForkServer:
    """The kernel's side of one warm process."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._output = unnamed_file()
        self._process = start_process("forkserver", theirs, self._output)
        theirs.close()
        self.channel = ours
        self._ready = False
        self._fingerprint = Fingerprint.now()
        self._env = dict(os.environ)

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def ready(self) -> bool:
        """Whether the server has imported TensorFlow, as far as it has reported."""
        if not self._ready and transport.readable(self.channel, 0.0):
            with contextlib.suppress(transport.Disconnected):
                transport.receive(self.channel)
            self._ready = True  # or it has exited, as the next launch will notice
        return self._ready

    def why_not(self, env: dict[str, str]) -> str:
        """Why a task with this environment cannot be forked from this server; empty if it can."""
        return import_time_changes(self._env, env)

    def outdated(self) -> bool:
        """Whether a package was installed, upgraded or removed since the server started."""
        return self._fingerprint != Fingerprint.now()

    def printed(self) -> int:
        """How many bytes the server and its forks have printed so far."""
        return os.fstat(self._output.fileno()).st_size

    def complaint(self, since: int = 0) -> str:
        """Why the server, or a fork of it, died, according to the output after this many bytes.

        Empty if neither the output nor the exit status says why.
        """
        from mwtutor.run.logs.logs import last_words

        end = self.printed()
        start = max(since, end - _HEARD)
        # Do not seek: the server writes at this descriptor's position.
        words = last_words(os.pread(self._output.fileno(), end - start, start))
        return words or ending(self._process)

    def close(self, *, kill: bool = False) -> None:
        if kill:
            self._process.kill()
            self._process.wait()
        self.channel.close()


def ending(process: subprocess.Popen[bytes]) -> str:
    """How a failed process ended, in words; empty if it is running or reported why."""
    try:
        code = process.wait(0.5)
    except subprocess.TimeoutExpired:
        return ""
    return exit_words(code) if code else ""


def start_process(role: str, theirs: socket.socket, output: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start one of mwtutor's processes, connected to this one by ``theirs``."""
    fd = theirs.fileno()
    # Linux considers the thread that forked to be the parent, and only the main thread lives until
    # the process exits.
    parent = os.getpid() if threading.current_thread() is threading.main_thread() else 0
    return subprocess.Popen(
        [sys.executable, str(child.ENTRY), role, str(fd), str(parent)],
        pass_fds=[fd],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        cwd="/",
        start_new_session=True,  # Jupyter's interrupt signals the kernel's whole group
    )
