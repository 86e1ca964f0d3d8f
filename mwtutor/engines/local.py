"""Runs on this machine: a supervisor forked from the fork server, or started cold."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from mwtutor.engines import warm
from mwtutor.exceptions import BadInput, LaunchFailed, NotSupported, said
from mwtutor.run import control
from mwtutor.run.logs import last_words
from mwtutor.run.spec import RunSpec
from mwtutor.system import transport
from mwtutor.system.child import ProcessContext

#: Seconds a supervisor may take to start its tasks, including TensorFlow's import if forked.
STARTING = 180.0


@dataclass(frozen=True)
class Held:
    """What keeps a run alive: a connection to its supervisor, and one to that one's guard."""

    supervisor: socket.socket
    guard: socket.socket

    def close(self) -> None:
        self.supervisor.close()
        self.guard.close()


class LocalEngine:
    """Starts runs on this machine. One per process; the connections it holds keep runs alive."""

    def __init__(self) -> None:
        self._owned: dict[str, Held] = {}
        self._cold: list[subprocess.Popen[bytes]] = []
        self._sending = threading.Lock()
        # A process forked by the kernel must not keep the kernel's runs alive after it.
        os.register_at_fork(after_in_child=self._disown)

    def why_cold(self, env: dict[str, str]) -> str:
        """Why a launch with this environment cannot be forked from the warm server."""
        if sys.platform != "linux":
            return f"forking is not safe on {sys.platform}"
        return warm.server().why_not(env)

    def launch(self, run: RunSpec, context: ProcessContext) -> None:
        owner, theirs = socket.socketpair()
        ours, lease = socket.socketpair()
        held = Held(owner, ours)
        order = {
            "run": run.to_json(),
            "context": context.to_json(),
            "control": str(control.new_path(run)),
        }
        printed = 0
        try:
            with theirs, lease:
                if run.warm:
                    server = warm.server()
                    printed = server.printed()
                    ends = [theirs.fileno(), lease.fileno()]
                    with self._sending:  # an order must not come in the middle of another
                        transport.send(server.channel, order, ends)
                else:
                    self._launch_cold(run, theirs)
                    transport.send(owner, order, [lease.fileno()])
            self._await_start(run, owner)
        except transport.Disconnected:
            held.close()
            raise self._died(run, printed) from None
        except BaseException as error:
            held.close()  # the supervisor, if there is one, ends with it
            if isinstance(error, OSError):
                raise _not_started(said(error)) from None
            raise
        self._owned[run.id] = held

    def poll(self, run: RunSpec) -> bool:
        held = self._owned.get(run.id)
        return held is not None and not _closed(held.supervisor, 0)

    def wait(self, run: RunSpec, timeout: float) -> bool:
        held = self._owned.get(run.id)
        return held is None or _closed(held.supervisor, timeout)

    def send_signal(self, run: RunSpec, task: str, number: int) -> None:
        control.order(run, verb="kill", task=task, signal=number)

    def terminate(self, run: RunSpec, reason: str) -> bool:
        held = self._owned.get(run.id)
        if held is None:
            return False
        try:
            held.supervisor.sendall(reason.encode(errors="replace"))
        except OSError:
            return False
        with contextlib.suppress(OSError):  # killed: the run goes on without its guard
            held.guard.sendall(reason.encode(errors="replace"))
        return True

    def cleanup(self, run: RunSpec) -> None:
        if (held := self._owned.pop(run.id, None)) is not None:
            held.close()
        self._cold = [process for process in self._cold if process.poll() is None]

    def close(self) -> None:
        """End every run and the fork server."""
        for held in self._owned.values():
            held.close()
        self._owned.clear()
        warm.retire()

    def _launch_cold(self, run: RunSpec, theirs: socket.socket) -> None:
        with open(run.path / "supervisor.log", "ab") as output:
            self._cold.append(warm.start_process("supervisor", theirs, output))

    def _await_start(self, run: RunSpec, owner: socket.socket) -> None:
        deadline = time.monotonic() + STARTING
        while not transport.readable(owner, 0.2):
            if run.warm and not warm.alive():
                raise transport.Disconnected("the fork server ended")
            if time.monotonic() > deadline:
                raise LaunchFailed(
                    f"The run did not start within {STARTING:.0f} s.",
                    "The machine may be overloaded: check its load, then launch again.",
                )
        answer: dict[str, Any] = transport.receive(owner)[0]
        if "refused" in answer:
            warm.retire()
            raise Refused(answer["refused"])
        if "unfit" in answer:
            raise Unfit(answer["unfit"])
        if "problem" in answer:
            raise LaunchFailed(answer["problem"], answer["remedy"])
        if "error" in answer:
            raise _not_started(answer["error"])

    def _died(self, run: RunSpec, printed: int) -> LaunchFailed:
        if run.warm:
            why = warm.complaint(printed)
            warm.retire()
        else:
            why = ""
            with contextlib.suppress(OSError):
                why = last_words((run.path / "supervisor.log").read_bytes())
            why = why or warm.ending(self._cold[-1])
        return LaunchFailed(
            f"The process that starts the tasks ended: {why or 'it did not say why'}.",
            "Launch again; if it happens again, try --cold, and check the TensorFlow installation.",
        )

    def _disown(self) -> None:
        for held in self._owned.values():
            held.close()
        self._owned.clear()
        warm.retire()


def _not_started(why: str) -> LaunchFailed:
    return LaunchFailed(
        f"The run could not be started: {why}.",
        "Correct the cause and launch again. Nothing of the run is left.",
    )


class Refused(Exception):
    """The fork server could not prove that forking is safe; a new one can."""


class Unfit(Exception):
    """No fork server can run this program as Python would; a plain process can."""


def check_interpreter(python: str) -> None:
    """Whether ``python`` is a Python that has TensorFlow.

    Raises:
        BadInput: it is no Python, or does not start.
        NotSupported: it has no TensorFlow.
    """
    # What it says is computed: a program that prints its arguments does not pass for Python.
    probe = "import importlib.util as u; print('mwtutor' * 2, bool(u.find_spec('tensorflow')))"
    try:
        done = subprocess.run(
            [python, "-c", probe], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(
            f"{python} cannot be started: {getattr(error, 'strerror', None) or 'no answer'}.",
            "Give --python the path of a Python interpreter.",
        ) from None
    answer = done.stdout.splitlines()[-1:]
    if done.returncode or answer not in ([b"mwtutormwtutor True"], [b"mwtutormwtutor False"]):
        raise BadInput(
            f"{python} is not a Python interpreter that works.",
            "Give --python the path of one, for example .venv/bin/python.",
        )
    if answer == [b"mwtutormwtutor False"]:
        raise NotSupported(
            f"{python} has no TensorFlow.",
            f"Install it there: {python} -m pip install tensorflow tf_keras",
        )


def _closed(owner: socket.socket, timeout: float) -> bool:
    """Whether the other end of the connection closes within ``timeout`` seconds."""
    try:
        return transport.readable(owner, timeout) and not owner.recv(1, socket.MSG_PEEK)
    except OSError:
        return True
