"""Runs on this machine: a supervisor forked from the fork server, or started cold."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.devices import gpus
from mwtutor.engines.local import forkserver_client, reach
from mwtutor.engines.local.import_time import import_time_settings
from mwtutor.engines.local.interpreter import check_interpreter
from mwtutor.exceptions import LaunchFailed, NotSupported, message_of
from mwtutor.notices import IMPORTING, notice, waiting
from mwtutor.run import control
from mwtutor.run.engine import Engine, Usage
from mwtutor.run.logs.logs import last_words
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.record import life
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Script
from mwtutor.system import classroom, processes, transport
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import open_file, read
from mwtutor.system.linux import LINUX

#: Seconds that a supervisor may take to start its tasks, including TensorFlow's import if forked.
STARTING = 180.0

#: Seconds to wait for a fork server that a signal has suspended; seconds between two checks.
_HALTED, _LOOK = 2.0, 0.2


@dataclass(frozen=True)
class Held:
    """The connections that keep a run alive: to its supervisor, and to the supervisor's guard."""

    supervisor: socket.socket
    guard: socket.socket

    def close(self) -> None:
        self.supervisor.close()
        self.guard.close()


class LocalEngine(Engine):
    """Starts runs on this machine; its connections keep them alive. There is one per process."""

    name = "local"

    #: The role of the process that supervises a run that is not forked; see ``_entry.py``.
    _cold_role = "supervisor"

    #: Whether the engine's tasks run on this machine, and count toward a class's limits.
    _here = True

    def __init__(self) -> None:
        self._owned: dict[str, Held] = {}  # by directory, because a copy of a run has the same id
        self._launched: set[str] = set()
        self._cold: list[subprocess.Popen[bytes]] = []
        self._sending = threading.Lock()
        # A process forked by the kernel must not keep the kernel's runs alive.
        os.register_at_fork(after_in_child=self.close)

    def check(self, request: LaunchRequest) -> None:
        if not hasattr(os, "waitid"):
            raise NotSupported(*processes.NO_WAITID)
        if request.python or request.with_ != "tensorflow":
            check_interpreter(request.interpreter, request.with_)
        if limits := classroom.shares():
            limits.check(request.size.tasks)

    def devices(self) -> gpus.Survey:
        return gpus.find()

    def plan(
        self, request: LaunchRequest, script: Script | None, env: dict[str, str]
    ) -> dict[str, Any]:
        why_cold = self._why_cold(request, script, env)
        return {"warm": not why_cold, "why_cold": why_cold}

    def _why_cold(self, request: LaunchRequest, script: Script | None, env: dict[str, str]) -> str:
        """Why the run cannot be forked from the warm server; empty if it can."""
        if request.python:
            return "another interpreter was requested"
        if request.is_horovod:
            return "Horovod's ranks are never forked"
        if request.is_jax:
            return "Keras reads its backend when it is imported"
        if request.cold:
            return "--cold was given"
        if script is not None and (named := import_time_settings(script)):
            return named
        if not LINUX:
            return f"forking is not safe on {sys.platform}"
        return forkserver_client.server().why_not(env)

    def launch(self, run: RunSpec, context: ProcessContext) -> RunSpec:
        """Start the run; on a shared machine, wait until there is a place for it."""
        if not self._here:
            return self._launch(run, context, [])
        with classroom.place(run.request.size.tasks, bool(run.sockets)) as claim:
            return self._launch(run, context, claim)

    def _launch(self, run: RunSpec, context: ProcessContext, claim: list[int]) -> RunSpec:
        """Start the run; do not fork if two fork servers could not prove that forking is safe."""
        for attempt in (1, 2):
            try:
                self._start(run, context, claim)
                return run
            except Refused as refused:
                if attempt == 2:
                    run = replace(run, warm=False, why_cold=str(refused))
            except Unfit as unfit:
                run = replace(run, warm=False, why_cold=str(unfit))
                break
        run.save()
        self._start(run, context, claim)
        return run

    def _start(self, run: RunSpec, context: ProcessContext, claim: list[int]) -> None:
        owner, theirs = socket.socketpair()
        ours, lease = socket.socketpair()
        held = Held(owner, ours)
        order = {
            "run": run.to_json(),
            "context": context.to_json(),
            "control": str(control.new_path(run)),
        }
        printed = 0
        awake = _Awake()
        try:
            with theirs, lease:
                if run.warm:
                    server = forkserver_client.server()
                    printed = server.printed()
                    ends = [theirs.fileno(), lease.fileno(), *claim]
                    while not awake():
                        time.sleep(_LOOK)
                    with self._sending:  # two commands must not be interleaved
                        transport.send(server.channel, order, ends)
                else:
                    self._launch_cold(run, theirs)
                    transport.send(owner, order, [lease.fileno(), *claim])
            self._await_start(run, owner, awake)
        except transport.Disconnected:
            held.close()
            raise self._died(run, printed) from None
        except BaseException as error:
            held.close()  # the supervisor, if there is one, exits when this closes
            if isinstance(error, OSError):
                raise _not_started(message_of(error)) from None
            raise
        self._owned[run.directory] = held
        self._launched.add(run.directory)

    def poll(self, run: RunSpec, state: RunState) -> bool | None:
        if self.holds(run):
            return True
        launched = run.directory in self._launched
        found = life.look(run, state.supervisor, launched=launched).goes_on
        # This process may be a fork of the one that launched the run.
        ours = launched and run.launcher[0] == os.getpid()
        return False if ours and found is None else found

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        if state.cluster is None and processes.alive(*run.launcher):
            return "its supervisor exited without recording anything"
        if state.cluster is None:
            return "it never started, because the process that launched it died"
        return "its supervisor died, and its tasks with it"

    def holds(self, run: RunSpec) -> bool:
        held = self._owned.get(run.directory)
        return held is not None and not _closed(held.supervisor, 0)

    def wait(self, run: RunSpec, timeout: float) -> bool:
        held = self._owned.get(run.directory)
        return held is None or _closed(held.supervisor, timeout)

    def signal(self, run: RunSpec, task: TaskId, number: int) -> None:
        reach.send_signal(run, task, number)

    def rewire(self, run: RunSpec, verb: str, task: TaskId, link: str) -> str:
        return reach.rewire(run, verb, task, link)

    def stacks(self, run: RunSpec, task: TaskId) -> tuple[ThreadStack, ...]:
        return reach.ask_stacks(run, task)

    def sample(self, run: RunSpec, task: TaskId, seconds: float) -> str:
        return reach.ask_samples(run, task, seconds)

    def usage(self, run: RunSpec, state: RunState) -> Mapping[TaskId, Usage]:
        return reach.usage(run, state)

    def terminate(self, run: RunSpec, state: RunState, reason: str) -> bool:
        if self._tell(run, reason):
            return True
        return reach.stop(run, state, reason, self._supervisor(run, state))

    def _tell(self, run: RunSpec, reason: str) -> bool:
        """Over its connection, ask the run to stop; return whether there is a connection."""
        held = self._owned.get(run.directory)
        if held is None:
            return False
        try:
            held.supervisor.sendall(reason.encode(errors="replace"))
        except OSError:
            return False
        with contextlib.suppress(OSError):  # the guard was killed; the run continues without it
            held.guard.sendall(reason.encode(errors="replace"))
        return True

    def _supervisor(self, run: RunSpec, state: RunState) -> int:
        launched = run.directory in self._launched
        return life.look(run, state.supervisor, launched=launched).supervisor

    def out_of_reach(self, run: RunSpec) -> str:
        return reach.elsewhere(run)

    def last_resort(self, run: RunSpec, state: RunState) -> str:
        pid = self._supervisor(run, state) or "PID"
        return f"The supervisor may be stuck; to kill it: kill -9 {pid}"

    def cleanup(self, run: RunSpec) -> None:
        if (held := self._owned.pop(run.directory, None)) is not None:
            held.close()
        self._cold = [process for process in self._cold if process.poll() is None]

    def clear(self, run: RunSpec) -> list[str]:
        return reach.clear(run)

    def close(self) -> None:
        """Stop every run and the fork server."""
        for held in self._owned.values():
            held.close()
        self._owned.clear()
        forkserver_client.retire()

    def _launch_cold(self, run: RunSpec, theirs: socket.socket) -> None:
        with open_file(run.supervisor_log, "ab") as output:
            self._cold.append(forkserver_client.start_process(self._cold_role, theirs, output))

    def _await_start(self, run: RunSpec, owner: socket.socket, awake: _Awake) -> None:
        deadline = time.monotonic() + STARTING
        while True:
            waiting(
                IMPORTING if run.warm and forkserver_client.importing() else "starting the tasks"
            )
            if transport.readable(owner, _LOOK):
                break
            if run.warm and not forkserver_client.alive():
                raise transport.Disconnected("the fork server exited")
            if run.warm:
                awake()
            if time.monotonic() > deadline:
                raise LaunchFailed(
                    f"The run did not start within {STARTING:.0f} s.",
                    "The machine may be overloaded: check its load, then launch again.",
                )
        answer: dict[str, Any] = transport.receive(owner)[0]
        if "refused" in answer:
            forkserver_client.retire()
            raise Refused(answer["refused"])
        if "unfit" in answer:
            raise Unfit(answer["unfit"])
        if "problem" in answer:
            raise LaunchFailed(answer["problem"], answer["remedy"])
        if "error" in answer:
            raise _not_started(answer["error"])

    def _died(self, run: RunSpec, printed: int) -> LaunchFailed:
        if run.warm:
            why = forkserver_client.complaint(printed)
            forkserver_client.retire()
        else:
            why = ""
            with contextlib.suppress(OSError):
                why = last_words(read(run.supervisor_log))
            why = why or forkserver_client.ending(self._cold[-1])
        return LaunchFailed(
            f"The process that starts the tasks exited: {why or 'it gave no reason'}.",
            "Launch again; if it happens again, try --cold, and check the TensorFlow installation.",
        )


