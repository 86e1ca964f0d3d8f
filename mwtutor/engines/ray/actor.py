"""The actor that reserves a task's place on a Ray node.

Its source is sent to the node and does not need mwtutor there, so it can report what is missing. It
passes on everything about the task without reading it.
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

#: Bytes that are passed on at once; seconds within which a task's keeper must stop the task.
_AT_ONCE, _PATIENCE = 1 << 18, 20.0


class Host:
    """Reserves a port for its task, and runs the task in a separate process."""

    def __init__(self) -> None:
        self._held = HeldPorts(1)
        self._link: socket.socket | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115

    def arrive(self, python: str, question: str, words: Sequence[str]) -> dict[str, Any]:
        """Describe the actor's node, with the node's answer to a question (a Python program)."""
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
        """Start the task's keeper; see :mod:`mwtutor.engines.ray.node`.

        Args:
            mark: environment variables that identify a process of the run.
        """
        if self._link is not None:
            self._link.close()  # it belonged to a task that has ended
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
        """The keeper's next output: empty if it has ended, None if none arrives in this time.

        Args:
            started: the result of :meth:`start`, so that Ray runs this after it.
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
        """Send the keeper a command."""
        try:
            if self._link is not None:
                self._link.sendall(line)
        except OSError:
            pass  # it has ended

    def printed(self) -> bytes:
        """The keeper's own output, which is empty unless something went wrong."""
        return os.pread(self._printed.fileno(), _AT_ONCE, 0)

    def end(self) -> bool:
        """Have the keeper stop its task and everything the task left; return whether it did."""
        if self._link is not None:
            self._link.shutdown(socket.SHUT_RDWR)
        try:
            return self._keeper is None or self._keeper.wait(_PATIENCE) is not None
        except subprocess.TimeoutExpired:
            return False
