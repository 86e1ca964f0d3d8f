"""The ledger of a task's exchanges with others: a file that survives the task.

Each executed collective operation has a row, which says what it is, which line requested it, and
when it began and ended. The newest :data:`ROWS` are kept, each at its own place in the file. A
second file describes, once each, the operations and lines that rows refer to, and whatever cannot
be recorded. :mod:`mwtutor.run.observations.ledgers` reads the two files.

Eager collectives are recorded here directly, in memory that is mapped to the file, because a system
call would cost more than everything else. The content of this memory survives the process, however
it ends. Collectives in a graph put their times into a TensorFlow queue, which one of mwtutor's
threads empties, because a step executes no Python. When a process is killed, or calls ``os._exit``,
rows still in its queue (from the last :data:`LATER` seconds at most) are lost; the head then does
not say that the ledger is complete.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import errno
import itertools
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mwtutor.sanitize import whole_number
from mwtutor.system.files import append, open_fd, remove
from mwtutor.system.variables import ATTEMPT, LEDGER

#: A row: its number in the task, from 1; the collective's group, key and which execution with this
#: key it is; operation and place, by number; how often that place has exchanged something, and how
#: many bytes, this row included; when it began and ended (seconds since the epoch; 0: not yet;
#: negative: an error ended it).
ROW = struct.Struct("<QiiIIIIqqdd")

#: The head of the file: the version of this format, which start of the task it belongs to, whether
#: writing failed, until when it is complete (seconds since the epoch; 0: forever), and how many
#: rows were written.
HEAD = struct.Struct("<IIQdQ32x")
VERSION = 1

#: A row consists of this many words of eight bytes. Then, by position: the head's word with the
#: number of rows, and a row's word with the time of its end.
_WORDS = 8
_COUNTED, _ENDED = 3, 7

#: The groups of Horovod's exchanges: eager ones meet in order, kind by kind; those of a graph meet
#: by name.
HOROVOD_AT_ONCE, HOROVOD_IN_GRAPH = -1, -2

#: Maximum number of rows that are kept: the newest.
ROWS = 32_768

#: The number of rows that a new file has space for; the space doubles when it is full.
_ROOM = 512

#: Seconds between two checks of the queue.
LATER = 0.1

#: Maximum number of keys whose requesting lines are kept.
_ASKED = 1 << 14

#: Maximum number of operations and places that are described; later ones share a number without a
#: description.
_MOST = 20_000


@dataclass(frozen=True)
class Operation:
    """A collective operation, as built.

    Attributes:
        kind: ``all-reduce``, ``all-gather``, ``broadcast``, ``all-to-all`` or ``reduce-scatter``.
        dtype: the type of the exchanged values, for example ``float32``.
        shape: the shape of this task's input; None if it is known only at execution.
        device: the device of this task that executes it, for example ``CPU:0``.
        size: the number of members of its group.
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
    """A line of the user's program that was being executed; in a session, with its cell.

    Attributes:
        branches: the ``if`` statements around it, each by its line and whether the line is in the
            first branch.
    """

    file: str = ""
    line: int = 0
    function: str = ""
    cell: int = 0
    branches: tuple[tuple[int, bool], ...] = ()


def file(log: Path) -> Path:
    """The path of the ledger of the task with this log."""
    return log.with_suffix(".exchanges")


def described(log: Path) -> Path:
    """The file that describes the task's operations and places, one line of JSON each."""
    return log.with_suffix(".places")


#: Module names, because looking up a name of the module is faster than looking up an attribute.
_now, _pack = time.time, ROW.pack_into

#: A row that has not ended: its number, and its first word. If it could not be written, the second
#: number is 0, because the head has no value where a row has the time of its end.
Row = tuple[int, int]


@dataclass
class _Known:
    """The numbers of the descriptions that have been written."""

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


