"""One task on this machine: a process, a log file, and a pipe each way."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run import log_index, stacks
from mwtutor.run.eventlog import Event
from mwtutor.supervisor import pipe_protocol
from mwtutor.system import child, processes
from mwtutor.system.files import unnamed_file
from mwtutor.worker import bootstrap
from mwtutor.worker import stacks as stack_requests

#: Bytes of a task's pipe that are read in one go, and how often: a program that never stops writing
#: into it must not keep its supervisor from everything else.
_CHUNK, _AT_ONCE = 65536, 16


class TaskProcess:
    """A started task, see :class:`mwtutor.supervisor.world.Task`."""

    def __init__(self, task: TaskId, port: int, log: Path, attempt: int = 1) -> None:
        self.id = task
        self.port = port
        self.attempt = attempt
        self.begun = self.heard = time.monotonic()
        self.stopping = False
        self.said_all = False
        self.raised: Event | None = None
        self.ended_by: int | None = None
        self.lost = ""  # what is here is reaped
        self.memory_kills = 0  # of the kernel, on the whole machine, when it ended
        self.pid = 0
        self.born: int | None = None
        self._pipe = self._ask = -1
        self._sent: set[int] = set()
        self._asked = 0
        self._partial = b""
        self.log = log
        open(log, "ab").close()  # a task that cannot open it could tell nobody
        self._index = open(log.with_suffix(".idx"), "ab", buffering=0)  # noqa: SIM115
        self._begins = self._seen = _size(log)  # before it is an earlier attempt's

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
        self.born = processes.started_at(self.pid)

    def fileno(self) -> int:
        return self._pipe

    def events(self) -> Iterator[Event]:
        """What the task has said since the last call, or as much of it as a pipe holds."""
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
                if (event := pipe_protocol.parse(line)) is not None:
                    self.heard = time.monotonic()
                    yield event
            if not data:  # it has closed its end, as at an exec
                self.said_all = True
                return

    def note_log(self) -> None:
        """Note how far the log has come, so that lines can be put in order of time."""
        size = _size(self.log)
        if size != self._seen:
            with contextlib.suppress(OSError):  # a full disk costs the order, not the run
                self._index.write(log_index.ENTRY.pack(self._seen, time.time()))
            self._seen = size
            self.heard = time.monotonic()

    @property
    def ended(self) -> bool:
        return self.ended_by is not None

    def listens(self) -> bool:
        """Whether it listens on its port."""
        return processes.listens(self.pid, self.port)

    def ask_for_stacks(self) -> str:
        """Ask where it stands; the answer, in a file beside its log, has the token given here."""
        self._asked += 1
        token = f"{self.attempt}.{self._asked}"  # an earlier attempt's answer may still be there
        self.ask(token)
        return token

    def say_training_is_over(self) -> None:
        """For an evaluator: no further checkpoint will be written."""
        self.ask(stack_requests.OVER)

    def ask(self, word: str) -> None:
        """Have it read a word, as :mod:`mwtutor.worker.stacks` does."""
        with contextlib.suppress(OSError):  # it has not answered for very long
            os.write(self._ask, f"{word} ".encode())

    def crash(self) -> stacks.Crash | None:
        """Where its native code has crashed, if Python has told."""
        return stacks.read_crash(self.log, self._begins)

    def send_signal(self, number: int) -> None:
        """Signal the task's whole group."""
        self._sent.add(number)
        if self.pid and not self.ended and not processes.kill_group(self.pid, number):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)  # only just forked, it does not lead its group yet

    @property
    def killed_by_others(self) -> bool:
        """Whether it ended by a SIGKILL that did not come from here."""
        return self.ended_by == -signal.SIGKILL and signal.SIGKILL not in self._sent

    def stop(self, number: int = signal.SIGKILL) -> None:
        self.stopping = True
        self.send_signal(number)

    def close(self) -> None:
        self.note_log()
        self._index.close()
        for fd in (self._pipe, self._ask):
            if fd >= 0:
                os.close(fd)
        self._pipe = self._ask = -1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


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
