"""When each part of a log was written, from the lengths that its supervisor recorded.

The index is next to the log, because a task writes plain lines without times.
"""

from __future__ import annotations

import os
import struct
import time
from bisect import bisect_left
from pathlib import Path

from mwtutor.run.record.eventlog import is_time
from mwtutor.system.files import open_file

#: Seconds between two entries: within that interval, lines of different tasks have no order.
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
        whole = len(data) - len(data) % ENTRY.size
        entries = [entry for entry in ENTRY.iter_unpack(data[:whole]) if is_time(entry[1])]
        self._now = time.time()
        self._offsets = [offset for offset, _ in entries]
        self.times = [at for _, at in entries]

    def at(self, end: int) -> float:
        """The time by which the line that ends before offset ``end`` had been written."""
        place = bisect_left(self._offsets, end) - 1
        return self.times[place] if place >= 0 else self._now


def last(log: Path) -> float:
    """When the supervisor last saw the log longer than before; 0 if it never did."""
    try:
        with open_file(file(log)) as noted:
            noted.seek(max(noted.seek(0, os.SEEK_END) // ENTRY.size - 1, 0) * ENTRY.size)
            data = noted.read(ENTRY.size)
    except OSError:
        return 0.0
    at: float = ENTRY.unpack(data)[1] if len(data) == ENTRY.size else 0.0
    return at if is_time(at) else 0.0
