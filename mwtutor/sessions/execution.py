"""One cell on several workers: followed to its end, interrupted, or freed from waiting for ever.

A worker inside a collective waits for its peers and hears nothing else. When a peer is not coming
(its cell has raised, has ended, was interrupted or was never started), the wait is ended from a
second thread in the worker, which costs TensorFlow's collectives: they only raise from then on.
So it is done only when a worker is seen doing nothing inside an operation, or a function, that has
collectives in it (:mod:`mwtutor.worker.waiting`).
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import zmq

from mwtutor.cluster import TaskId
from mwtutor.sessions.link import WorkerLink
from mwtutor.sessions.result import CellResult, Listener

#: Seconds between two looks at what a worker is doing, and at whether it lives.
LOOK = 0.2

#: Seconds of doing nothing inside a collective after which a worker is taken to wait for peers:
#: that have failed, or that have ended the cell or were never given it.
PATIENCE_FAILED, PATIENCE_ABSENT = 0.35, 2.0

#: Seconds that interrupted workers get to end their cell.
INTERRUPTING = 10.0

#: Of one processor; the threads that poll connections use some of it.
_IDLE_SHARE = 0.15


class Execution:
    """Follows a cell that has been begun on ``links``, of all the ``workers`` of a session."""

    def __init__(
        self,
        links: Sequence[WorkerLink],
        workers: int,
        listener: Listener,
        check_alive: Callable[[], None],
    ) -> None:
        self._links = {link.task: link for link in links}
        self._partial = len(links) < workers
        self._listener = listener
        self._check_alive = check_alive
        self._running = dict(self._links)
        self._released: list[TaskId] = []
        self._interrupted_at = 0.0
        self._gave_up = False
        self._looks = {task: _Look() for task in self._links}
        self._next_look = time.monotonic() + LOOK
        self._poller = zmq.Poller()
        for link in links:
            self._poller.register(link.iopub, zmq.POLLIN)
            self._poller.register(link.shell, zmq.POLLIN)

    def follow(self) -> CellResult:
        """Until the cell has ended everywhere, or nothing helps."""
        with _interrupts_counted() as interrupts:
            heeded = 0
            while self._running and not self._gave_up:
                self._step()
                if interrupts.count > heeded:
                    heeded = interrupts.count
                    self._interrupt()
        return CellResult(
            tuple(self._links),
            {task: link.error for task, link in self._links.items() if link.error is not None},
            tuple(self._released),
            bool(self._interrupted_at),
            tuple(self._running),
        )

    def _step(self) -> None:
        heard = {socket for socket, _ in self._poller.poll(50)}
        for task, link in list(self._running.items()):
            for output in link.outputs(heard):
                self._listener.output(task, output)
            if not link.busy:
                del self._running[task]
                self._listener.ended(task)
        self._listener.tick()
        if self._running and time.monotonic() >= self._next_look:
            self._look()
            self._next_look = time.monotonic() + LOOK

    def _interrupt(self) -> None:
        if self._interrupted_at:  # the second time: it is not to be waited for any longer
            self._gave_up = True
            return
        self._interrupted_at = time.monotonic()
        for link in self._running.values():
            link.interrupt()

    def _look(self) -> None:
        self._check_alive()
        if self._interrupted_at and time.monotonic() - self._interrupted_at > INTERRUPTING:
            self._gave_up = True
        failed = any(link.error is not None for link in self._links.values())
        absent = self._partial or len(self._running) < len(self._links)
        if not (failed or absent or self._interrupted_at):
            return
        patience = PATIENCE_FAILED if failed or self._interrupted_at else PATIENCE_ABSENT
        looks = [self._looks[task].again(link) for task, link in self._running.items()]
        if all(idle >= patience for idle in looks):
            for task, link in self._running.items():
                if task not in self._released:
                    self._released.append(task)
                    link.ask("mwtutor_release")


@dataclass
class _Interrupts:
    count: int = 0


@contextmanager
def _interrupts_counted() -> Iterator[_Interrupts]:
    """Count interrupts instead of raising them.

    One that is raised while output is being shown can get lost: in a callback, or in a finalizer,
    an exception is reported and goes no further.
    """
    interrupts = _Interrupts()

    def count(number: int, frame: object) -> None:
        interrupts.count += 1

    if threading.current_thread() is not threading.main_thread():
        yield interrupts  # signals come to the main thread only
        return
    before = signal.signal(signal.SIGINT, count)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


class _Look:
    """What one worker was seen doing, again and again."""

    def __init__(self) -> None:
        self._since = 0.0
        self._at = 0.0
        self._cpu = 0.0

    def again(self, link: WorkerLink) -> float:
        """For how many seconds it may have been inside a collective and has used no processor."""
        seen: Any = link.ask("mwtutor_where")
        now = time.monotonic()
        if seen is None or not seen["inside"]:
            self._since = 0.0
            return 0.0
        used = (seen["cpu"] - self._cpu) / max(now - self._at, 1e-3)
        if not self._since or used > _IDLE_SHARE:
            self._since = now
        self._at, self._cpu = now, seen["cpu"]
        return now - self._since
