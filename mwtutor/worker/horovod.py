"""A task that is a Horovod rank: where the ranks meet, and whether all have arrived.

``horovodrun`` runs the server where its processes find each other. Here rank 0 runs it, in a thread
started in ``hvd.init()``, so that the server is in the run's network, uses the interpreter that has
Horovod, and ends with rank 0. As with TensorFlow, a rank that has reached ``hvd.init()`` can be
recognized from outside: it listens on its own address.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported

#: The variable with the ranks' addresses, in order; set in tasks that are ranks.
ADDRESSES = "MWTUTOR_HOROVOD_ADDRESSES"

#: Seconds between two checks for rank 0.
_LOOK = 0.05

#: Sockets that show that this rank has arrived; open as long as the process lives.
_come: list[socket.socket] = []


class WrongSize(RuntimeError):
    """Horovod connected a different number of processes than were launched."""


def install() -> None:
    """Prepare ``hvd.init`` as soon as this process imports Horovod."""
    if ADDRESSES in os.environ:
        addresses, rank = os.environ[ADDRESSES].split(","), int(os.environ["HOROVOD_RANK"])
        when_imported(
            "horovod.common.basics", lambda module: _meet_in_init(module, addresses, rank)
        )


def launched() -> int:
    """How many ranks were launched together; 0 in a task that is not a rank."""
    return len(list(filter(None, os.environ.get(ADDRESSES, "").split(","))))


def _meet_in_init(module: ModuleType, addresses: Sequence[str], rank: int) -> None:
    basics = module.HorovodBasics
    init = basics.init

    @functools.wraps(init)
    def init_together(self: Any, *args: Any, **kwargs: Any) -> None:
        if not _come:
            _meet(addresses, rank)
        init(self, *args, **kwargs)
        size = self.size()
        metrics.send("joined", wait=1.0, workers=size)
        if not args and not kwargs:  # a program may want only some of the ranks
            check_size(size, len(addresses), gloo=bool(self.gloo_built()))

    basics.init = init_together


def check_size(size: int, launched: int, gloo: bool) -> None:
    """Raise :class:`WrongSize` unless Horovod connected all the processes that were launched."""
    if size == launched:
        return
    why = (
        "was HOROVOD_SIZE changed before hvd.init()?"
        if gloo
        else "this Horovod was built without Gloo, which the processes need to connect. Build it"
        " with HOROVOD_WITH_GLOO=1, as make horovod does."
    )
    raise WrongSize(
        f"hvd.size() is {size}, but {launched} processes were launched to train together: {why}"
    )


def _meet(addresses: Sequence[str], rank: int) -> None:
    """Show that this rank has arrived, and return once all others have.

    Gloo itself would wait only half a minute, and then abort the ranks that arrived in time.
    """
    listener = listen(addresses[rank])
    _come.append(listener)
    if rank == 0:
        _serve(listener, addresses)
    for address in addresses:
        await_listener(address)


def listen(address: str) -> socket.socket:
    """A socket that listens at ``host:port``, even while the supervisor holds that port for it."""
    listener = socket.socket()
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        listener.setsockopt(socket.SOL_SOCKET, option, 1)
    listener.bind(_parts(address))
    listener.listen(512)
    return listener


def await_listener(address: str) -> None:
    """Return once a process listens at ``host:port``."""
    while True:
        with contextlib.suppress(OSError):
            socket.create_connection(_parts(address), timeout=1.0).close()
            return
        time.sleep(_LOOK)


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def slots(addresses: Iterable[str]) -> str:
    """The machines, each with its number of ranks, in the form of ``horovodrun -H``."""
    hosts = Counter(_parts(address)[0] for address in addresses)  # in the order of the ranks
    return ",".join(f"{host}:{count}" for host, count in hosts.items())


def _serve(listener: socket.socket, addresses: Sequence[str]) -> None:
    """Run Horovod's own server on this socket."""
    from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
    from horovod.runner.http.http_server import RendezvousHandler, RendezvousHTTPServer

    class Server(RendezvousHTTPServer):  # type: ignore[misc]
        def server_bind(self) -> None:
            self.socket.close()
            self.socket: socket.socket = listener
            self.server_address = self.server_name, self.server_port = listener.getsockname()

        def server_activate(self) -> None:
            """The socket already listens."""

    server = Server(listener.getsockname(), RendezvousHandler, False)
    server.init(get_host_assignments(parse_hosts(slots(addresses)), len(addresses)))
    threading.Thread(target=server.serve_forever, name="rendezvous", daemon=True).start()
