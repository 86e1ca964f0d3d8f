"""The exchanges of a task as values; see :mod:`mwtutor.worker.ledger`.

Programs can write to the files, and a file may be cut off anywhere: impossible values are dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.record.eventlog import LATEST
from mwtutor.sanitize import harmless
from mwtutor.system.files import open_file
from mwtutor.worker import ledger

#: Maximum number of bytes read from each file.
_MOST = 16 << 20

#: Maximum number of exchanges read from all tasks together.
_MOST_ROWS = 8 * ledger.ROWS

#: The column of a row's number, which is 0 in an unused row, and the column of its place's number.
_NUMBER, _PLACE = 0, 5


@dataclass(frozen=True)
class Line:
    """A line of the user's program; empty if it is not known.

    Attributes:
        branches: see :class:`~mwtutor.worker.ledger.Place`.
    """

    file: str = ""
    line: int = 0
    function: str = ""
    cell: int = 0
    branches: tuple[tuple[int, bool], ...] = field(default=(), compare=False, repr=False)

    def instead_of(self, other: Line) -> bool:
        """Whether the lines are in different branches of one ``if``, so that tasks may differ."""
        return (self.file, self.cell) == (other.file, other.cell) and any(
            (line, not first) in other.branches for line, first in self.branches
        )

    def __str__(self) -> str:
        if not self.file:
            return "an unknown line"
        directory, name = os.path.split(self.file)
        if os.path.basename(directory).startswith("ipykernel_"):
            return f"line {self.line} of {f'cell {self.cell}' if self.cell else 'a cell'}"
        return f"{name}, line {self.line}"


@dataclass(frozen=True)
class Exchange:
    """One collective operation that a task has executed.

    Attributes:
        number: its position among the task's exchanges, from 1.
        group, key, execution: how TensorFlow pairs the operations of different tasks: operations
            with the same three meet.
        kind: ``all-reduce``, ``all-gather``, ``broadcast``, ``all-to-all`` or ``reduce-scatter``.
        dtype, shape: those of the tensor that this task contributed; no shape if it was known only
            at execution.
        size: the tensor's size in bytes; 0 if unknown.
        device: the device that executed it.
        members: the number of devices in its group, over all tasks; 0 if unknown.
        line: the program's line that caused it; ``built`` is the line in a ``tf.function`` where it
            was built.
        ours: whether mwtutor's compatibility layer added it.
        times: the number of exchanges of its line so far; ``total`` is the number of their bytes.
        begun: when its input was ready (seconds since the epoch); TensorFlow may have completed
            other exchanges before it continued with this one.
        ended: when it ended; 0 if it has not.
        broken: whether an error ended it.
    """

    number: int
    group: int
    key: int
    execution: int
    kind: str
    dtype: str
    shape: tuple[int, ...] | None
    size: int
    device: str
    members: int
    line: Line
    built: Line
    ours: bool
    times: int
    total: int
    begun: float
    ended: float
    broken: bool = False

    @property
    def meets(self) -> tuple[int, str, int, int]:
        """The values that exchanges of different tasks must share to meet, in this order."""
        return self.group, self.device, self.key, self.execution

    @property
    def in_order(self) -> bool:
        """Whether its :attr:`meets` follows the order in which a task makes its exchanges."""
        return self.group >= 0

    @property
    def done(self) -> bool:
        return bool(self.ended) and not self.broken

    @property
    def what(self) -> str:
        """The exchange's input, for example ``float32[3, 2]``."""
        known = "?" if self.shape is None else ", ".join(map(str, self.shape))
        return f"{self.dtype}[{known}]"


@dataclass(frozen=True)
class Ledger:
    """The exchanges of one process of a task.

    Attributes:
        attempt: the number of the task's start; the first is 1.
        exchanges: the exchanges in order of their numbers; only the newest if there are very many.
        whole: whether no exchange is missing, and all have their lines: False if writing the ledger
            failed, or if the ledger was cut off.
        looked: the time up to which it is complete (seconds since the epoch); 0 means without
            limit.
        unrecorded: the ways in which the task may have made unrecorded exchanges, such as ``XLA``.
        tasks: how many tasks could exchange data with each other; 0 if unknown.
    """

    attempt: int
    exchanges: tuple[Exchange, ...]
    whole: bool = True
    looked: float = 0.0
    unrecorded: tuple[str, ...] = ()
    tasks: int = 0

    @property
    def made(self) -> int:
        """How many exchanges the task has begun, including those that are no longer kept."""
        return self.exchanges[-1].number if self.exchanges else 0

    @cached_property
    def by_meeting(self) -> Mapping[tuple[int, str, int, int], Exchange]:
        """The exchanges by :attr:`Exchange.meets`, in this order.

        Only exchanges among all tasks are included: the members of a smaller group are unknown.
        """
        own = self._own_groups()
        ordered = sorted(self.exchanges, key=lambda one: one.meets)
        return {
            one.meets: one
            for one in ordered
            if one.group not in own and (not one.members or one.members >= self.tasks)
        }

    def _own_groups(self) -> set[int]:
        """The groups whose members are all devices of this task, as under a MirroredStrategy."""
        devices: dict[tuple[int, int], set[str]] = {}
        own = set()
        for one in self.exchanges:
            taking_part = devices.setdefault((one.group, one.key), set())
            taking_part.add(one.device)
            if 0 < one.members <= len(taking_part):
                own.add(one.group)
        return own

    def totals(self) -> dict[Line, Exchange]:
        """The newest exchange of each line, which has the line's totals."""
        return {one.line: one for one in self.exchanges}


