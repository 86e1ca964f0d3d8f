"""A task's own record of its time (see :mod:`mwtutor.worker.moments`), as values.

Programs can write to the file, and it may be cut off anywhere: impossible values are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mwtutor.run.record.eventlog import LATEST
from mwtutor.system.files import open_file
from mwtutor.worker.moments import (
    CELL,
    EPOCH,
    FIT,
    FULL,
    PREDICT,
    RECORD,
    SAVE,
    START,
    STEP,
    TEST,
    VERSION,
    file,
)

#: The kinds of records that are shown.
_KINDS = {
    EPOCH: "training",
    TEST: "evaluating",
    PREDICT: "predicting",
    SAVE: "saving",
    CELL: "cell",
}

#: Maximum number of bytes read from a file; a task writes less.
_MOST = 64 << 20


@dataclass(frozen=True)
class Step:
    """One step of a task's training; all times in seconds.

    Attributes:
        number: the number of earlier steps in this process; the same step has the same number in
            all peers.
        begin: when it began (since the epoch).
        length: the duration.
        cpu: the processor time that the whole process used during the step.
        since: the time since the previous step, or since the epoch began.
        exchanging: the part of ``since`` spent in exchanges with the other workers.
        first: whether it is the first step of the training, which builds the graph.
    """

    number: int
    begin: float
    length: float
    cpu: float
    since: float
    exchanging: float
    first: bool = False

    @property
    def end(self) -> float:
        return self.begin + self.length


@dataclass(frozen=True)
class Part:
    """Something a task did, perhaps during something else.

    Attributes:
        kind: as in a :class:`mwtutor.run.observations.timeline.Span`.
        begin, end: its times (seconds since the epoch); an end of 0 was not recorded.
        number: the epoch or cell; 0 if unknown.
    """

    kind: str
    begin: float
    end: float
    number: int = 0


@dataclass(frozen=True)
class Noted:
    """The records of one process of a task.

    Attributes:
        attempt: the number of the task's start; the first is 1.
        began: when it began (seconds since the epoch).
        full: the time after which it recorded no more parts, because there were too many; 0 if it
            recorded all.
        steps: the steps in chronological order; if there are many, only those whose number is
            divisible by a power of two.
        taken: at least how many steps it had taken, according to its last record.
    """

    attempt: int
    began: float
    full: float
    parts: tuple[Part, ...]
    steps: tuple[Step, ...]
    taken: int


def read(log: Path, most: int = 4096) -> tuple[Noted, ...]:
    """The records of the task with this log, one for each process; none if there is no such file.

    Args:
        most: maximum number of steps to read from each process.
    """
    try:
        with open_file(file(log)) as source:
            data = source.read(_MOST)
    except OSError:
        return ()
    whole = data[: len(data) - len(data) % RECORD.size]
    found: list[list[_Record]] = []
    for record in RECORD.iter_unpack(whole):
        if not all(0 <= seconds < LATEST for seconds in record[2:]):  # drops NaN, too
            continue
        if record[0] == START:
            found.append([record])
        elif found:
            found[-1].append(record)
    return tuple(_noted(records, most) for records in found if records[0][3] == VERSION)


_Record = tuple[int, int, float, float, float, float, float]


def _noted(records: list[_Record], most: int) -> Noted:
    start = records[0]
    numbers = [record[1] for record in records if record[0] == STEP]
    stride = 1
    while sum(number % stride == 0 for number in numbers) > most:
        stride *= 2
    full = next((record[2] for record in records if record[0] == FULL), 0.0)
    return Noted(
        attempt=start[1],
        began=start[2],
        full=full,
        parts=tuple(_parts(records)),
        steps=tuple(_steps(records, stride)),
        taken=max(numbers, default=-1) + 1,
    )


def _steps(records: list[_Record], stride: int) -> Iterator[Step]:
    first = True  # this training has taken no step yet
    before = -1
    for kind, number, begin, *durations in records:
        first = first or kind == FIT
        if kind != STEP or number <= before:
            continue
        before = number
        length, cpu, since, exchanging = durations
        if number % stride == 0:
            apart = min(exchanging, since)
            yield Step(number, begin, length, cpu, since, apart, first)
        first = False


def _parts(records: list[_Record]) -> Iterator[Part]:
    going: list[tuple[int, int, float]] = []
    for kind, number, at, *_ in records:
        begins, of = kind in _KINDS, kind - 1
        if begins:
            going.append((kind, number, at))
        elif of in _KINDS and of in [one for one, _, _ in going]:
            while True:  # an unfinished part inside this one ends with it
                one, its_number, began = going.pop()
                yield Part(_KINDS[one], began, at, its_number)
                if one == of:
                    break
    for one, its_number, began in going:
        yield Part(_KINDS[one], began, 0.0, its_number)