class _Mapped:
    """The file with the rows, as memory.

    Space is written before it is mapped, because writing to mapped memory for which the disk has no
    space kills the process. Earlier mappings stay, because releasing one closes its descriptor: if
    the program has closed that already, its number may now belong to a file of the program.
    """

    def __init__(self, path: Path) -> None:
        # Not truncated: an earlier process may still write to memory that is mapped to it.
        remove(path, missing_ok=True)
        os.close(open_fd(path, os.O_WRONLY | os.O_CREAT))
        self._path = path
        self._earlier: list[mmap.mmap] = []
        self.rows = self._size = 0
        self._grow(min(_ROOM, ROWS))

    def _grow(self, rows: int) -> None:
        """Map space for this many rows.

        Raises:
            OSError: the disk is full or cannot be mapped, or the file was removed.
        """
        size = HEAD.size + rows * ROW.size
        fd = open_fd(self._path, os.O_RDWR)
        try:
            more = size - self._size
            if os.pwrite(fd, bytes(more), self._size) < more:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
            self.memory = mmap.mmap(fd, size)
            self.words = memoryview(self.memory).cast("q")
            self.times = memoryview(self.memory).cast("d")
        finally:
            os.close(fd)
        self._earlier.append(self.memory)
        self.rows, self._size = rows, size

    def makes_room(self) -> bool:
        """Make room for more rows; return whether there is."""
        try:
            self._grow(min(2 * self.rows, ROWS))
        except OSError:
            return False
        return True


