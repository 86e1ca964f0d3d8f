"""One task on this machine: a process, a log file, and a pipe in each direction."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run.record.events import Reported
from mwtutor.supervisor import pipe_protocol
from mwtutor.supervisor.followed import FollowedTask
from mwtutor.system import child, processes
from mwtutor.system.files import unnamed_file
from mwtutor.worker import bootstrap

#: Bytes that are read from a task's pipe at once, and the maximum number of such reads: a program
#: that writes all the time must not keep its supervisor from other work.
_CHUNK, _AT_ONCE = 65536, 16


class TaskProcess(FollowedTask):
    """A task's process, see :class:`mwtutor.supervisor.world.Task`."""

    def __init__(
        self,
        task: TaskId,
        port: int,
        log: Path,
        attempt: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(task, attempt, log, clock)
        self.port = port
        self._pipe = self._ask = -1
        self._partial = b""
        self._socket_count, self._look_again = "", 0.0

    def start(
        self,
        spec: bootstrap.TaskSpec,
        python: str,
        keep: Collection[int],
        enter: Callable[[], None],
    ) -> None:
        """Start the process: forked from this one, or, given ``python``, in a new interpreter.

        Args:
            enter: moves the new process into the network of its run.
        """
        self._pipe, channel = os.pipe()
        requests, self._ask = os.pipe()
        parent = os.getpid()
        try:
            self.pid = os.fork()
        except OSError:
            os.close(channel)
            os.close(requests)
            raise
        if self.pid == 0:
            try:
                enter()
                if python:
                    _exec(spec, python, (channel, requests), parent)
                child.detach(spec.log, parent, {*keep, channel, requests})
                bootstrap.run_forked(spec, channel, requests)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(70)
        os.close(channel)
        os.close(requests)
        os.set_blocking(self._ask, False)
        os.set_blocking(self._pipe, False)
        self.born = processes.started_at(self.pid) or 0

    def fileno(self) -> int:
        return self._pipe

    def events(self) -> Iterator[Reported]:
        """What the task has reported since the last call, or the first megabyte of it."""
        for _ in range(_AT_ONCE):
            if self._pipe < 0:
                return
            try:
                data = os.read(self._pipe, _CHUNK)
            except BlockingIOError:
                return
            *lines, rest = (self._partial + data).split(b"\n")
            self._partial = rest[-_CHUNK:]
            for line in lines:
                if (event := pipe_protocol.parse(line, self.id)) is not None:
                    self.heard = time.monotonic()
                    yield event
            if not data:  # the task has closed its end, for example by an exec
                self.said_all = True
                return

    def listens(self) -> bool:
        """Whether the task listens on its port.

        The task is checked only if the number of sockets has changed, and every second, because one
        socket may have been closed as another was opened.
        """
        count, now = processes.socket_count(self.pid), time.monotonic()
        if count and count == self._socket_count and now < self._look_again:
            return False
        self._socket_count, self._look_again = count, now + 1.0
        return processes.listens(self.pid, self.port)

    def ask(self, word: str) -> None:
        with contextlib.suppress(OSError):  # the pipe is full, because the task does not read it
            os.write(self._ask, f"{word} ".encode())

    def send_signal(self, number: int) -> None:
        """Signal the task's whole group."""
        self._sent.add(number)
        if self.pid and not self.ended and not processes.kill_group(self.pid, number):
            with contextlib.suppress(ProcessLookupError):
                # The task was just forked, and does not lead its group yet.
                os.kill(self.pid, number)

    def close(self) -> None:
        super().close()
        for fd in (self._pipe, self._ask):
            if fd >= 0:
                os.close(fd)
        self._pipe = self._ask = -1


def _exec(spec: bootstrap.TaskSpec, python: str, fds: tuple[int, int], parent: int) -> None:
    handed = unnamed_file()
    handed.write(f"{fds[0]} {fds[1]}\n".encode() + spec.to_json().encode())
    handed.seek(0)
    child.detach(spec.log, parent, {handed.fileno(), *fds})
    child.adopt(spec.context, spec.title)
    for fd in (handed.fileno(), *fds):
        os.set_inheritable(fd, True)
    arguments = [python, str(child.ENTRY), "task", str(handed.fileno())]
    try:
        os.execve(python, arguments, spec.context.env)
    except OSError as error:
        print(f"{python} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(126)
