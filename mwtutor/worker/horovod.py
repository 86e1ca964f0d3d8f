"""A task that is a rank of Horovod: where the ranks meet, and whether all of them have come.

``horovodrun`` runs the server at which its processes find each other. Here rank 0 does, in a thread
that waits for it in ``hvd.init()``, so that the server is in the network of the run, under the
interpreter that has Horovod, and gone with it. That a rank has come to ``hvd.init()`` is seen from
outside as it is with TensorFlow: it listens on its own address.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import threading
import time
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported

#: Where a rank listens; set in tasks that are ranks.
ADDRESS = "MWTUTOR_HOROVOD_ADDRESS"

#: How many ranks each machine has, in the order of the ranks, as after ``horovodrun -H``.
HOSTS = "MWTUTOR_HOROVOD_HOSTS"

#: Seconds between two looks for rank 0.
_LOOK = 0.05

#: Sockets that say that this rank has come; as long as the process lives.
_come: list[socket.socket] = []


class WrongSize(RuntimeError):
    """Horovod has not joined the processes that were launched."""


def install() -> None:
    """Prepare ``hvd.init``, as soon as this process imports Horovod."""
    if ADDRESS in os.environ:
        address, size = os.environ[ADDRESS], int(os.environ["HOROVOD_SIZE"])
        when_imported("horovod.common.basics", lambda module: _meet_in_init(module, address, size))


def _meet_in_init(module: ModuleType, address: str, launched: int) -> None:
    basics = module.HorovodBasics
    init = basics.init

    @functools.wraps(init)
    def init_together(self: Any, *args: Any, **kwargs: Any) -> None:
        if not _come:
            _meet(address, launched)
        init(self, *args, **kwargs)
        size = self.size()
        metrics.send("joined", wait=1.0, workers=size)
        if not args and not kwargs:  # a program may want a part of the ranks
            check_size(size, launched, gloo=bool(self.gloo_built()))

    basics.init = init_together


def check_size(size: int, launched: int, gloo: bool) -> None:
    """Raise :class:`WrongSize` if Horovod has joined another number of processes."""
    if size == launched:
        return
    why = (
        "was HOROVOD_SIZE changed before hvd.init()?"
        if gloo
        else "this Horovod was built without Gloo, over which they join. Build it with"
        " HOROVOD_WITH_GLOO=1, as make horovod does."
    )
    raise WrongSize(
        f"hvd.size() is {size}, but {launched} processes were launched, and are to train together:"
        f" {why}"
    )


def _meet(address: str, size: int) -> None:
    """Say that this rank has come, and return once there is the server that the ranks meet at."""
    listener = listen(address)
    _come.append(listener)
    if os.environ["HOROVOD_RANK"] == "0":
        _serve(listener, os.environ[HOSTS], size)
    else:
        variables = ("HOROVOD_GLOO_RENDEZVOUS_ADDR", "HOROVOD_GLOO_RENDEZVOUS_PORT")
        await_listener(":".join(os.environ[name] for name in variables))


def listen(address: str) -> socket.socket:
    """A socket that listens at ``host:port``, which the supervisor may hold for it."""
    listener = socket.socket()
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        listener.setsockopt(socket.SOL_SOCKET, option, 1)
    listener.bind(_parts(address))
    listener.listen(512)
    return listener


def await_listener(address: str) -> None:
    """Return once somebody listens at ``host:port``."""
    while True:
        with contextlib.suppress(OSError):
            socket.create_connection(_parts(address), timeout=1.0).close()
            return
        time.sleep(_LOOK)


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def _serve(listener: socket.socket, hosts: str, size: int) -> None:
    """Run Horovod's own server on this socket."""
    from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
    from horovod.runner.http.http_server import RendezvousHandler, RendezvousHTTPServer

    class Server(RendezvousHTTPServer):  # type: ignore[misc]
        def server_bind(self) -> None:
            self.socket.close()
            self.socket: socket.socket = listener
            self.server_address = self.server_name, self.server_port = listener.getsockname()

        def server_activate(self) -> None:
            """It listens already."""

    server = Server(listener.getsockname(), RendezvousHandler, False)
    server.init(get_host_assignments(parse_hosts(hosts), size))
    threading.Thread(target=server.serve_forever, name="rendezvous", daemon=True).start()
