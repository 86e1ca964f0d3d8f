"""When each part of a log was written, from the lengths that its supervisor recorded.

The index is next to the log, because a task writes plain lines without times.
"""

from __future__ import annotations

import math
import struct
import time
from bisect import bisect_left
from pathlib import Path

from mwtutor.run.record.eventlog import is_time
from mwtutor.system.files import open_file

#: Seconds between two entries: lines that different tasks write within that interval have no order.
INTERVAL = 0.05

#: An entry: an offset, and the time by which the text that begins there had been written.
ENTRY = struct.Struct("<Qd")


def file(log: Path) -> Path:
    """The index of this log, beside it."""
    return log.with_suffix(".idx")


class Index:
    """The times by which each part of a log had been written."""

    def __init__(self, log: Path) -> None:
        try:
            with open_file(file(log)) as noted:
                data = noted.read()
        except OSError:
            data = b""
        entries = memoryview(data[: len(data) - len(data) % ENTRY.size])
        self._now = time.time()
        # Not a list of all entries: there are up to 72,000 per hour.
        self._offsets = entries.cast("Q")[::2]
        self._times = entries.cast("d")[1::2]

    @property
    def times(self) -> list[float]:
        """The times of all entries."""
        return list(filter(is_time, self._times))

    def last(self, until: float = math.inf) -> float:
        """The last time up to ``until`` at which the log was seen to have grown; 0 if none."""
        return next((at for at in reversed(self._times) if is_time(at) and at <= until), 0.0)

    def at(self, end: int) -> float:
        """The time by which the line that ends before offset ``end`` had been written."""
        place = bisect_left(self._offsets, end) - 1
        while place >= 0 and not is_time(self._times[place]):  # a damaged entry
            place -= 1
        return self._times[place] if place >= 0 else self._now
