"""The Unix socket on which a supervisor receives commands from its kernel and other terminals."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import selectors
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mwtutor.exceptions import NoRun
from mwtutor.run.record.spec import RunSpec
from mwtutor.system.runtime_dir import private_dirs, runtime_dir

_CREDENTIALS = struct.Struct("3i")


#: Seconds within which a client must send its command; maximum number of clients at a time.
_PATIENCE, _CLIENTS = 1.0, 64


def new_path(run: RunSpec) -> Path:
    """The path on which the run's supervisor will listen: short, however long the run's name is."""
    return runtime_dir() / _name(run)


def paths(run: RunSpec) -> list[Path]:
    """The run's sockets that exist in this user's private directories; its log is not consulted."""
    found = (directory / _name(run) for directory in private_dirs())
    return [path for path in found if os.path.lexists(path)]


def _name(run: RunSpec) -> str:
    made = f"{run.id} {run.inode} {run.launcher} {run.space.boot} {run.space.namespace}"
    return f"c-{hashlib.sha256(made.encode(errors='surrogateescape')).hexdigest()[:16]}.sock"


#: The largest command, in bytes.
_LONGEST = 65536


def listen(path: Path) -> socket.socket:
    """Create the socket at ``path``, and listen on it for commands."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path.unlink(missing_ok=True)
    listener.bind(str(path))
    path.chmod(0o600)
    listener.listen(16)
    listener.setblocking(False)
    return listener


class ControlServer:
    """Serves a listening socket; each connection carries one command and one answer, in JSON.

    The server never waits: a silent client delays neither the supervisor nor other clients.
    """

    def __init__(
        self, listener: socket.socket, obey: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        self._listener = listener
        self._obey = obey
        self._said: dict[socket.socket, bytes] = {}
        self._until: dict[socket.socket, float] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ)

    def fileno(self) -> int:
        """The descriptor, readable when :meth:`serve` has something to do."""
        return self._selector.fileno()

    def serve(self) -> None:
        """Read what clients have sent, and answer each complete command."""
        for key, _ in self._selector.select(0):
            if key.fileobj is self._listener:
                self._welcome()
            elif isinstance(key.fileobj, socket.socket):
                self._hear(key.fileobj)
        now = time.monotonic()
        for client in [client for client, until in self._until.items() if until < now]:
            self._drop(client)

    def _welcome(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        if not _same_user(client) or len(self._said) >= _CLIENTS:
            client.close()
            return
        client.setblocking(False)
        self._said[client] = b""
        self._until[client] = time.monotonic() + _PATIENCE
        self._selector.register(client, selectors.EVENT_READ)

    def _hear(self, client: socket.socket) -> None:
        try:
            heard = client.recv(_LONGEST)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        self._said[client] += heard
        if not heard or len(self._said[client]) > _LONGEST:
            self._drop(client)
            return
        try:
            told = json.loads(self._said[client])
        except (ValueError, RecursionError):  # more of the command may arrive
            return
        # Whatever was sent, the supervisor must continue.
        with contextlib.suppress(Exception):
            client.sendall(json.dumps(self._obey(told)).encode() + b"\n")
        self._drop(client)

    def _drop(self, client: socket.socket) -> None:
        self._selector.unregister(client)
        del self._said[client], self._until[client]
        client.close()

    def close(self) -> None:
        """Stop answering, and remove the socket."""
        for client in list(self._said):
            self._drop(client)
        self._selector.close()
        close(self._listener)


def close(listener: socket.socket) -> None:
    """Close a listener and remove its socket file, unless that has been done already."""
    if listener.fileno() < 0:
        return
    path = listener.getsockname()
    listener.close()
    with contextlib.suppress(OSError):
        os.unlink(path)


def answer_one(listener: socket.socket, obey: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Serve one client, if one is connecting, and wait for its command."""
    try:
        client, _ = listener.accept()
    except OSError:
        return
    # The client may send anything, or nothing.
    with client, contextlib.suppress(Exception):
        client.settimeout(_PATIENCE)
        if _same_user(client):
            told = json.loads(client.recv(_LONGEST))
            client.sendall(json.dumps(obey(told)).encode() + b"\n")


def order(run: RunSpec, **what: Any) -> dict[str, Any]:
    """Send the run's supervisor a command and return its answer.

    Raises:
        NoRun: no supervisor is listening.
    """
    for path in paths(run):
        return _order(path, what)
    raise NoRun(
        "The run's supervisor accepts no commands from here.",
        "Check the run's status: it may have just started or ended, or been launched with another"
        " XDG_RUNTIME_DIR or TMPDIR.",
    )


def _order(path: Path, what: dict[str, Any]) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(30.0)
        try:
            client.connect(str(path))
            client.sendall(json.dumps(what).encode())
            answer = b"".join(iter(lambda: client.recv(65536), b""))
            return dict(json.loads(answer))
        except (OSError, ValueError) as error:
            raise NoRun(
                f"The run's supervisor does not answer: {error}.",
                "Check the run's status: it may have just ended.",
            ) from None


def _same_user(client: socket.socket) -> bool:
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # without this option, only the directory's mode protects the socket
    raw = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, uid, _ = _CREDENTIALS.unpack(raw)
    return uid in (0, os.getuid())
