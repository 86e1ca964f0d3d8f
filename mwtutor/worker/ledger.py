"""The ledger of a task's exchanges with others: its own file, which survives the task.

Of each collective operation that is executed there is a row: what it is, which line asked for it,
when it was begun and when it ended. The newest :data:`ROWS` are kept, each at its own place in
the file. What rows refer to (operations and lines) is described once, in a second file, and so is
what cannot be recorded. :mod:`mwtutor.run.observations.ledgers` reads both.

Collectives that are executed at once are noted here directly. Those in a graph put what happens to
them into a queue of TensorFlow's, which a thread of ours empties: no Python is executed in a step.
A row that is still in that queue when its process is killed, :data:`LATER` seconds at most, is
lost with it.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from mwtutor import metrics
from mwtutor.sanitize import whole_number
from mwtutor.system.files import append, open_fd
from mwtutor.system.variables import ATTEMPT, LEDGER

#: A row: its number in the task, from 1; the collective's group, key and which execution with this
#: key it is; operation and place, by number; how often that place has exchanged something, and how
#: many bytes, with this row; when it was begun and ended (seconds since the
#: epoch; 0: not yet; negative: by an error).
ROW = struct.Struct("<QiiIIIIqqdd")

#: The head of the file: the version of this format, which start of the task it is of, whether
#: writing has failed, until when nothing is missing (seconds since the epoch; 0: forever), and how
#: many rows have been written.
HEAD = struct.Struct("<IIQdQ32x")
VERSION = 1

#: As many rows are kept: of more exchanges the newest.
ROWS = 32_768

#: Seconds between two looks into the queue.
LATER = 0.1

#: As many keys are known by the line that asked for them.
_ASKED = 1 << 14

#: As many operations and places are described; what comes after them is the last one.
_MOST = 20_000


@dataclass(frozen=True)
class Operation:
    """A collective operation, as it was built.

    Attributes:
        kind: ``all-reduce``, ``all-gather``, ``broadcast`` or ``all-to-all``.
        dtype: of what is exchanged, for example ``float32``.
        shape: of what this task gives; empty if it is known only when it is executed.
        device: of this task, by which it is executed: ``CPU:0``.
        size: of its group.
        file, line, function, cell: where the user's program built it; empty if none of its frames
            did.
        ours: whether mwtutor's compatibility layer added it to the program.
    """

    kind: str
    dtype: str
    shape: tuple[int, ...] | None
    device: str
    size: int
    file: str = ""
    line: int = 0
    function: str = ""
    cell: int = 0
    ours: bool = False


@dataclass(frozen=True)
class Place:
    """A line of the user's program that was being executed; in a session, of which cell."""

    file: str = ""
    line: int = 0
    function: str = ""
    cell: int = 0


def file(log: Path) -> Path:
    """Where the ledger of the task with this log is."""
    return log.with_suffix(".exchanges")


def described(log: Path) -> Path:
    """Where the operations and places in it are described, a line of JSON each."""
    return log.with_suffix(".places")


@dataclass
class _Open:
    """A row that has not ended."""

    at: int
    fields: tuple[Any, ...]


@dataclass
class _Known:
    """Descriptions that have been written, by number."""

    path: Path
    numbers: dict[Operation | Place, int] = field(default_factory=dict)

    def number(self, one: Operation | Place) -> int:
        if (known := self.numbers.get(one)) is None:
            known = min(len(self.numbers), _MOST)
            if known < _MOST:
                self.numbers[one] = known
                what = {type(one).__name__.lower(): known, **asdict(one)}
                append(self.path, json.dumps(what).encode() + b"\n")
        return known


