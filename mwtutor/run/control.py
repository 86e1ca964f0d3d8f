"""The Unix socket on which a supervisor takes orders from its kernel and from other terminals."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mwtutor.exceptions import NoRun
from mwtutor.run.spec import RunSpec
from mwtutor.system.runtime_dir import private_dirs, runtime_dir

_CREDENTIALS = struct.Struct("3i")


def new_path(run: RunSpec) -> Path:
    """Where the run's supervisor is to take orders: short, however long the run's name is."""
    return runtime_dir() / _name(run)


def paths(run: RunSpec) -> list[Path]:
    """Where its socket is, or is left: a private directory of ours, whatever its log may say."""
    found = (directory / _name(run) for directory in private_dirs())
    return [path for path in found if os.path.lexists(path)]


def _name(run: RunSpec) -> str:
    made = f"{run.id} {run.inode} {run.launcher} {run.space.boot} {run.space.namespace}"
    return f"c-{hashlib.sha256(made.encode(errors='surrogateescape')).hexdigest()[:16]}.sock"


class ControlServer:
    """Listens at ``path``; each connection is one order and one answer, both one line of JSON."""

    def __init__(self, path: Path, obey: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.path = path
        self._obey = obey
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path.unlink(missing_ok=True)
        self._socket.bind(str(path))
        path.chmod(0o600)
        self._socket.listen(16)
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno()

    def serve_one(self) -> None:
        try:
            client, _ = self._socket.accept()
        except OSError:
            return
        with client:
            client.settimeout(1.0)  # a client that says nothing must not hold up the supervisor
            try:
                if not _same_user(client):
                    return
                order = json.loads(client.recv(65536))
                client.sendall(json.dumps(self._obey(order)).encode() + b"\n")
            except Exception:  # whatever was sent: there is a cluster to look after
                return

    def close(self) -> None:
        self._socket.close()
        self.path.unlink(missing_ok=True)


def order(run: RunSpec, **what: Any) -> dict[str, Any]:
    """Give the run's supervisor an order and return its answer.

    Raises:
        NoRun: nobody listens for it, or not any more.
    """
    for path in paths(run):
        return _order(path, what)
    raise NoRun(
        "The run's supervisor takes no orders here.",
        "It may have ended just now, or only just begun, or been launched with another"
        " XDG_RUNTIME_DIR or TMPDIR: look at the run's status.",
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
                "Look at the run's status: it may have ended just now.",
            ) from None


def _same_user(client: socket.socket) -> bool:
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the directory's mode is what protects the socket there
    raw = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, uid, _ = _CREDENTIALS.unpack(raw)
    return uid in (0, os.getuid())