def read(log: Path, most: int = ledger.ROWS, tasks: int = 0) -> Ledger | None:
    """The ledger of the task with this log; None if the task has no readable ledger.

    Args:
        most: maximum number of exchanges to read: the newest.
        tasks: see :class:`Ledger`.
    """
    found = _read_once(log, most, tasks)
    if found is not None and not found.whole:  # perhaps a row was being written
        found = _read_once(log, most, tasks)
    return found


def _read_once(log: Path, most: int, tasks: int) -> Ledger | None:
    data = _read(ledger.file(log))
    if len(data) < ledger.HEAD.size:
        return None
    version, attempt, broken, looked, made = ledger.HEAD.unpack_from(data)
    if version != ledger.VERSION or not 0 <= looked < LATEST:
        return None
    operations, places, unrecorded = _described(_read(ledger.described(log)))
    body = data[ledger.HEAD.size :]
    there = ledger.ROW.iter_unpack(body[: len(body) - len(body) % ledger.ROW.size])
    rows = sorted(row for row in there if row[_NUMBER])[-most:]
    found = tuple(_exchanges(rows, operations, places))
    newest = max(found[-1].number if found else 0, made)
    # The oldest row may be missing: the newest is being written in its place.
    numbers = range(newest - min(newest, most, ledger.ROWS - 1) + 1, newest + 1)
    complete = [one.number for one in found[-len(numbers) :]] == list(numbers)
    whole = not broken and complete and all(row[_PLACE] in places for row in rows)
    return Ledger(attempt, found, whole, looked, unrecorded, tasks)


def read_all(logs: Mapping[TaskId, Path], most: int) -> dict[TaskId, Ledger | None]:
    """The ledgers of several tasks, in memory that does not grow with their number.

    None for a task whose ledger belongs to an earlier start of the cluster than another task's,
    because the task has not recorded anything yet, or cannot.

    Args:
        most: maximum number of exchanges to read from each task: the newest.
    """
    most = min(most, _MOST_ROWS // max(len(logs), 1))
    found = {task: read(log, most, len(logs)) for task, log in logs.items()}
    newest = max((one.attempt for one in found.values() if one), default=0)
    return {task: one if one and one.attempt == newest else None for task, one in found.items()}


def _read(path: Path) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(_MOST)
    except OSError:
        return b""


def _described(
    text: bytes,
) -> tuple[dict[int, dict[str, Any]], dict[int, Line], tuple[str, ...]]:
    operations: dict[int, dict[str, Any]] = {}
    places: dict[int, Line] = {}
    unrecorded: dict[str, None] = {}
    for line in text.splitlines():
        try:
            told = json.loads(line)
            if "operation" in told:
                operations[int(told["operation"])] = _operation(told)
            elif "unrecorded" in told:
                unrecorded[harmless(str(told["unrecorded"]))] = None
            else:
                places[int(told["place"])] = _line(told)
        except (ValueError, KeyError, TypeError):
            continue
    return operations, places, tuple(unrecorded)


def _line(told: Mapping[str, Any]) -> Line:
    file, function = (harmless(str(told[name])) for name in ("file", "function"))
    branches = tuple((int(line), bool(first)) for line, first in told.get("branches", ()))
    return Line(file, int(told["line"]), function, int(told["cell"]), branches)


def _operation(told: Mapping[str, Any]) -> dict[str, Any]:
    shape = told["shape"]
    return {
        "kind": harmless(str(told["kind"])),
        "dtype": harmless(str(told["dtype"])),
        "shape": None if shape is None else tuple(map(int, shape)),
        "device": harmless(str(told["device"])),
        "members": max(int(told["size"]), 0),
        "built": _line(told),
        "ours": bool(told["ours"]),
    }


def _exchanges(
    rows: Iterable[tuple[Any, ...]],
    operations: Mapping[int, dict[str, Any]],
    places: Mapping[int, Line],
) -> Iterator[Exchange]:
    for number, group, key, execution, operation, place, times, size, total, begun, ended in rows:
        what = operations.get(operation)
        if what is None or not 0 < begun < LATEST or not abs(ended) < LATEST:
            continue
        yield Exchange(
            number=number,
            group=group,
            key=key,
            execution=execution,
            size=max(size, 0),
            line=places.get(place, Line()),
            times=times,
            total=max(total, 0),
            begun=begun,
            ended=abs(ended),
            broken=ended < 0,
            **what,
        )
