"""A task's record of when it takes training steps, and begins and ends other activities.

There are too many steps for the pipe to the supervisor, so a task writes them beside its log, in
records of 32 bytes. Written records survive the task, however it ends; those of its last
:data:`LATER` seconds may be lost with it. The file stays small: in a long training, only every
second, fourth, eighth ... step is recorded, the same ones in every task.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from mwtutor import metrics
from mwtutor.sanitize import whole_number
from mwtutor.system.files import open_fd
from mwtutor.system.variables import ATTEMPT

#: The kind of the record, its number, its time (since the epoch, by a clock that is set once per
#: process), and four durations: see :meth:`Moments.step`. All are floats, in seconds: converting
#: them to integers would take longer than everything else.
RECORD = struct.Struct("<B3xIdffff")

#: Kinds of records. Each kind of beginning is followed by the kind of its end.
START, STEP, FULL = 1, 2, 3
FIT, EPOCH, TEST, PREDICT, SAVE, CELL = range(4, 16, 2)

#: The version of this format, in the first duration of a :data:`START`.
VERSION = 1

#: This many steps are recorded one by one, then as many of every second, of every fourth ...
BLOCK = 4096

#: Maximum number of records of other kinds: a program may have any number of short epochs.
_MOST = 20_000

#: Seconds between two writes.
LATER = 0.05

_LARGEST = (1 << 32) - 1


def file(log: Path) -> Path:
    """The file with the moments of the task with this log."""
    return log.with_suffix(".moments")


class Moments:
    """The writer. On a full disk, or if the file was removed, the rest is not recorded."""

    def __init__(self, path: Path, attempt: int) -> None:
        self._fd = open_fd(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._still_ours = metrics.ownership(self._fd)
        self._pid = os.getpid()
        self._epoch = _epoch()
        self._written = 0.0
        self._held: list[bytes] = []
        self._others = 0
        self._steps = 0  # taken
        self._stride = 1
        self._left = BLOCK  # still to be recorded with this stride
        self._last_end = 0.0
        self._exchanging = 0.0
        self._note(START, attempt, time.perf_counter(), VERSION)

    def wants(self) -> bool:
        """Count a step that begins; return whether to record it."""
        self._steps += 1
        return (self._steps - 1) % self._stride == 0

    def step(self, begin: float, end: float, cpu: float) -> None:
        """Record a step.

        The record includes the time since the previous step ended, or the epoch began, and the
        part of it spent in exchanges with other tasks.

        Args:
            begin, end: its times, by :func:`time.perf_counter`.
            cpu: the processor time of the whole process during the step (seconds).
        """
        since = begin - self._last_end if self._last_end else 0.0
        self._note(STEP, self._steps - 1, begin, end - begin, cpu, since, self._exchanging)
        self._left -= 1
        if not self._left:
            self._stride *= 2
            self._left = BLOCK

    def ends(self, at: float) -> None:
        """Remember when a step ended, or an epoch began: the next step's wait starts there."""
        self._last_end = at
        self._exchanging = 0.0

    def exchanged(self, seconds: float) -> None:
        """Count an exchange with other tasks outside a step."""
        self._exchanging += seconds

    def note(self, kind: int, number: int = 0) -> None:
        """Record that an activity begins or ends now."""
        self._others += 1
        if self._others < _MOST:
            self._note(kind, number, time.perf_counter())
        elif self._others == _MOST:
            self._note(FULL, 0, time.perf_counter())

    def _note(
        self,
        kind: int,
        number: int,
        at: float,
        first: float = 0.0,
        second: float = 0.0,
        third: float = 0.0,
        fourth: float = 0.0,
    ) -> None:
        when = self._epoch + at
        self._held.append(RECORD.pack(kind, number & _LARGEST, when, first, second, third, fourth))
        if at - self._written >= LATER:
            self._written = at
            self.flush()

    def flush(self) -> None:
        """Write the records that are buffered."""
        if self._fd < 0 or os.getpid() != self._pid:
            return
        if not self._still_ours():  # the program closed the file, and may have reused its number
            self._fd = -1
            return
        data = b"".join(self._held)
        try:
            whole = os.write(self._fd, data) == len(data)
        except OSError:
            whole = False
        self._held.clear()
        if not whole:
            os.close(self._fd)
            self._fd = -1


def _epoch() -> float:
    """When :func:`time.perf_counter` was 0, the same in all processes of this machine.

    A process may be suspended between two clock reads, for longer than a step, so the quickest of
    several readings counts.
    """
    looks = []
    for _ in range(20):
        before, now, after = time.perf_counter(), time.time(), time.perf_counter()
        looks.append((after - before, now - (before + after) / 2))
    return min(looks)[1]


_moments: Moments | None = None
_main = 0

#: The main thread's current activities, the innermost last.
_inside: list[int] = []


def install(log: str) -> None:
    """Record the moments of this process."""
    global _moments, _main
    try:
        _moments = Moments(file(Path(log)), whole_number(os.environ.get(ATTEMPT, "")) or 1)
    except (OSError, ValueError):  # a full disk loses the times, but does not stop the program
        return
    _main = threading.get_ident()
    os.register_at_fork(after_in_child=_leave)


def _leave() -> None:
    """Forget the moments in a process that the program forks, because it is not a task."""
    global _moments
    _moments = None


def begin(kind: int, number: int = 0) -> None:
    """Begin an activity of the main thread, perhaps inside another."""
    if _moments is not None and threading.get_ident() == _main:
        _inside.append(kind)
        _moments.note(kind, number)
        if kind == EPOCH:
            _moments.ends(time.perf_counter())


def end(kind: int) -> None:
    """End the latest activity of this kind, and those that began in it and were cut short."""
    if _moments is not None and threading.get_ident() == _main and kind in _inside:
        while _inside.pop() != kind:
            pass
        _moments.note(kind + 1)
        if not _inside:  # a cell has ended, and its user reads the result now
            _moments.flush()


@contextlib.contextmanager
def during(kind: int, number: int = 0) -> Iterator[None]:
    """Record the block as an activity, or as part of an enclosing activity of the same kind."""
    if kind in _inside:
        yield
        return
    begin(kind, number)
    try:
        yield
    finally:
        end(kind)


def flush() -> None:
    """Write everything, at the program's end."""
    if _moments is not None:
        _moments.flush()


# -- steps ----------------------------------------------------------------------------------

#: When the current step began, by the clocks of :meth:`Moments.step`; negative if it is not timed.
_begin = _cpu = -1.0

#: Whether the main thread is in a step.
_stepping = False


def here() -> bool:
    """Whether steps are timed here: in the main thread of a task, outside a step."""
    return _moments is not None and not _stepping and threading.get_ident() == _main


def step_begins() -> None:
    global _begin, _cpu, _stepping
    if _moments is not None and threading.get_ident() == _main:
        _stepping = True
        _begin = -1.0
        if _moments.wants():
            _cpu = time.process_time()
            _begin = time.perf_counter()


def step_ends() -> None:
    global _stepping
    if _moments is None or not _stepping:
        return
    now = time.perf_counter()
    if _begin >= 0:
        _moments.step(_begin, now, time.process_time() - _cpu)
    _moments.ends(now)
    _stepping = False


def note_exchange(seconds: float) -> None:
    """Count an exchange with other tasks, between two steps, that took this many seconds."""
    if _moments is not None:
        _moments.exchanged(seconds)


def in_keras() -> bool:
    """Whether Keras is training, evaluating or predicting, and so defines the steps."""
    return any(kind in (FIT, TEST, PREDICT) for kind in _inside)
