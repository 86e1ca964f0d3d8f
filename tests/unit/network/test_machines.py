"""Machines in a separate network: real ones, without TensorFlow."""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from mwtutor.network import bucket, machines, wiring
from mwtutor.network.links import Link
from mwtutor.network.namespace import Unavailable
from mwtutor.network.wiring import Switch
from tests.support.machines.network import in_a_fork, needs_machines, reaches
from tests.support.machines.users import as_user, open_to_all

PORT = 2222
PLENTY = 60.0


@contextlib.contextmanager
def joined(count: int, directory: Path, link: Link = Link()) -> Iterator[Switch]:  # noqa: B008
    known = machines.machines(count)
    hosts = directory / "hosts"
    hosts.write_text(machines.hosts("127.0.0.1 localhost\n", known))
    hosts.chmod(0o644)
    switch = wiring.join(known, link, hosts)
    try:
        yield switch
    finally:
        switch.close()


@pytest.fixture
def two(tmp_path) -> Iterator[Switch]:
    needs_machines()
    with joined(2, tmp_path) as switch:
        yield switch


@contextlib.contextmanager
def server(switch: Switch, machine: int, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """A process on that machine that serves clients one after the other."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            switch.machines[machine].enter()
            with socket.create_server(("", PORT)) as listening:
                os.write(tell, b"!")
                while True:
                    with listening.accept()[0] as client:
                        serve(client)
        os._exit(1)
    os.close(tell)
    try:
        assert os.read(told, 1) == b"!"
        yield
    finally:
        os.close(told)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def on(switch: Switch, machine: int, work: Callable[[], object]) -> str:
    def there() -> str:
        switch.machines[machine].enter()
        return str(work())

    return in_a_fork(there)


def test_each_has_a_name_and_an_address_by_which_the_other_reaches_it(two):
    def name() -> str:
        return f"{socket.gethostname()} {socket.gethostbyname('machine-1')}"

    here = socket.gethostname()
    with server(two, 1, lambda client: None):
        assert on(two, 0, lambda: reaches("10.9.0.2", PORT)) == "True"
        assert on(two, 0, lambda: reaches("machine-1", PORT)) == "True"
        assert not reaches("127.0.0.1", PORT)
    assert on(two, 0, name) == "machine-0 10.9.0.2"
    assert on(two, 1, name) == "machine-1 10.9.0.2"
    assert socket.gethostname() == here


def test_an_ordinary_user_has_them_too(tmp_path):
    needs_machines()
    open_to_all(tmp_path)

    def work() -> int:
        # Like a process started by this user: one that switched to this user may not inspect
        # itself.
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
        with joined(2, tmp_path) as switch, server(switch, 1, lambda client: None):
            print(on(switch, 0, lambda: reaches("machine-1", PORT)))
            print(on(switch, 0, socket.gethostname))
            print(on(switch, 0, rights))
            switch.plug(1, connected=False)
            print(on(switch, 0, lambda: tries("machine-1")))
            switch.plug(1, connected=True)
            print(on(switch, 0, lambda: reaches("machine-1", PORT)))
            switch.shape(1, Link(1e8))
        return 0

    done = as_user(work)
    assert done.stdout.splitlines() == ["True", "machine-0", rights_here(), "False", "True"], done


def rights() -> str:
    status = Path("/proc/self/status").read_text().splitlines()
    return " ".join(line for line in status if line.startswith(("CapPrm", "CapEff", "CapAmb")))


def rights_here() -> str:
    return as_user(lambda: print(rights())).stdout.strip()


def tries(host: str) -> bool:
    try:
        socket.create_connection((host, PORT), timeout=0.5).close()
    except OSError:
        return False
    return True


def test_who_is_unplugged_loses_the_carrier_and_who_is_plugged_in_has_it_back(two):
    def carrier() -> str:
        return Path("/proc/self/net/dev").read_text() and _flags()

    with server(two, 1, lambda client: None):
        two.plug(1, connected=False)
        assert on(two, 1, carrier) == "False"
        assert on(two, 0, carrier) == "True"
        assert on(two, 0, lambda: tries("machine-1")) == "False"
        two.plug(1, connected=True)
        assert on(two, 0, lambda: reaches("machine-1", PORT)) == "True"


def _flags() -> str:
    from pyroute2 import IPRoute

    with IPRoute() as route:
        flags = route.link("get", ifname="eth0")[0]["flags"]
    return str(bool(flags & 0x40))  # IFF_RUNNING: there is a carrier


def sent(amount: int) -> Callable[[], float]:
    """Send this many bytes to the first machine; return the seconds it took."""

    def work() -> float:
        with socket.create_connection(("machine-0", PORT), timeout=PLENTY) as client:
            begin = time.monotonic()
            client.sendall(bytes(amount))
            client.shutdown(socket.SHUT_WR)
            client.recv(1)
            return time.monotonic() - begin

    return work


def swallow(client: socket.socket) -> None:
    while client.recv(1 << 16):
        pass
    client.sendall(b"!")


def test_a_link_carries_what_it_was_told_and_no_more(tmp_path):
    needs_machines()
    amount = 2_000_000
    with joined(2, tmp_path, Link(40e6)) as switch, server(switch, 0, swallow):
        before = switch.traffic()
        slow = float(on(switch, 1, sent(amount)))
        after = switch.traffic()
        switch.shape(1, Link(160e6))
        switch.shape(0, Link(160e6))
        faster = float(on(switch, 1, sent(amount)))
        switch.shape(0, Link())
        switch.shape(1, Link())
        free = float(on(switch, 1, sent(amount)))
    # Bytes waiting in queues count as sent, and a bucket starts full: hence a little less.
    assert slow > 0.93 * amount * 8 / 40e6
    assert faster > 0.85 * amount * 8 / 160e6
    assert free < slow / 2
    wire = after[1][0] - before[1][0]
    assert amount < wire < 1.15 * amount
    assert after[0][1] - before[0][1] == pytest.approx(wire, rel=0.01)


@pytest.mark.parametrize("rate", [1e5, 1e9, 34.359738360e9, 34.359738368e9, 100e9, 400e9])
def test_the_kernel_has_the_speed_that_was_asked_for(tmp_path, rate):
    """Above 34.36 Gbit/s, bytes per second do not fit into 32 bits."""
    needs_machines()

    def limit() -> float:
        from pyroute2 import IPRoute

        with IPRoute() as route:
            return bucket.rate(route, route.link_lookup(ifname="eth0")[0])

    with joined(2, tmp_path, Link(rate)) as switch:
        assert float(on(switch, 0, limit)) == rate
        switch.shape(1, Link(50e9))
        assert float(on(switch, 1, limit)) == 50e9
        with server(switch, 0, swallow):
            assert float(on(switch, 1, sent(1000))) >= 0, "and it carries"


def test_a_delay_is_made_or_its_absence_is_the_reason(tmp_path):
    needs_machines()
    try:
        with joined(2, tmp_path, Link(1e9, 0.05)) as switch, server(switch, 0, swallow):
            assert float(on(switch, 1, sent(1))) > 0.05
    except Unavailable as why:
        assert str(why) == "netem, which delays a link, is unavailable here (this kernel has none)"
        with joined(2, tmp_path) as switch, server(switch, 0, swallow):
            switch.shape(1, Link(40e6))
            with pytest.raises(Unavailable, match="netem"):
                switch.shape(1, Link(1e9, 0.05))
            seconds = float(on(switch, 1, sent(500_000)))
            assert seconds > 0.8 * 500_000 * 8 / 40e6, "the link is what it was"


def test_nothing_is_left_of_machines(tmp_path):
    needs_machines()
    before = os.listdir("/proc/self/fd"), psutil.Process().children(), threading.active_count()
    named = os.listdir("/run/netns") if os.path.isdir("/run/netns") else []
    cards = set(psutil.net_if_addrs())
    for _ in range(3):
        with joined(3, tmp_path) as switch:
            switch.plug(2, connected=False)
    assert (
        os.listdir("/proc/self/fd"),
        psutil.Process().children(),
        threading.active_count(),
    ) == before
    assert (os.listdir("/run/netns") if os.path.isdir("/run/netns") else []) == named
    assert set(psutil.net_if_addrs()) == cards
    assert "machine-0" not in Path("/etc/hosts").read_text()


def test_eight_of_them_reach_each_other(tmp_path):
    needs_machines()
    with joined(8, tmp_path) as switch, server(switch, 7, lambda client: None):
        assert [on(switch, n, lambda: reaches("machine-7", PORT)) for n in range(7)] == ["True"] * 7


def test_how_tasks_are_dealt_out():
    assert machines.deal(4, 4) == (0, 1, 2, 3)
    assert machines.deal(5, 2) == (0, 0, 0, 1, 1)
    assert machines.ports((0, 0, 0, 1, 1)) == (2222, 2223, 2224, 2222, 2223)
    for tasks in range(1, 20):
        for count in range(1, tasks + 1):
            places = machines.deal(tasks, count)
            sizes = [places.count(machine) for machine in range(count)]
            assert sum(sizes) == tasks
            assert max(sizes) - min(sizes) <= 1
