"""Report what a coordinator's workers compute: closures scheduled, done, retried, failed.

A closure is the argument of one call of ``coordinator.schedule``. The counts come from the queue
from which all workers take closures, where TensorFlow makes its decisions. If a worker is lost, its
closure returns to the queue and another worker computes it; this counts as a retry.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after, before
from mwtutor.worker.in_collective import in_coordinator

#: Minimum time between two reports, in seconds.
INTERVAL = 0.25

_MODULE = "tensorflow.python.distribute.coordinator.cluster_coordinator"


class Tally:
    """The state of this process's closures, and which workers are computing one now.

    Args:
        send: called after changes, at most every :data:`INTERVAL` seconds.
        waits: whether the program is in a call to its coordinator now.
    """

    def __init__(self, send: Callable[..., None], waits: Callable[[], bool]) -> None:
        self._send = send
        self._waits = waits
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._done: Counter[int] = Counter()
        self._computing: Counter[int] = Counter()
        self._recently: set[int] = set()
        self._told: dict[str, Any] = {}
        self._changed = threading.Event()
        self._reporter: threading.Thread | None = None

    def count(self, what: str) -> None:
        """Count a closure that was ``scheduled``, ``retried``, ``failed`` or ``cancelled``."""
        with self._lock:
            self._counts[what] += 1
            if self._reporter is None:
                self._reporter = threading.Thread(target=self._tell_on, daemon=True)
                self._reporter.start()
        self._changed.set()

    def note_done(self, worker: int) -> None:
        with self._lock:
            self._done[worker] += 1

    def note_begun(self, worker: int) -> None:
        with self._lock:
            self._computing[worker] += 1
            self._recently.add(worker)
        self._changed.set()

    def note_ended(self, worker: int) -> None:
        with self._lock:
            self._computing[worker] -= 1
        self._changed.set()

    def remaining(self) -> int:
        """How many closures remain to be computed."""
        with self._lock:
            return self._remaining()

    def _remaining(self) -> int:
        over = self._done.total() + self._counts["failed"] + self._counts["cancelled"]
        return self._counts["scheduled"] - over

    def tell(self) -> None:
        """Report the counts, unless they were reported already."""
        with self._lock:
            now = {
                **{what: self._counts[what] for what in COUNTED},
                "done": {str(worker): number for worker, number in sorted(self._done.items())},
                "computing": sorted(self._recently | set(+self._computing)),
                "waiting": self._remaining() > 0 and self._waits(),
            }
            self._recently.clear()
            if now != self._told and now["scheduled"]:
                self._send("closures", **now)
            self._told = now

    def _tell_on(self) -> None:
        while self._changed.wait():
            self._changed.clear()
            self.tell()
            time.sleep(INTERVAL)
            if self._told["computing"] or self.remaining():  # so that its end is reported
                self._changed.set()


#: The events that are counted for all workers together.
COUNTED = ("scheduled", "retried", "failed", "cancelled")


def waits() -> bool:
    """Whether the main thread of this process is in a call to its coordinator."""
    main = threading.main_thread().ident or 0
    return in_coordinator(sys._current_frames().get(main))


_tally = Tally(metrics.send, waits)

#: The closures that were canceled because another closure had failed.
_given_up: weakref.WeakSet[Any] = weakref.WeakSet()

#: The worker for which this thread of the coordinator computes.
_here = threading.local()


def install() -> None:
    when_imported(_MODULE, _count_closures)


def remaining() -> int:
    """How many of the closures that this process scheduled remain to be computed."""
    return _tally.remaining()


def flush() -> None:
    """Report the remaining changes, at the program's end."""
    _tally.tell()


def _count_closures(module: ModuleType) -> None:
    queue, worker = module._CoordinatedClosureQueue, module.Worker
    put, put_back, process = queue.put, queue.put_back, worker._process_closure

    @functools.wraps(put)
    def counted_put(self: Any, closure: Any, tag: Any = None) -> None:
        try:
            put(self, closure, tag)
        except KeyboardInterrupt:  # the call may have waited for space in the queue
            if closure in tuple(self._queue.queue):
                _tally.count("scheduled")
            raise
        except BaseException:  # an earlier failure, raised after the closure was queued
            _tally.count("scheduled")
            raise
        if tag is None:  # otherwise, it creates an object on a worker, such as an iterator
            _tally.count("scheduled")

    @functools.wraps(put_back)
    def counted_put_back(self: Any, closure: Any) -> None:
        _leave()  # the thread now waits for the lost worker
        put_back(self, closure)
        if closure not in _given_up:
            _tally.count("retried")

    def note_cancelled(closure: Any) -> None:
        if closure.tag is None:
            _given_up.add(closure)
            _tally.count("cancelled")

    def note_failed(queue: Any, error: BaseException) -> None:
        given_up = type(error).__name__ == "CancelledError"  # another closure had failed
        _tally.count("cancelled" if given_up else "failed")

    @functools.wraps(process)
    def noted_process(self: Any, closure: Any) -> None:
        _here.worker, _here.computes = self.worker_index, True
        _tally.note_begun(_here.worker)
        try:
            process(self, closure)
        finally:
            _leave()

    queue.put, queue.put_back = counted_put, counted_put_back
    worker._process_closure = noted_process
    before(queue, "mark_finished", lambda queue: _tally.note_done(_here.worker))
    before(queue, "mark_failed", note_failed)
    after(module.Closure, "mark_cancelled", note_cancelled)


def _leave() -> None:
    if _here.computes:
        _here.computes = False
        _tally.note_ended(_here.worker)