class Ledger:
    """The writing end. A disk that is full, or a file that has gone, costs the rest of it."""

    def __init__(self, log: Path, attempt: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.close(open_fd(described(log), flags))
        self._fd = open_fd(file(log), flags)
        self._still_ours = metrics.ownership(self._fd)
        self._known = _Known(described(log))
        self._order = threading.Lock()
        self._made = 0
        self._executions: Counter[tuple[int, int, int]] = Counter()
        self._asked: dict[tuple[int, int], Place] = {}
        self._reached: dict[int, tuple[int, int]] = {}
        self._going: dict[tuple[int, int, int], list[_Open]] = {}
        self._operations: dict[int, Operation] = {}
        self._held: dict[int, bytes] = {}
        self._left_out: set[str] = set()
        self._path, self._attempt = file(log), attempt
        self._looked = 0.0
        self.looked(0.0)

    def looked(self, at: float) -> None:
        """Note until when everything that was in the queue is here."""
        self._looked = at
        self._write(0, HEAD.pack(VERSION, self._attempt, 0, at, self._made))

    def operation(self, what: Operation) -> int:
        """The number of an operation that has been built."""
        with self._order:
            number = self._known.number(what)
            self._operations[number] = what
            return number

    def leaves_out(self, what: str) -> None:
        """Note that the task may make exchanges that are not recorded, and by what."""
        with self._order:
            if what not in self._left_out:
                self._left_out.add(what)
                append(described(self._path), json.dumps({"unrecorded": what}).encode() + b"\n")

    def asked(self, group: int, key: int, by: Place) -> None:
        """Note which line of the program will have caused the exchanges with this key."""
        self._asked[group, key] = by
        if len(self._asked) > _ASKED:  # the oldest, whose collectives are over or never executed
            self._asked.pop(next(iter(self._asked)), None)

    def begins(self, number: int, group: int, key: int, size: int, at: float) -> None:
        """Note that an exchange begins.

        Args:
            number: of its :meth:`operation`.
            size: in bytes.
            at: when (seconds since the epoch).
        """
        with self._order:
            what = self._operations.get(number)
            place = self._asked.get((group, key))
            if place is None:
                place = Place(what.file, what.line, what.function, what.cell) if what else Place()
            self._made += 1
            execution = self._execution(number, group, key)
            here = self._known.number(place)
            times, total = self._reached.get(here, (0, 0))
            self._reached[here] = times, total = times + 1, total + size
            row = _Open(
                HEAD.size + (self._made - 1) % ROWS * ROW.size,
                (self._made, group, key, execution, number, here, times, size, total, at),
            )
            self._going.setdefault((number, group, key), []).append(row)
            self._held[row.at] = ROW.pack(*row.fields, 0.0)

    def _execution(self, number: int, group: int, key: int) -> int:
        """Which execution with this key it is, from 1; keys of long ago are forgotten."""
        if len(self._executions) > 1 << 16:
            newest = max(key for _, _, key in self._executions)
            kept = {one: n for one, n in self._executions.items() if one[2] > newest - (1 << 12)}
            self._executions = Counter(kept)
        self._executions[number, group, key] += 1
        return self._executions[number, group, key]

    def ends(self, number: int, group: int, key: int, at: float) -> None:
        """Note that an exchange has ended: the oldest of those with this key."""
        with self._order:
            if not (going := self._going.get((number, group, key))):
                return
            row = going.pop(0)
            if not going:
                del self._going[number, group, key]
            self._close(row, at)

    def breaks_off(self) -> None:
        """Note that no exchange is running: an error has ended what they were part of."""
        with self._order:
            for rows in self._going.values():
                for row in rows:
                    self._close(row, -time.time())
            self._going.clear()

    def _close(self, row: _Open, ended: float) -> None:
        if row.fields[0] > self._made - ROWS:  # nothing newer has taken its place
            self._held[row.at] = ROW.pack(*row.fields, ended)

    def write(self) -> None:
        """Write what has been noted since the last time, neighbors at once."""
        with self._order:
            held, self._held = sorted(self._held.items()), {}
            for _, run in groupby(enumerate(held), lambda pair: pair[1][0] - pair[0] * ROW.size):
                rows = [row for _, row in run]
                self._write(rows[0][0], b"".join(data for _, data in rows))
            if held:
                self.looked(self._looked)

    def _write(self, at: int, data: bytes) -> None:
        if self._fd < 0:
            return
        try:
            # If the program has closed it, what it opens since is its own.
            if self._still_ours() and os.pwrite(self._fd, data, at) == len(data):
                return
        except OSError:
            pass
        self._give_up()

    def _give_up(self) -> None:
        """Write no more, and say so at the head, for which there has been room."""
        with contextlib.suppress(OSError):
            if self._still_ours():
                os.close(self._fd)
            fd = open_fd(self._path, os.O_WRONLY)
            os.pwrite(fd, HEAD.pack(VERSION, self._attempt, 1, 0.0, 0), 0)
            os.close(fd)
        self._fd = -1


_ledger: Ledger | None = None

#: The cells of a session by the names that their code is compiled under.
cells: dict[str, int] = {}

#: What is in the queue: operation and whether it ends, group, key, bytes, seconds since the epoch.
Noted = tuple[int, int, int, int, float]

#: Takes what is in the queue.
Take = Callable[[], Iterable[Noted]]
_takes: list[Take] = []
_taking = threading.Lock()


def install(log: str) -> None:
    """Have the exchanges of this process recorded."""
    global _ledger
    if os.environ.get(LEDGER) == "0":
        return
    try:
        _ledger = Ledger(Path(log), whole_number(os.environ.get(ATTEMPT, "")) or 1)
    except (OSError, ValueError):  # a full disk costs the ledger, not the program
        return
    os.register_at_fork(after_in_child=_leave)


def _leave() -> None:
    """What the program forks is not a task."""
    global _ledger
    _ledger = None


def here() -> Ledger | None:
    """The ledger of this process, if it has one."""
    return _ledger


def broken_off() -> None:
    """Note that an error has ended the running exchanges of this process."""
    if _ledger is not None:
        flush()
        _ledger.breaks_off()
        _ledger.write()


def leave_out(what: str) -> None:
    """Note that this process may make exchanges that are not recorded, and by what."""
    if _ledger is not None:
        _ledger.leaves_out(what)


def empty_with(take: Take) -> None:
    """Have a thread empty a queue from now on."""
    if take in _takes or _ledger is None:
        return
    _takes.append(take)
    if len(_takes) > 1:
        return
    _ledger.looked(time.time())
    # The program's signals are for its main thread.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        # Not threading.Thread: the program should not see one more name in threading.enumerate().
        _thread.start_new_thread(_keep_empty, ())
    except RuntimeError:  # no more threads: it is emptied at the program's end
        pass
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _keep_empty() -> None:
    said = 0.0
    while _ledger is not None:
        time.sleep(LATER)
        before = time.time()
        flush()
        if before - said > 1 and _ledger is not None:
            said = before
            _ledger.looked(before)


def flush() -> None:
    """Write what is still in the queues; also at the program's end."""
    if _ledger is None or not _takes:
        return
    with _taking:
        taken: list[Noted] = []
        for take in _takes:
            with contextlib.suppress(Exception):  # TensorFlow is the program's, and may be gone
                taken.extend(take())
        for what, group, key, size, at in taken:
            if what % 2:
                _ledger.ends(what // 2, group, key, at)
            else:
                _ledger.begins(what // 2, group, key, size, at)
        _ledger.write()
