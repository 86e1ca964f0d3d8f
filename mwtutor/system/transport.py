"""Requests and answers between mwtutor's processes: JSON, optionally with open files."""

from __future__ import annotations

import json
import select
import socket
import struct
from collections.abc import Sequence
from typing import Any

_HEADER = struct.Struct("!I")
_LARGEST = 64 << 20

#: The longest wait in seconds: the system counts milliseconds in 32 bits.
_LONGEST = 3600.0


class Disconnected(Exception):
    """The other side closed the connection, or died, before a message was complete."""


def send(to: socket.socket, message: Any, fds: Sequence[int] = ()) -> None:
    data = json.dumps(message).encode()
    try:
        if fds:
            socket.send_fds(to, [_HEADER.pack(len(data))], list(fds))
        else:
            to.sendall(_HEADER.pack(len(data)))
        to.sendall(data)
    except OSError as error:
        raise Disconnected(str(error)) from None


def receive(source: socket.socket, max_fds: int = 0) -> tuple[Any, list[int]]:
    """One message, and the descriptors that came with it.

    Raises:
        Disconnected: no message will come.
        TimeoutError: the socket's timeout has passed.
    """
    try:
        header, fds, _, _ = socket.recv_fds(source, _HEADER.size, max_fds)
        header += _exactly(source, _HEADER.size - len(header)) if header else b""
        if not header:
            raise Disconnected("closed")
        (length,) = _HEADER.unpack(header)
        if length > _LARGEST:
            raise Disconnected(f"a message of {length} bytes")
        return json.loads(_exactly(source, length)), list(fds)
    except TimeoutError:
        raise
    except (OSError, ValueError) as error:
        raise Disconnected(str(error)) from None


def readable(source: socket.socket, timeout: float) -> bool:
    """Whether a message arrives, or the other side closes, within this many seconds."""
    poll = select.poll()  # select() accepts no descriptor above 1023
    poll.register(source, select.POLLIN)
    return bool(poll.poll(1000 * min(timeout, _LONGEST)))


def _exactly(source: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = source.recv(count - len(parts))
        if not part:
            raise Disconnected("closed in the middle of a message")
        parts += part
    return bytes(parts)
