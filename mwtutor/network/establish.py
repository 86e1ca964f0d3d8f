"""The network of one run, as its supervisor uses it: task addresses, and a way to enter it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from mwtutor.exceptions import NotSupported
from mwtutor.network import PRIVATE_ENV, Network, machines, namespace, wiring
from mwtutor.network.links import Link
from mwtutor.network.namespace import DOOR, Unavailable
from mwtutor.system import child
from mwtutor.system.files import write_whole
from mwtutor.system.ports import REUSE_PORT_ENV, HeldPorts

#: The first port used in a private network. Nothing else uses ports there, and these are below the
#: range for outgoing connections.
FIRST_PORT = 12345

_LOCAL = "localhost,127.0.0.1,::1"


def establish(
    wanted: str, tasks: int, env: dict[str, str], directory: Path, count: int = 0, link: str = ""
) -> HostNetwork | PrivateNetwork | MachineNetwork:
    """Create the network for a run.

    Args:
        wanted: ``auto``, ``private`` or ``host``.
        tasks: the number of addresses needed.
        env: the environment of the tasks; the relay uses the proxies set in it.
        directory: the run's directory, for the relay's log.
        count: number of machines; 0 for none.
        link: the link of each machine.

    Raises:
        NotSupported: ``private`` is wanted, and a private network is not possible.
    """
    if count:
        try:
            return MachineNetwork(tasks, count, Link.parse(link), env, directory)
        except Unavailable as why:
            slower = ", or with a --link without a delay" if "," in link else ""
            raise NotSupported(
                f"Machines cannot be simulated here: {why}.",
                f"Launch without --machines{slower}; mwtutor doctor shows what is possible.",
            ) from None
    if wanted == "host":
        return HostNetwork(tasks)
    try:
        return PrivateNetwork(tasks, env, directory / "relay.log")
    except Unavailable as why:
        if wanted == "private":
            raise NotSupported(
                f"A private network is not possible: {why}.",
                "Launch with --network host; SECURITY.md says what that exposes.",
            ) from None
        return HostNetwork(tasks, str(why))


def why_not_private() -> str:
    """Why a run in this environment would get no private network; empty if it would get one."""
    try:
        PrivateNetwork(1, dict(os.environ), Path(os.devnull)).close()
    except Unavailable as why:
        return str(why)
    return ""


def why_no_machines(link: str = "") -> str:
    """Why a run here could not have machines with this link; empty if it could."""
    try:
        with tempfile.TemporaryDirectory() as directory:
            network = MachineNetwork(1, 1, Link.parse(link), dict(os.environ), Path(directory))
            network.close()
    except Unavailable as why:
        return str(why)
    return ""


class HostNetwork:
    """The machine's own network, with ports held until the run ends."""

    def __init__(self, tasks: int, why: str = "") -> None:
        self.facts = Network("host", why)
        self._held = HeldPorts(tasks)
        self.addresses = self._held.addresses

    def env(self, env: dict[str, str]) -> dict[str, str]:
        return {**env, **REUSE_PORT_ENV}

    def enter(self, place: int) -> None:
        """Enter the network; a task calls this before anything else.

        Args:
            place: the index of the task's address.
        """

    def tend(self) -> None:
        """Do periodic work; the supervisor calls this at every tick."""

    def unreachable(self) -> dict[str, str]:
        """The hosts that tasks could not reach since the last call, with reasons in words."""
        return {}

    def close(self) -> None:
        self._held.release()


class PrivateNetwork:
    """A network namespace, and a relay that starts when a task first connects to it."""

    def __init__(self, tasks: int, env: dict[str, str], log: Path) -> None:
        self.facts = Network("private")
        self.addresses = [f"127.0.0.1:{FIRST_PORT + task}" for task in range(tasks)]
        way_out = _proxies(env)
        self._namespace = namespace.make()
        self._relay = Relay([self._namespace.door], way_out, log)
        self.tend = self._relay.tend
        self.unreachable = self._relay.unreachable
        self.close = self._namespace.close

    def env(self, env: dict[str, str]) -> dict[str, str]:
        return env_inside(env, _LOCAL)

    def enter(self, place: int) -> None:
        self._namespace.enter()


