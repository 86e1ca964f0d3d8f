"""The traffic of a run's machines, in a file in the run's directory with one line per sample."""

from __future__ import annotations

import contextlib
import json
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mwtutor.run.record.eventlog import is_time
from mwtutor.system import files

#: Seconds between two samples; in a long run, the interval is this fraction of its duration.
_OFTEN, _SELDOM = 0.25, 1 / 500

#: More bytes than any run transfers.
_MOST = 1 << 62

#: This many bytes at the end of the file contain the last line.
_TAIL = 1 << 14


@dataclass(frozen=True)
class Sample:
    """A sample of all machines.

    Attributes:
        at: its time (seconds since the epoch).
        bytes: sent and received by each machine over its link since the run began.
    """

    at: float
    bytes: tuple[tuple[int, int], ...]

    def bytes_of(self, machine: int) -> tuple[int, int]:
        """Bytes that a machine sent and received; 0 if the file does not say."""
        return self.bytes[machine] if machine < len(self.bytes) else (0, 0)


def file(directory: Path) -> Path:
    return directory / "traffic.jsonl"


class Writer:
    """Records the counters, not too often, and only when they have changed."""

    def __init__(self, directory: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._path = file(directory)
        self._begun = time.monotonic()
        self._next = 0.0
        self._last: Sequence[tuple[int, int]] = ()

    @property
    def due(self) -> bool:
        return time.monotonic() >= self._next

    def note(self, counted: Sequence[tuple[int, int]]) -> None:
        now = time.monotonic()
        self._next = now + max(_OFTEN, (now - self._begun) * _SELDOM)
        if counted == self._last:
            return
        self._last = counted
        # If the disk is full, the numbers are lost, but the run continues.
        with contextlib.suppress(OSError):
            files.append(self._path, f"{json.dumps([round(self._clock(), 3), counted])}\n".encode())


def read(directory: Path) -> tuple[Sample, ...]:
    """All samples, in chronological order."""
    try:
        return tuple(_samples(files.read(file(directory)).decode(errors="replace")))
    except OSError:
        return ()


def last_sample(directory: Path) -> Sample | None:
    """The last sample; None if there is none."""
    try:
        with files.open_file(file(directory)) as source:
            source.seek(max(source.seek(0, 2) - _TAIL, 0))
            found = list(_samples(source.read().decode(errors="replace")))
    except OSError:
        return None
    return found[-1] if found else None


def bytes_sent(samples: Sequence[Sample], machine: int, begin: float, end: float) -> float | None:
    """Bytes that a machine sent between two times, interpolated between two samples.

    Returns:
        None if that would be a guess: the time is too short, or not covered by samples.
    """
    if end - begin < 4 * _OFTEN or not samples or samples[0].at > begin:
        return None
    times = [sample.at for sample in samples]
    counted = [float(sample.bytes_of(machine)[0]) for sample in samples]
    return _between(times, counted, end) - _between(times, counted, begin)


def _between(times: Sequence[float], counted: Sequence[float], at: float) -> float:
    after = bisect_left(times, at)
    if after in (0, len(times)):  # nothing was sent after the last change
        return counted[max(after - 1, 0)]
    begin, end = times[after - 1], times[after]
    part = (at - begin) / (end - begin)
    return counted[after - 1] + part * (counted[after] - counted[after - 1])


def _samples(text: str) -> Iterator[Sample]:
    before = 0.0
    for line in text.split("\n"):
        # A line may be cut off, or damaged.
        with contextlib.suppress(ValueError, TypeError, OverflowError, RecursionError):
            at, counted = json.loads(line)
            if is_time(at) and at >= before:
                made = tuple((int(out), int(back)) for out, back in counted)
                if all(0 <= number < _MOST for pair in made for number in pair):
                    yield Sample(float(at), made)
                    before = at
