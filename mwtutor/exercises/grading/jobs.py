"""Call functions in separate processes, several at once: if one is killed, only its result is
lost."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Generic, TypeVar

from mwtutor.system import processes
from mwtutor.system.child import die_with

_Result = TypeVar("_Result")

_FORK = multiprocessing.get_context("fork")  # a function that is inherited need not be pickled

#: Seconds between two checks for late processes, and within which an interrupted one exits.
_LOOK, _ENDING = 1.0, 20.0


@dataclass(frozen=True)
class Task(Generic[_Result]):
    """A function to call, and the seconds after which its process is killed."""

    call: Callable[[], _Result]
    seconds: float


@dataclass(frozen=True)
class _Job:
    at: int
    process: ForkProcess
    deadline: float

    def is_late(self) -> bool:
        """Whether no result will come: the process's time is over, or a signal has halted it."""
        return time.monotonic() > self.deadline or processes.is_halted(self.process.pid or 0)


def results(
    tasks: Sequence[Task[_Result]], jobs: int
) -> Generator[tuple[int, _Result | None], None, None]:
    """The index of each task and its result, in the order in which the tasks end.

    This process must be a subreaper. When the iterator is closed, nothing is left running.

    Args:
        jobs: how many processes there may be at once.

    Returns:
        None for a task whose process did not return a result: it was killed, or was late.
    """
    waiting = list(enumerate(tasks))
    running: dict[Connection, _Job] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                receive, job = _started(*waiting.pop(0))
                running[receive] = job
            ready = wait(list(running), _LOOK)
            late = [one for one, job in running.items() if job.is_late()]
            for receive in [one for one in running if one in ready or one in late]:
                job = running.pop(receive)
                result = _received(receive) if receive in ready else None
                job.process.kill()
                job.process.join()
                processes.kill_children({one.process.pid for one in running.values()})
                yield job.at, result
    finally:
        _end([job.process for job in running.values()])


def _started(at: int, task: Task[_Result]) -> tuple[Connection, _Job]:
    receive, send = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_work, args=(task, send, os.getpid()))
    process.start()
    send.close()  # so that the pipe closes when the process exits
    return receive, _Job(at, process, time.monotonic() + task.seconds)


def _work(task: Task[_Result], send: Connection, parent: int) -> None:
    os.setsid()  # Ctrl-C in a terminal reaches the parent, which passes it on once
    die_with(parent)
    processes.become_subreaper()
    with contextlib.suppress(KeyboardInterrupt):
        send.send(task.call())


def _received(receive: Connection) -> _Result | None:
    try:
        result: _Result = receive.recv()
    except EOFError:
        return None
    return result


def _end(left: Sequence[ForkProcess]) -> None:
    """Interrupt the processes, so that they remove their files; kill those that remain."""
    for process in left:
        if process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
    deadline = time.monotonic() + _ENDING
    for process in left:
        process.join(max(0.0, deadline - time.monotonic()))
        process.kill()
        process.join()
    processes.kill_children()
