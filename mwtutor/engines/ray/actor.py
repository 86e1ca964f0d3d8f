"""The actor that holds a task's place on a node of Ray.

It is sent there as it is written here, and needs nothing of ours on the node: so it can say what is
missing there. What happens to the task passes through it unread.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from mwtutor.system.ports import HeldPorts

#: Bytes that are passed on at once; seconds that a task's keeper has to end what it keeps.
_AT_ONCE, _PATIENCE = 1 << 18, 20.0


class Host:
    """Holds a port for its task, and runs that in its own process."""

    def __init__(self) -> None:
        self._held = HeldPorts(1)
        self._link: socket.socket | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115

    def arrive(self, python: str, question: str, words: Sequence[str]) -> dict[str, Any]:
        """Where this is, and what the node answers to a question (a program of Python)."""
        import ray

        python = python or sys.executable
        answer: dict[str, Any] = {
            "ip": ray.util.get_node_ip_address(),
            "node": ray.get_runtime_context().get_node_id(),
            "port": self._held.numbers[0],
            "host": socket.gethostname(),
            "python": python,
        }
        try:
            done = subprocess.run(
                [python, "-", *words], input=question.encode(), capture_output=True, timeout=60
            )
        except (OSError, subprocess.SubprocessError) as error:
            return {**answer, "code": -1, "said": str(error)}
        said = (done.stdout or done.stderr).decode(errors="replace").strip()
        return {**answer, "code": done.returncode, "said": said}

    def start(self, command: Sequence[str], mark: Mapping[str, str], order: bytes) -> None:
        """Start what keeps the task; see :mod:`mwtutor.engines.ray.node`.

        Args:
            mark: variables by which a process of the run is known.
        """
        if self._link is not None:
            self._link.close()  # of a task that has ended
        self._link, theirs = socket.socketpair()
        with theirs:
            self._keeper = subprocess.Popen(
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._printed,
                stderr=self._printed,
                cwd="/",
                env={**os.environ, **mark},
                start_new_session=True,
            )
        self._link.sendall(order)

    def hear(self, seconds: float, started: None = None) -> bytes | None:
        """What the keeper says next: empty if it has ended, None if it says nothing for so long.

        Args:
            started: what :meth:`start` returns, which is waited for.
        """
        if self._link is None:
            return b""
        if not select.select([self._link], [], [], seconds)[0]:
            return None
        try:
            return self._link.recv(_AT_ONCE)
        except OSError:
            return b""

    def tell(self, line: bytes) -> None:
        """Give the keeper an order."""
        try:
            if self._link is not None:
                self._link.sendall(line)
        except OSError:
            pass  # it has ended

    def printed(self) -> bytes:
        """What the keeper has printed: nothing, unless something is wrong with it."""
        return os.pread(self._printed.fileno(), _AT_ONCE, 0)

    def end(self) -> bool:
        """Have the keeper end its task and all that this has left; whether it has."""
        if self._link is not None:
            self._link.shutdown(socket.SHUT_RDWR)
        try:
            return self._keeper is None or self._keeper.wait(_PATIENCE) is not None
        except subprocess.TimeoutExpired:
            return False
