"""One cell on several workers: follow it to its end, interrupt it, or end an endless wait.

A worker inside a collective waits for its peers and reacts to nothing else. If a peer will not join
(its cell raised, ended, was interrupted or was never started), a second thread in the worker ends
the wait. From then on TensorFlow's collectives only raise errors, so a wait is ended only when a
worker is seen idle inside an operation or function that contains collectives
(:mod:`mwtutor.worker.in_collective`).
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import zmq

from mwtutor.cluster import TaskId
from mwtutor.sessions.link import WorkerLink
from mwtutor.sessions.result import CellResult, Listener

#: Seconds between two checks of what a worker is doing and whether it is alive.
LOOK = 0.2

#: Seconds that a worker idles inside a collective before it is assumed to be waiting for peers that
#: have failed, or for peers that have finished the cell or never got it.
PATIENCE_FAILED, PATIENCE_ABSENT = 0.35, 2.0

#: Seconds after an interrupt within which the next worker must end its cell or be released.
INTERRUPTING = 10.0

#: Share of one processor below which a worker counts as idle; threads that poll connections use
#: some.
_IDLE_SHARE = 0.15


class Execution:
    """Follows a cell on ``links``: all or some of a session's ``workers``."""

    def __init__(
        self,
        links: Sequence[WorkerLink],
        workers: int,
        listener: Listener,
        look: Callable[[], bool],
    ) -> None:
        self._links = {link.task: link for link in links}
        self._partial = len(links) < workers
        self._listener = listener
        self._waits_in_vain = look
        self._running = dict(self._links)
        self._released: list[TaskId] = []
        self._interrupted = False
        self._moved = 0.0  # when a worker was last interrupted or released, or ended the cell
        self._gave_up = False
        self._looks = {task: _Look() for task in self._links}
        self._next_look = time.monotonic() + LOOK
        self._poller = zmq.Poller()
        for link in links:
            self._poller.register(link.iopub, zmq.POLLIN)
            self._poller.register(link.shell, zmq.POLLIN)

    def follow(self, start: Callable[[], None], interrupts: Interrupts | None = None) -> CellResult:
        """Start the cell, and follow it until it has ended everywhere or cannot be made to end.

        Args:
            interrupts: counts the interrupts that are meant for this cell; by default, those of
                this process.
        """
        with _signals_counted() if interrupts is None else nullcontext(interrupts) as interrupts:
            start()
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
            self._interrupted,
            tuple(self._running),
        )

    def _step(self) -> None:
        heard = {socket for socket, _ in self._poller.poll(50)}
        for task, link in list(self._running.items()):
            for output in link.outputs(heard):
                self._listener.output(task, output)
            if not link.busy:
                del self._running[task]
                self._moved = time.monotonic()
                self._listener.ended(task)
        self._listener.tick()
        if self._running and time.monotonic() >= self._next_look:
            self._look()
            self._next_look = time.monotonic() + LOOK

    def _interrupt(self) -> None:
        if self._interrupted:  # second interrupt: stop waiting
            self._gave_up = True
            return
        self._interrupted, self._moved = True, time.monotonic()
        for link in self._running.values():
            link.interrupt()

    def _look(self) -> None:
        if self._waits_in_vain() and not self._interrupted:
            self._interrupt()
        if self._interrupted and time.monotonic() - self._moved > INTERRUPTING:
            self._gave_up = True
        failed = any(link.error is not None for link in self._links.values())
        absent = self._partial or len(self._running) < len(self._links)
        if not (failed or absent or self._interrupted):
            return
        patience = PATIENCE_FAILED if failed or self._interrupted else PATIENCE_ABSENT
        looks = [self._looks[task].again(link) for task, link in self._running.items()]
        if all(idle >= patience for idle in looks):
            for task, link in self._running.items():
                if task not in self._released:
                    self._released.append(task)
                    link.ask("mwtutor_release")
                    self._moved = time.monotonic()


@dataclass
class Interrupts:
    """How often a cell was interrupted; after the second time, nothing waits for it."""

    count: int = 0


@contextmanager
def _signals_counted() -> Iterator[Interrupts]:
    """Count interrupts instead of raising them.

    An interrupt raised while output is shown can get lost: in a callback or finalizer, Python
    reports an exception instead of passing it on. Raised while the cell is sent, it would leave the
    cell unattended.
    """
    interrupts = Interrupts()

    def count(number: int, frame: object) -> None:
        interrupts.count += 1

    if threading.current_thread() is not threading.main_thread():
        yield interrupts  # only the main thread receives signals
        return
    before = signal.signal(signal.SIGINT, count)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


class _Look:
    """The results of repeated checks of one worker."""

    def __init__(self) -> None:
        self._since = 0.0
        self._at = 0.0
        self._cpu = 0.0

    def again(self, link: WorkerLink) -> float:
        """For how many seconds the worker has been idle, possibly inside a collective."""
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