class MachineNetwork:
    """A network of machines: one namespace each, a switch that joins them, and one relay.

    Attributes:
        known: the machines.
        places: each task's machine, by number.
        switch: the switch that joins them.
    """

    def __init__(self, tasks: int, count: int, link: Link, env: dict[str, str], run: Path) -> None:
        self.facts = Network("private")
        self.known = machines.machines(count)
        self.places = machines.deal(tasks, count)
        self.addresses = [
            f"{self.known[place].address}:{port}"
            for place, port in zip(self.places, machines.ports(self.places), strict=True)
        ]
        way_out = _proxies(env)
        hosts = run / "hosts"
        write_whole(hosts, os.fsencode(machines.hosts(_hosts_here(), self.known)), mode=0o644)
        self.switch = wiring.join(self.known, link, hosts)
        self._relay = Relay([one.door for one in self.switch.machines], way_out, run / "relay.log")
        self.tend = self._relay.tend
        self.unreachable = self._relay.unreachable
        self.close = self.switch.close

    def env(self, env: dict[str, str]) -> dict[str, str]:
        """The environment, with the relay as the proxy for all but traffic between machines."""
        own = [name for machine in self.known for name in (machine.name, machine.address)]
        return env_inside(env, ",".join([_LOCAL, *own]))

    def enter(self, place: int) -> None:
        self.switch.machines[self.places[place]].enter()


def env_inside(env: dict[str, str], direct: str) -> dict[str, str]:
    """The environment with the relay as its proxy; the relay uses the user's own proxies.

    Args:
        direct: hosts to reach without the relay, as in ``no_proxy``.
    """
    kept = {name: value for name, value in env.items() if not name.lower().endswith("_proxy")}
    proxy = f"http://{DOOR[0]}:{DOOR[1]}"
    ours = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": direct}
    upper = {name.upper(): value for name, value in ours.items()}
    return {**kept, **ours, **upper, PRIVATE_ENV: "1"}


class Relay:
    """The relay out of private networks: a process that starts when it is first needed.

    Args:
        doors: the sockets on which connections arrive.
        way_out: the proxies that the relay uses.
        log: the file for its error output.
    """

    def __init__(self, doors: Sequence[socket.socket], way_out: dict[str, str], log: Path) -> None:
        self._doors = doors
        self._way_out = way_out
        self._log = log
        self._pid = 0
        self._not_before = 0.0  # in monotonic time; limits how often a relay is started
        self._notes = self._noting = -1  # a pipe of JSON lines, each with a host and the reason
        self._known: set[str] = set()

    def tend(self) -> None:
        """Start the relay if a connection is waiting and no relay is running."""
        if time.monotonic() < self._not_before or self._lives():
            return
        if select.select(self._doors, [], [], 0)[0]:
            self._not_before = time.monotonic() + 1.0
            if self._notes < 0:
                self._notes, self._noting = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            parent = os.getpid()
            self._pid = os.fork()
            if self._pid == 0:
                self._serve(parent)

    def unreachable(self) -> dict[str, str]:
        """The hosts that could not be reached, with reasons; each host is returned once."""
        found: dict[str, str] = {}
        if self._notes < 0:
            return found
        with contextlib.suppress(BlockingIOError):
            for line in os.read(self._notes, 1 << 16).splitlines():
                with contextlib.suppress(ValueError):  # the rest of a truncated line
                    host, why = json.loads(line)
                    if host not in self._known:
                        found[host] = why
        self._known.update(found)
        return found

    def _note(self, host: str, why: str) -> None:
        with contextlib.suppress(BlockingIOError):  # the supervisor hangs and does not read
            os.write(self._noting, json.dumps([host[:300], why[:300]]).encode() + b"\n")

    def _lives(self) -> bool:
        if not self._pid:
            return False
        try:
            looked = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the supervisor has reaped the relay
            return False
        return looked is None

    def _serve(self, parent: int) -> NoReturn:
        kept = {self._noting, *(door.fileno() for door in self._doors)}
        try:
            child.detach(str(self._log), parent, kept)
            child.set_title("mwtutor relay")
            os.environ.clear()
            os.environ.update(self._way_out)
            from mwtutor.network import relay  # imports asyncio, so only where it is needed

            relay.serve(*self._doors, note=self._note)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)


def _hosts_here() -> str:
    try:
        return Path("/etc/hosts").read_text(errors="surrogateescape")
    except OSError:
        return "127.0.0.1 localhost\n"


def _proxies(env: dict[str, str]) -> dict[str, str]:
    """The proxies that the tasks would have used.

    Raises:
        Unavailable: the relay does not support one of them.
    """
    found = {name: value for name, value in env.items() if name.lower().endswith("_proxy")}
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        for spelling in (name, name.upper()):
            scheme = urlsplit(found.get(spelling, "")).scheme
            if scheme.startswith("socks"):
                raise Unavailable(f"{spelling} is a {scheme} proxy, which the relay cannot use")
    return found
