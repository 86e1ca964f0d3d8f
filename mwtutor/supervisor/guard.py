"""The guard, the parent process of a supervisor: it ends the run if the supervisor cannot.

If the supervisor is killed, the processes that the tasks have started become the guard's children,
and it kills them. If the supervisor hangs when the run should end, because its owner exited or the
user stops the run, the guard kills it first.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
from typing import Any

from mwtutor.run import control
from mwtutor.run.record.eventlog import record_end, recorded_end
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.system import child, processes
from mwtutor.system.files import open_file

#: Seconds without an answer after which a supervisor counts as hung. Killing what its tasks have
#: left may take a supervisor nearly as long.
PATIENCE = 5.0

#: Seconds between two questions while a run is being ended.
_PAUSE = 1.0


def leave_behind(
    run: RunSpec, listener: socket.socket, owner: socket.socket, lease: socket.socket
) -> socket.socket:
    """Become the guard, and continue in a child as the supervisor.

    Args:
        listener: the socket on which commands arrive; the guard accepts those that a hung
            supervisor does not.
        owner: the supervisor's connection to the process that launched the run.
        lease: the guard's connection to that process, which sends a reason to stop the run, or
            closes it.

    Returns:
        In the child, the connection on which the guard asks; see :func:`answer`.
    """
    with contextlib.suppress(PermissionError):  # the process already leads its session
        os.setsid()
    child.set_title(f"mwtutor guard of {run.name}")
    processes.become_subreaper()
    link, theirs = socket.socketpair()
    supervisor = os.fork()
    if not supervisor:
        link.close()
        lease.close()
        return theirs
    try:
        theirs.close()
        owner.close()  # the kernel must notice when the supervisor exits
        child.reset_signals()
        Guard(run, supervisor, listener, lease, link).watch()
    finally:
        os._exit(0)


def answer(link: socket.socket) -> bool:
    """Answer the guard's question; return whether the guard still exists."""
    try:
        return bool(link.recv(64)) and bool(link.send(b"!"))
    except OSError:
        return False


class Guard:
    """Watches over one supervisor, a child of this process."""

    def __init__(
        self,
        run: RunSpec,
        supervisor: int,
        listener: socket.socket,
        lease: socket.socket,
        link: socket.socket,
    ) -> None:
        self._run = run
        self._supervisor = supervisor
        self._listener = listener
        self._hangs = False
        self._leases = [lease]
        self._link = link
        self._reason = ""  # why the run should end; empty until it should

    def watch(self) -> None:
        """Wait until the supervisor has ended and nothing is left of the run."""
        while self._wait():
            reacts = self._ask()
            if reacts is None:
                break
            self._hangs = not reacts
            if self._hangs:
                control.answer_one(self._listener, self._obey)
                if self._reason:
                    self._end_run()
                    break
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._supervisor, 0)
        processes.kill_children()
        control.close(self._listener)
        self._run.clear_elsewhere()

    def _wait(self) -> bool:
        """Wait for a reason to ask the supervisor; return whether it may still exist."""
        watched: list[Any] = [self._link, self._listener, *self._leases]
        ready = select.select(watched, [], [], _PAUSE if self._reason else None)[0]
        if self._leases and self._leases[0] in ready:
            self._hear_owner(self._leases[0])
        # A late answer counts as well.
        return self._link not in ready or bool(self._link.recv(64))

    def _hear_owner(self, lease: socket.socket) -> None:
        try:
            said = lease.recv(4096).decode(errors="replace")
        except OSError:
            said = ""
        if not said:
            self._leases.clear()
        self._reason = said or self._reason or "it ended with the process that launched it"

    def _ask(self) -> bool | None:
        """Whether the supervisor responds; None if it has ended."""
        try:
            self._link.send(b"?")
            patience = _PAUSE if self._hangs else PATIENCE
            if not select.select([self._link], [], [], patience)[0]:
                return False
            return bool(self._link.recv(64)) or None
        except OSError:
            return None

    def _obey(self, order: dict[str, Any]) -> dict[str, Any]:
        if order.get("verb") != "stop":
            return {"error": f"the run's supervisor (process {self._supervisor}) does not respond"}
        self._reason = str(order.get("reason") or "it was stopped")
        os.kill(self._supervisor, signal.SIGTERM)  # in case the supervisor responds again
        return {"ok": True}

    def _end_run(self) -> None:
        """Kill the supervisor, and record the end that it can no longer record."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # the directory was removed, or is read-only
                # While this file is locked, other processes wait, and do not call the run lost.
                log = held.enter_context(open_file(self._run.events, "ab"))
                fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._supervisor, signal.SIGKILL)
            os.waitpid(self._supervisor, 0)
            why = f"its supervisor did not respond for {PATIENCE:g} s, and was killed"
            left = [f"left behind: {one}" for one in processes.kill_children()]
            control.close(self._listener)  # nothing must be left when a reader sees the end
            with contextlib.suppress(OSError):
                self._record("; ".join([self._reason, why, *left]))

    def _record(self, reason: str) -> None:
        if recorded_end(self._run.events) is None:
            record_end(self._run.events, RunEnded("stopped", reason, t=self._run.now()))
