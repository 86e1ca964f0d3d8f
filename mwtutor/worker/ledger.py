"""The ledger of a task's exchanges with others: its own file, which survives the task.

Each collective operation that is executed has a row: what it is, which line requested it, when it
began and ended. The newest :data:`ROWS` are kept, each at its own place in the file. A second file
describes, once each, the operations and lines that rows refer to, and whatever cannot be recorded.
:mod:`mwtutor.run.observations.ledgers` reads both.

Eager collectives are recorded here directly. Those in a graph put their times into a TensorFlow
queue, which a thread of ours empties: a step executes no Python. When a process is killed, rows
still in its queue (from the last :data:`LATER` seconds at most) are lost.
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
#: many bytes, this row included; when it began and ended (seconds since the epoch; 0: not yet;
#: negative: by an error).
ROW = struct.Struct("<QiiIIIIqqdd")

#: The head of the file: the version of this format, which start of the task it belongs to, whether
#: writing failed, until when it is complete (seconds since the epoch; 0: forever), and how many
#: rows were written.
HEAD = struct.Struct("<IIQdQ32x")
VERSION = 1

#: The groups of Horovod's exchanges: those executed at once meet in order, kind by kind; those of a
#: graph meet by name.
HOROVOD_AT_ONCE, HOROVOD_IN_GRAPH = -1, -2

#: The number of rows that are kept, the newest.
ROWS = 32_768

#: Seconds between two checks of the queue.
LATER = 0.1

#: The number of keys whose requesting line is kept.
_ASKED = 1 << 14

#: The number of operations and places that are described; all later ones count as the last.
_MOST = 20_000


@dataclass(frozen=True)
class Operation:
    """A collective operation, as built.

    Attributes:
        kind: ``all-reduce``, ``all-gather``, ``broadcast`` or ``all-to-all``.
        dtype: of the exchanged values, for example ``float32``.
        shape: of this task's input; empty if known only at execution.
        device: of this task, the device that executes it: ``CPU:0``.
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
    """A line of the user's program that was being executed; in a session, with its cell."""

    file: str = ""
    line: int = 0
    function: str = ""
    cell: int = 0


def file(log: Path) -> Path:
    """The path of the ledger of the task with this log."""
    return log.with_suffix(".exchanges")