class Ledger:
    """The writer. On a full disk, or if a file was removed, the rest is not recorded."""

    def __init__(self, log: Path, attempt: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.close(open_fd(described(log), flags))
        self._file = _Mapped(file(log))
        self._words, self._times = self._file.words, self._file.times
        self._known = _Known(described(log))
        self._order = threading.Lock()
        self._made = 0
        self._room = self._file.rows  # the number of rows that have a place
        self._broken = False
        self._executions: dict[tuple[str, int, int], int] = {}
        self._asked: dict[tuple[int, int], Place] = {}
        self._reached: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
        self._going: dict[tuple[int, int, int], list[Row]] = {}
        self._operations: dict[int, Operation] = {}
        self._left_out: set[str] = set()
        self._path, self._attempt = file(log), attempt
        self.looked(0.0)

    def looked(self, at: float) -> None:
        """Record the time up to which the queue has been emptied."""
        if not self._broken:
            HEAD.pack_into(self._file.memory, 0, VERSION, self._attempt, 0, at, self._made)

    def operation(self, what: Operation) -> int:
        """The number of an operation that was built."""
        with self._order:
            number = self._known.number(what)
            self._operations[number] = what
            return number

    def place(self, where: Place) -> int:
        """The number of a line."""
        with self._order:
            return self._known.number(where)

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
            for old in list(itertools.islice(self._asked, _ASKED // 2)):
                self._asked.pop(old, None)

    def begins(self, number: int, group: int, key: int, size: int, at: float) -> None:
        """Record that an exchange in a graph begins.

        Args:
            number: the number of its :meth:`operation`.
            size: the size in bytes.
            at: the time (seconds since the epoch).
        """
        with self._order:
            what = self._operations.get(number)
            place = self._asked.get((group, key))
            if place is None:
                place = Place(what.file, what.line, what.function, what.cell) if what else Place()
            here = self._known.number(place)
            execution = self._execution(what.device if what else "", group, key)
            row = self._open(number, here, execution, group, key, size, at)
            self._going.setdefault((number, group, key), []).append(row)

    def begins_at_once(
        self, number: int, here: int, device: str, group: int, key: int, size: int
    ) -> Row:
        """Record that an eager exchange begins; :meth:`close` records its end.

        Args:
            number: the number of its :meth:`operation`.
            here: the number of the :meth:`place` that requests it.
            device: the device that executes it; empty if its key was drawn for this exchange alone.
            size: the size in bytes.
        """
        with self._order:
            execution = self._execution(device, group, key) if device else 1
            return self._open(number, here, execution, group, key, size, time.time())

    def record_call(
        self,
        number: int,
        here: int,
        group: int,
        key: int,
        size: int,
        go: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Call ``go``, which executes an exchange, record the exchange, and return the result.

        The exchange's key must have been drawn for it alone. The other arguments are those of
        :meth:`begins_at_once`. Little Python is executed here, because it takes several times
        longer after an exchange, when the processor's caches hold other memory.
        """
        __tracebackhide__ = True
        if _executed or _unannounced or _taking.locked():
            flush()
        with self._order:
            made, at = self._open(number, here, 1, group, key, size, _now())
            times = self._times
        try:
            result = go(*args, **kwargs)
        except BaseException:
            self.close((made, at), -_now())
            self.breaks_off()
            raise
        ended = _now()
        if self._made - made < ROWS:  # as in close(), whose call would take longer than the rest
            times[at + _ENDED] = ended
        return result

    def _open(
        self, number: int, here: int, execution: int, group: int, key: int, size: int, at: float
    ) -> Row:
        self._made = made = self._made + 1
        reached = self._reached[here]
        reached[0] = times = reached[0] + 1
        reached[1] = total = reached[1] + size
        if made > self._room and not self._makes_room():
            return made, 0
        row = ((made - 1) % ROWS + 1) * _WORDS
        words = self._words
        words[row] = 0  # a reader ignores a row that is being written
        _pack(words, 8 * row, 0, group, key, execution, number, here, times, size, total, at, 0.0)
        words[row] = words[_COUNTED] = made
        return made, row

    def _makes_room(self) -> bool:
        if self._broken or not self._file.makes_room():
            self._give_up()
            return False
        self._words, self._times = self._file.words, self._file.times
        self._room = self._file.rows if self._file.rows < ROWS else sys.maxsize
        return True

    def _execution(self, device: str, group: int, key: int) -> int:
        """The number of this execution among those with its key, from 1; old keys are forgotten."""
        if len(self._executions) > 1 << 16:
            newest = max((key for _, group, key in self._executions if group >= 0), default=0)
            for one in list(self._executions):
                if one[1] >= 0 and one[2] <= newest - (1 << 12):  # Horovod's keys have no order
                    del self._executions[one]
        count = self._executions.get((device, group, key), 0) + 1
        self._executions[device, group, key] = count
        return count

    def ends(self, number: int, group: int, key: int, at: float) -> None:
        """Record that the oldest exchange in a graph with this key has ended."""
        with self._order:
            if not (going := self._going.get((number, group, key))):
                return
            row = going.pop(0)
            if not going:
                del self._going[number, group, key]
            self.close(row, at)

    def breaks_off(self) -> None:
        """Record that no exchange in a graph is running, because an error ended its call."""
        with self._order:
            for rows in self._going.values():
                for row in rows:
                    self.close(row, -time.time())
            self._going.clear()

    def close(self, row: Row, ended: float) -> None:
        """Record when an exchange ended; the time is negative if it ended with an error."""
        made, at = row
        if self._made - made < ROWS:  # no newer row has taken its place
            self._times[at + _ENDED] = ended

    def _give_up(self) -> None:
        """Stop writing, and record that in the head."""
        self._broken, self._room = True, 0
        HEAD.pack_into(self._file.memory, 0, VERSION, self._attempt, 1, 0.0, 0)


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
    atexit.register(_finish)


def _finish() -> None:
    """Record that nothing is missing, after the program's own threads and ``atexit`` functions."""
    global _ledger
    flush()
    with _taking:
        noting, _ledger = _ledger, None
        if noting is not None:
            noting.looked(0.0)


def _leave() -> None:
    """Forget the ledger in a process that the program forks, because it is not a task."""
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
    except RuntimeError:  # no thread can be started: the queue is emptied at the program's end
        pass
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _keep_empty() -> None:
    said = 0.0
    while _ledger is not None:
        time.sleep(LATER)
        before = time.time()
        flush()
        with _taking:
            if before - said > 1 and _ledger is not None:
                said = before
                _ledger.looked(before)


def executes() -> None:
    """Record that the program begins to execute a graph, or has executed it."""
    global _executed
    _executed = True


def settle() -> None:
    """Write the earlier exchanges of graphs, if there may be any; this takes 0.1 ms."""
    if _executed or _unannounced or _taking.locked():  # another thread may have taken the rows
        flush()


def flush() -> None:
    """Write the records that are still in the queues; also called at the program's end."""
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
