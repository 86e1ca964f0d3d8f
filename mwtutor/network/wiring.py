"""The machines of a run: one namespace each, linked to a switch, all created in a temporary child.

The switch is a bridge in its own network namespace, without tasks. Each link is a pair of
interfaces: ``eth0`` in the machine, ``mN`` at the switch. A token bucket at either end sets the
link's speed, one for each direction. A cable is unplugged at the switch, so the machine loses its
carrier. None of these objects has a name in the host or outlives the processes and descriptors that
hold it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.network import bucket, namespace
from mwtutor.network.links import Link
from mwtutor.network.machines import Machine
from mwtutor.network.namespace import HOST_NAME, MOUNTS, NET, Namespace, Namespaces, Unavailable
from mwtutor.system import transport

_SWITCH, _CARD = "switch", "eth0"
_NETWORK_BITS = 16
_MS_BIND, _MS_REC, _MS_SLAVE = 0x1000, 0x4000, 0x80000
_HOSTS = "/etc/hosts"

#: The handles of a link's two queueing disciplines.
_ROOT, _INNER = 0x10000, 0x20000

#: Maximum number of delayed packets.
_UNDERWAY = 100_000


@dataclass(frozen=True)
class Switch:
    """The machines of one run, and the switch that joins them.

    Attributes:
        machines: their namespaces, in order.
        namespaces: the namespaces of the switch itself.
        counters: descriptor of its interface table, readable from anywhere.
    """

    machines: tuple[Namespace, ...]
    namespaces: Namespaces
    counters: int

    def close(self) -> None:
        for held in (*self.machines, self.namespaces):
            held.close()
        os.close(self.counters)

    def traffic(self) -> list[tuple[int, int]]:
        """The bytes that each machine has sent and received over its link so far."""
        table: dict[str, list[str]] = {}
        os.lseek(self.counters, 0, os.SEEK_SET)
        text = b"".join(iter(lambda: os.read(self.counters, 1 << 16), b"")).decode()
        for line in text.splitlines():
            name, colon, numbers = line.partition(":")
            if colon:
                table[name.strip()] = numbers.split()
        ports = [table[_port(number)] for number in range(len(self.machines))]
        # The switch receives what the machine sends.
        return [(int(port[0]), int(port[8])) for port in ports]

    def plug(self, machine: int, *, connected: bool) -> None:
        """Plug a machine into the switch, or unplug it.

        Raises:
            Unavailable: that is not possible.
        """

        def work(parent: socket.socket) -> None:
            self.namespaces.enter(to_change=True)
            with _route() as switch:
                port = _index(switch, _port(machine))
                switch.link("set", index=port, state="up" if connected else "down")
            transport.send(parent, {})

        namespace.made_apart(work, namespace.receive_fds)

    def shape(self, machine: int, link: Link) -> None:
        """Change a machine's link.

        Raises:
            Unavailable: this kernel does not support that link.
        """

        def work(parent: socket.socket) -> None:
            self.namespaces.enter(to_change=True)
            with _route() as switch:
                port = _index(switch, _port(machine))
                # Tried first: failing halfway would leave neither the old link nor the new one.
                if link.delay:
                    _delay(switch, _index(switch, _SWITCH), link, handle=_ROOT)
                    _let_go(switch, _index(switch, _SWITCH))
                _let_go(switch, port)
                _shape(switch, port, Link(link.rate))
            self.machines[machine].enter_next()
            with _route() as inside:
                card = _index(inside, _CARD)
                _let_go(inside, card)
                _shape(inside, card, link)
            transport.send(parent, {})

        namespace.made_apart(work, namespace.receive_fds)


def join(machines: Sequence[Machine], link: Link, hosts: Path) -> Switch:
    """Create the machines and a switch that joins them, testing every step.

    Args:
        link: the link of each machine.
        hosts: the content of each machine's ``/etc/hosts``.

    Raises:
        Unavailable: some step is not possible here.
    """
    # Imported here and not in the child, because processes that change a link later are also forked
    # from here.
    import pyroute2  # noqa: F401

    def work(parent: socket.socket) -> None:
        shared = [MOUNTS, *namespace.unshare(NET, MOUNTS)]
        _give_names(hosts)
        counters = os.open("/proc/self/net/dev", os.O_RDONLY)
        fds = [os.open(f"/proc/self/ns/{kind}", os.O_RDONLY) for kind in [NET, *shared]]
        transport.send(parent, {"kinds": [NET, *shared]}, [counters, *fds])
        with _route() as switch:
            with _asking_for("a bridge"):
                switch.link("add", ifname=_SWITCH, kind="bridge")
            bridge = _index(switch, _SWITCH)
            switch.link("set", index=bridge, state="up")
            for number, machine in enumerate(machines):
                namespace.call("unshare", namespace.FLAGS[NET] | namespace.FLAGS[HOST_NAME])
                socket.sethostname(machine.name)
                _connect(switch, bridge, number, machine, link)
                namespace.hand_over(parent, [NET, HOST_NAME, *shared])

    def receive(maker: socket.socket) -> Switch:
        with contextlib.ExitStack() as undo:
            answer, (counters, *fds) = namespace.receive_fds(maker)
            undo.callback(os.close, counters)
            switch = Namespaces(dict(zip(answer["kinds"], fds, strict=True)))
            undo.callback(switch.close)
            made = []
            for machine in machines:  # entering the first proves that all can be entered
                made.append(namespace.receive(maker, enter=machine is machines[0]))
                undo.callback(made[-1].close)
            undo.pop_all()
            return Switch(tuple(made), switch, counters)

    return namespace.made_apart(work, receive)


# -- in the temporary child ------------------------------------------------------------------


def _give_names(hosts: Path) -> None:
    """Mount ``hosts`` over the machine's own file, in this mount namespace."""
    try:
        # Mounts made outside later become visible inside, but mounts made inside stay inside.
        namespace.call("mount", b"none", b"/", None, _MS_REC | _MS_SLAVE, None)
        namespace.call("mount", os.fsencode(hosts), _HOSTS.encode(), None, _MS_BIND, None)
    except OSError as error:
        raise Unavailable(namespace.not_here(f"a private {_HOSTS}", error)) from None