def described(log: Path) -> Path:
    """The file that describes its operations and places, one line of JSON each."""
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
    """The writer. On a full disk, or if a file was removed, the rest is not recorded."""

    def __init__(self, log: Path, attempt: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.close(open_fd(described(log), flags))
        self._fd = open_fd(file(log), flags)
        self._still_ours = metrics.ownership(self._fd)
        self._known = _Known(described(log))
        self._order = threading.Lock()
        self._made = self._counted = 0
        self._executions: Counter[tuple[str, int, int]] = Counter()
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
        """Record the time up to which the queue has been emptied."""
        self._looked, self._counted = at, self._made
        self._write(0, HEAD.pack(VERSION, self._attempt, 0, at, self._made))

    def operation(self, what: Operation) -> int:
        """The number of an operation that was built."""
        with self._order:
            number = self._known.number(what)
            self._operations[number] = what
            return number

    def leaves_out(self, what: str) -> None:
        """Record that the task may make exchanges that are not recorded, and by what means."""
        with self._order:
            if what not in self._left_out:
                self._left_out.add(what)
                append(described(self._path), json.dumps({"unrecorded": what}).encode() + b"\n")

    def asked(self, group: int, key: int, by: Place) -> None:
        """Remember which line of the program causes the exchanges with this key."""
        self._asked[group, key] = by
        if len(self._asked) > _ASKED:  # the oldest, whose collectives are over or never ran
            self._asked.pop(next(iter(self._asked)), None)

    def begins(self, number: int, group: int, key: int, size: int, at: float) -> None:
        """Record that an exchange begins.

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
            execution = self._execution(what.device if what else "", group, key)
            here = self._known.number(place)
            times, total = self._reached.get(here, (0, 0))
            self._reached[here] = times, total = times + 1, total + size
            row = _Open(
                HEAD.size + (self._made - 1) % ROWS * ROW.size,
                (self._made, group, key, execution, number, here, times, size, total, at),
            )
            self._going.setdefault((number, group, key), []).append(row)
            self._held[row.at] = ROW.pack(*row.fields, 0.0)

    def _execution(self, device: str, group: int, key: int) -> int:
        """The number of this execution among those with its key, from 1; old keys are forgotten."""
        if len(self._executions) > 1 << 16:
            newest = max((key for _, group, key in self._executions if group >= 0), default=0)
            for one in list(self._executions):
                if one[1] >= 0 and one[2] <= newest - (1 << 12):  # Horovod's keys have no order
                    del self._executions[one]
        self._executions[device, group, key] += 1
        return self._executions[device, group, key]

    def ends(self, number: int, group: int, key: int, at: float) -> None:
        """Record that an exchange has ended: the oldest with this key."""
        with self._order:
            if not (going := self._going.get((number, group, key))):
                return
            row = going.pop(0)
            if not going:
                del self._going[number, group, key]
            self._close(row, at)

    def breaks_off(self) -> None:
        """Record that no exchange is running: an error ended what they were part of."""
        with self._order:
            for rows in self._going.values():
                for row in rows:
                    self._close(row, -time.time())
            self._going.clear()

    def _close(self, row: _Open, ended: float) -> None:
        if row.fields[0] > self._made - ROWS:  # no newer row has taken its place
            self._held[row.at] = ROW.pack(*row.fields, ended)

    def write(self) -> None:
        """Write what is new since the last call, neighboring rows at once."""
        with self._order:
            held, self._held = sorted(self._held.items()), {}
            for _, run in groupby(enumerate(held), lambda pair: pair[1][0] - pair[0] * ROW.size):
                rows = [row for _, row in run]
                self._write(rows[0][0], b"".join(data for _, data in rows))
            if self._counted < self._made:
                self.looked(self._looked)

    def _write(self, at: int, data: bytes) -> None:
        if self._fd < 0:
            return
        try:
            # If the program closed it, a file with the same number belongs to the program.
            if self._still_ours() and os.pwrite(self._fd, data, at) == len(data):
                return
        except OSError:
            pass
        self._give_up()

    def _give_up(self) -> None:
        """Stop writing, and record that in the head, whose space is reserved."""
        with contextlib.suppress(OSError):
            if self._still_ours():
                os.close(self._fd)
            fd = open_fd(self._path, os.O_WRONLY)
            os.pwrite(fd, HEAD.pack(VERSION, self._attempt, 1, 0.0, 0), 0)
            os.close(fd)
        self._fd = -1


_ledger: Ledger | None = None

#: The cells of a session by the file names of their code.
cells: dict[str, int] = {}

#: An entry of the queue: operation and whether it ends, group, key, bytes, seconds since the epoch.
Noted = tuple[int, int, int, int, float]

#: Empties the queue.
Take = Callable[[], Iterable[Noted]]
_takes: list[Take] = []
_taking = threading.Lock()

#: Whether a graph may have been executed since the queues were emptied; whether one was executed
#: without :func:`executes`.
_executed = _unannounced = False


def install(log: str) -> None:
    """Record the exchanges of this process."""
    global _ledger
    if os.environ.get(LEDGER) == "0":
        return
    try:
        _ledger = Ledger(Path(log), whole_number(os.environ.get(ATTEMPT, "")) or 1)
    except (OSError, ValueError):  # a full disk loses the ledger, but does not stop the program
        return
    os.register_at_fork(after_in_child=_leave)


def _leave() -> None:
    """A process that the program forks is not a task."""
    global _ledger
    _ledger = None


def here() -> Ledger | None:
    """The ledger of this process, if it has one."""
    return _ledger


def broken_off() -> None:
    """Record that an error ended the running exchanges of this process."""
    if _ledger is not None:
        flush()
        _ledger.breaks_off()
        _ledger.write()


def leave_out(what: str) -> None:
    """Record that this process may make exchanges that are not recorded, and by what means."""
    if _ledger is not None:
        _ledger.leaves_out(what)


def empty_with(take: Take) -> None:
    """Empty a queue from now on, in a thread."""
    if take in _takes or _ledger is None:
        return
    _takes.append(take)
    if len(_takes) > 1:
        return
    _ledger.looked(time.time())
    # Signals must reach the program's main thread.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        # Not threading.Thread: the program should not see an extra entry in threading.enumerate().
        _thread.start_new_thread(_keep_empty, ())
    except RuntimeError:  # no more threads possible: the queue is emptied at the program's end
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


def executes() -> None:
    """Record that the program begins to execute a graph, or has executed it."""
    global _executed
    _executed = True


def settle() -> None:
    """Write the earlier exchanges of graphs; emptying the queues takes a tenth of a millisecond."""
    if _executed or _unannounced:
        flush()


def flush() -> None:
    """Write what is still in the queues; also called at the program's end."""
    global _executed, _unannounced
    if _ledger is None or not _takes:
        return
    with _taking:
        announced, _executed = _executed, False
        taken: list[Noted] = []
        for take in _takes:
            with contextlib.suppress(Exception):  # the program may have unloaded TensorFlow
                taken.extend(take())
        _unannounced |= bool(taken) and not announced
        for what, group, key, size, at in taken:
            if what % 2:
                _ledger.ends(what // 2, group, key, at)
            else:
                _ledger.begins(what // 2, group, key, size, at)
        _ledger.write()
