"""The append-only log of what happened in a run: one JSON object a line.

The supervisor alone writes it. A reader takes it as it finds it: a line cut short by a full disk
or a dead writer is passed over, so a log is readable after a cut anywhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Event = dict[str, Any]


class EventWriter:
    """Appends events; each is one ``write`` of one line."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._torn = False

    def append(self, event: Mapping[str, Any], *, durable: bool = False) -> None:
        """Write one event; ``durable`` also waits until it is on the disk.

        A full disk loses the event, not the run: the supervisor has a cluster to look after.
        """
        line = json.dumps(event, separators=(",", ":"), default=str).encode() + b"\n"
        # After a write cut short, a line of its own keeps the next event readable.
        line = b"\n" + line if self._torn else line
        try:
            self._torn = os.write(self._fd, line) < len(line)
            if durable:
                os.fsync(self._fd)
        except OSError:
            self._torn = True

    def close(self) -> None:
        os.close(self._fd)


class EventReader:
    """Reads the events that were appended since the last call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def read(self) -> list[Event]:
        """The new events, oldest first. No file yet is no events yet."""
        try:
            with open(self._path, "rb") as log:
                log.seek(self._offset)
                data = log.read()
        except FileNotFoundError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        return [event for line in whole.splitlines() if (event := _parse(line)) is not None]


def _parse(line: bytes) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None