def _connect(switch: Any, bridge: int, number: int, machine: Machine, link: Link) -> None:
    """Connect this process's network to the switch, as that machine.

    Args:
        bridge: the index of the switch's own interface.
    """
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    card = {"ifname": _CARD, "net_ns_fd": here}
    port = {"ifname": _port(number), "master": bridge}
    with _asking_for("a pair of virtual interfaces (veth)"):
        switch.link("add", kind="veth", state="up", peer=card, **port)
    os.close(here)
    with _route() as inside:
        where = {"address": machine.address, "prefixlen": _NETWORK_BITS}
        own = _index(inside, _CARD)
        inside.addr("add", index=own, **where)
        inside.link("set", index=own, state="up")
        if link != Link():
            _shape(inside, own, link)
    if link.rate:
        _shape(switch, _index(switch, _port(number)), Link(link.rate))


def _port(number: int) -> str:
    return f"m{number}"


def _index(route: Any, name: str) -> int:
    return int(route.link_lookup(ifname=name)[0])


def _let_go(route: Any, card: int) -> None:
    """Remove the limit and the delay of an interface, if any."""
    with contextlib.suppress(Unavailable), _asking_for("the removal of a limit"):
        route.tc("del", index=card, root=True)


def _shape(route: Any, card: int, link: Link) -> None:
    """Limit the rate of packets that leave an interface, and delay them."""
    if link.rate:
        with _asking_for("a token bucket (tbf), which limits a link,"):
            bucket.add(route, card, link.rate, _ROOT)
    if link.delay:
        where = {"handle": _INNER, "parent": _ROOT + 1} if link.rate else {"handle": _ROOT}
        _delay(route, card, link, **where)


def _delay(route: Any, card: int, link: Link, **where: int) -> None:
    held = round(link.delay * 1e6)  # microseconds
    with _asking_for("netem, which delays a link,"):
        route.tc("add", "netem", card, delay=held, limit=_UNDERWAY, **where)


@contextlib.contextmanager
def _route() -> Iterator[Any]:
    """A connection to the kernel for this process's network.

    Raises:
        Unavailable: the kernel refuses a request.
    """
    from pyroute2 import IPRoute
    from pyroute2.netlink.exceptions import NetlinkError

    with IPRoute() as route:
        try:
            yield route
        except NetlinkError as error:
            raise Unavailable(f"a link is unavailable here ({os.strerror(error.code)})") from None


@contextlib.contextmanager
def _asking_for(what: str) -> Iterator[None]:
    """Within the context, the kernel is asked for a feature that it may lack."""
    from pyroute2.netlink.exceptions import NetlinkError

    try:
        yield
    except NetlinkError as error:
        missing = (errno.ENOENT, errno.EOPNOTSUPP)
        why = "this kernel has none" if error.code in missing else os.strerror(error.code)
        raise Unavailable(f"{what} is unavailable here ({why})") from None