def _not_started(why: str) -> LaunchFailed:
    return LaunchFailed(
        f"The run could not be started: {why}.",
        "Correct the cause and launch again: the run left nothing behind.",
    )


class Refused(Exception):
    """The fork server could not prove that forking is safe; a new server may be able to."""


class Unfit(Exception):
    """No fork server can run this program as Python would; a plain process can."""


class _Awake:
    """Checks whether the fork server is running; waits only briefly if it is suspended."""

    def __init__(self) -> None:
        self._halted = 0.0

    def __call__(self) -> bool:
        """Whether the fork server is running now.

        Raises:
            Unfit: it had been suspended for too long, and was killed.
        """
        if not (pid := forkserver_client.halted()):
            self._halted = 0.0
            return True
        self._halted = self._halted or time.monotonic()
        if time.monotonic() - self._halted > _HALTED:
            notice(
                f"The fork server (process {pid}) is stopped by a signal. mwtutor kills it and"
                " starts the tasks as plain processes, which takes a few seconds longer."
            )
            forkserver_client.retire(kill=True)
            raise Unfit("the fork server was stopped by a signal")
        return False


def _closed(owner: socket.socket, timeout: float) -> bool:
    """Whether the other end of the connection closes within ``timeout`` seconds."""
    try:
        return transport.readable(owner, timeout) and not owner.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):  # another thread has released the run
        return True
