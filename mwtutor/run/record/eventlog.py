"""The append-only log of what happened in a run: one JSON object per line.

While a run is running, only its supervisor writes to its log. A reader skips a line that a full
disk or a dead writer cut short, so the log stays readable wherever it was cut.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import BinaryIO

from mwtutor.run.record import event_reading
from mwtutor.run.record.event_reading import LARGEST
from mwtutor.run.record.events import Event, Record, RunEnded
from mwtutor.system.files import open_fd, open_file, remove

_decode = json.JSONDecoder().decode

#: Bytes kept free for events that must not be lost: enough for a few hundred of them.
_BALLAST = 65536

#: A time that nothing in a run can have (seconds since the epoch).
LATEST = 1 << 36

#: Number of bytes at the end of a log that are searched for its last event.
_TAIL = 65536


class EventWriter:
    """Appends events; each is one ``write`` of one line."""

    def __init__(self, path: Path) -> None:
        self._fd = open_fd(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._torn = False
        # Space for the last events of a run whose disk is full: as much as is still free.
        self._ballast = path.with_suffix(".ballast")
        with contextlib.suppress(OSError), open_file(self._ballast, "wb") as ballast:
            ballast.write(bytes(_BALLAST))

    def append(self, event: Event, *, durable: bool = False) -> None:
        """Write one event; ``durable`` also waits until it is on the disk.

        If the disk is full, the event is lost, but the run continues. A ``durable`` event then uses
        the space reserved for it.
        """
        if not self._write(event, durable) and durable:
            self._drop_ballast()
            self._write(event, durable)

    def _write(self, event: Event, durable: bool) -> bool:
        line = json.dumps(event.record(), separators=(",", ":")).encode() + b"\n"
        # After a truncated write, a line break keeps the next event readable.
        line = b"\n" + line if self._torn else line
        try:
            self._torn = os.write(self._fd, line) < len(line)
            if durable:
                os.fsync(self._fd)
        except OSError:
            self._torn = True
        return not self._torn

    def close(self) -> None:
        self._drop_ballast()
        os.close(self._fd)

    def _drop_ballast(self) -> None:
        with contextlib.suppress(OSError):  # already removed, or the disk is now read-only
            remove(self._ballast)


class EventReader:
    """Reads the events that were appended since the last call.

    Args:
        path: the log.
        keep: keep the file open, so that it can be read to its end even if it is removed.
    """

    def __init__(self, path: Path, *, keep: bool = False) -> None:
        self._path = path
        self._offset = 0
        self._kept: BinaryIO | None = None
        if keep:
            with contextlib.suppress(OSError):
                self._kept = open_file(path)  # closed when the run has ended

    def close(self) -> None:
        """Close a file that was kept open."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def read(self) -> list[Record]:
        """The new events, oldest first; an empty list if there is no file."""
        data = self._data(self._offset)
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        return _records(whole)

    def read_again(self) -> list[Record]:
        """The events that earlier calls returned, again."""
        return _records(self._data(0, self._offset)) if self._offset else []

    def _data(self, begin: int, size: int = -1) -> bytes:
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            log = self._kept or held.enter_context(open_file(self._path))
            log.seek(begin)
            return log.read(size)
        return b""


def record_end(path: Path, end: RunEnded) -> None:
    """Append the end of a run whose supervisor does not record it."""
    writer = EventWriter(path)
    writer.append(end, durable=True)
    writer.close()


def recorded_end(path: Path) -> RunEnded | None:
    """The end of the run, if that is the log's last event; reads only its tail."""
    try:
        with open_file(path) as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL))
            lines = log.read().splitlines()
    except OSError:
        return None
    last = _parse(lines[-1]) if lines else None
    end = event_reading.read(last) if last is not None else None
    return end if isinstance(end, RunEnded) else None


def _records(data: bytes) -> list[Record]:
    return [record for line in data.splitlines() if (record := _parse(line)) is not None]


def _parse(line: bytes) -> Record | None:
    try:
        event = _decode(line.decode())  # for bytes, json would detect the encoding of each line
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return None
    # Anyone may have written this line: the time must be displayable, and no number may be huge.
    numbers = [value for value in event.values() if isinstance(value, int)]
    plain = all(-LARGEST < number < LARGEST for number in numbers)
    return event if plain and is_time(event.get("t", 0.0)) else None


def is_time(value: object) -> bool:
    """Whether a value can be seconds since the epoch: not NaN or infinity, which JSON allows."""
    return isinstance(value, (int, float)) and 0 <= value < LATEST
