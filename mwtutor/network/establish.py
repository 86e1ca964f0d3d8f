"""The network of one run as its supervisor sees it: addresses for the tasks, and a way in."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from mwtutor.exceptions import NotSupported
from mwtutor.network import PRIVATE_ENV, Network, namespace
from mwtutor.network.namespace import DOOR, Unavailable
from mwtutor.system import child
from mwtutor.system.ports import REUSE_PORT_ENV, HeldPorts

#: The first port used in a private network. Nothing else uses ports there, and these lie below
#: the range that the system gives to outgoing connections.
FIRST_PORT = 12345

_LOCAL = "localhost,127.0.0.1,::1"


def establish(
    wanted: str, tasks: int, env: dict[str, str], directory: Path
) -> HostNetwork | PrivateNetwork:
    """The network for a run.

    Args:
        wanted: ``auto``, ``private`` or ``host``.
        tasks: how many addresses it needs.
        env: the environment of the tasks; the relay uses the proxies set in it.
        directory: the run's directory, for the relay's log.

    Raises:
        NotSupported: it has to be private, and that is not possible.
    """
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
    """Why a run with this process's environment would get no private network; empty if it would."""
    try:
        PrivateNetwork(1, dict(os.environ), Path(os.devnull)).close()
    except Unavailable as why:
        return str(why)
    return ""


class HostNetwork:
    """The machine's own network: ports that are held until the run has ended."""

    def __init__(self, tasks: int, why: str = "") -> None:
        self.facts = Network("host", why)
        self._held = HeldPorts(tasks)
        self.ports = self._held.numbers

    def env(self, env: dict[str, str]) -> dict[str, str]:
        return {**env, **REUSE_PORT_ENV}

    def enter(self) -> None:
        """Called in a task before anything else."""

    def tend(self) -> None:
        """Called by the supervisor at every tick."""

    def close(self) -> None:
        self._held.release()


class PrivateNetwork:
    """A network namespace, and a relay that is started when a task first connects to it."""

    def __init__(self, tasks: int, env: dict[str, str], log: Path) -> None:
        self.facts = Network("private")
        self.ports = list(range(FIRST_PORT, FIRST_PORT + tasks))
        self._way_out = _proxies(env)
        self._log = log
        self._relay = 0
        self._relay_from = 0.0  # monotonic; no new relay before: the last may have failed to start
        self._namespace = namespace.make()

    def env(self, env: dict[str, str]) -> dict[str, str]:
        """The environment with the relay as proxy, in place of proxies that only it can reach."""
        kept = {name: value for name, value in env.items() if not name.lower().endswith("_proxy")}
        proxy = f"http://{DOOR[0]}:{DOOR[1]}"
        ours = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": _LOCAL}
        upper = {name.upper(): value for name, value in ours.items()}
        return {**kept, **ours, **upper, PRIVATE_ENV: "1"}

    def enter(self) -> None:
        self._namespace.enter()

    def tend(self) -> None:
        """Start the relay if a connection is waiting and none is running."""
        door = self._namespace.door
        if time.monotonic() < self._relay_from or self._relay_lives():
            return
        if select.select([door], [], [], 0)[0]:
            self._relay_from = time.monotonic() + 1.0
            parent = os.getpid()
            self._relay = os.fork()
            if self._relay == 0:
                self._be_relay(parent)

    def close(self) -> None:
        self._namespace.close()

    def _relay_lives(self) -> bool:
        if not self._relay:
            return False
        try:
            looked = os.waitid(os.P_PID, self._relay, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the supervisor has reaped it
            return False
        return looked is None

    def _be_relay(self, parent: int) -> NoReturn:
        try:
            child.detach(str(self._log), parent, {self._namespace.door.fileno()})
            child.set_title("mwtutor relay")
            os.environ.clear()
            os.environ.update(self._way_out)
            from mwtutor.network import relay  # imports asyncio: only where it is needed

            relay.serve(self._namespace.door)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)


def _proxies(env: dict[str, str]) -> dict[str, str]:
    """The proxies that the tasks would have used.

    Raises:
        Unavailable: the relay cannot use one of them.
    """
    found = {name: value for name, value in env.items() if name.lower().endswith("_proxy")}
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        for spelling in (name, name.upper()):
            scheme = urlsplit(found.get(spelling, "")).scheme
            if scheme.startswith("socks"):
                raise Unavailable(f"{spelling} is a {scheme} proxy, which the relay cannot use")
    return found
