"""Reserve addresses on this machine without a race.

Choosing a free port and releasing it until the worker binds it is a known source of "address
already in use". Here a port is *held*, bound but not listening, from the choice to the end of the
run. TensorFlow can bind it as well, because the holder has ``SO_REUSEPORT`` set and the task has
``TF_GRPC_REUSE_PORT=1``; the kernel rejects all others.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack

#: The environment variable that a task needs to bind a held port.
REUSE_PORT_ENV = {"TF_GRPC_REUSE_PORT": "1"}


def listens(address: str, patience: float = 1.0) -> bool:
    """Whether a process listens at ``host:port``, as far as this process can tell.

    Args:
        patience: seconds to wait for an answer.
    """
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=patience).close()
    except (OSError, ValueError):
        return False
    return True


class HeldPorts:
    """``count`` TCP ports, held until :meth:`release`."""

    def __init__(self, count: int) -> None:
        with ExitStack() as undo:
            sockets = [undo.enter_context(_hold()) for _ in range(count)]
            undo.pop_all()
        self._sockets = sockets
        self.numbers: list[int] = [s.getsockname()[1] for s in sockets]

    @property
    def addresses(self) -> list[str]:
        return [f"127.0.0.1:{port}" for port in self.numbers]

    def release(self) -> None:
        for held in self._sockets:
            held.close()

    def __enter__(self) -> HeldPorts:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _hold() -> socket.socket:
    # TensorFlow listens on the wildcard address, so that is the one to hold.
    family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family == socket.AF_INET6:
            held.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        held.bind(("", 0))
        # Only after the bind: otherwise the kernel may choose a port that another holder has.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    except OSError:
        held.close()
        raise
    return held
