"""For tests of networks: real servers, the view from another machine, and another user."""

from __future__ import annotations

import contextlib
import http.server
import os
import shutil
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from mwtutor.network import establish, namespace
from mwtutor.run.record.state import RunState

#: The content that the servers send; large enough to arrive in many pieces.
BODY = bytes(range(256)) * 20_000

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")

_RELAY = (
    "import socket, sys; from mwtutor.network import relay; relay.serve(socket.socket(fileno=%d))"
)

CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)"


@contextlib.contextmanager
def held_networks(state: RunState) -> Iterator[None]:
    """Keep the tasks' network namespaces, or other runs' namespaces could get their numbers."""
    with contextlib.ExitStack() as held:
        for task in state.tasks.values():
            held.enter_context(open(f"/proc/{task.pid}/ns/net"))
        yield


def needs_private_network() -> None:
    """Skip the test, with the reason, where private networks are impossible."""
    try:
        with warnings.catch_warnings():
            # The warning is about a fork in a threaded process; a supervisor has no other threads,
            # and those of the tests are idle.
            warnings.simplefilter("ignore", DeprecationWarning)
            namespace.make().close()
    except namespace.Unavailable as why:
        pytest.skip(f"no private network here: {why}")


def needs_machines() -> None:
    """Skip the test, with the reason, where simulated machines are impossible."""
    if why := establish.why_no_machines("100mbit"):
        pytest.skip(f"no machines here: {why}")


def own_address() -> str:
    """An address of this machine other than its loopback."""
    for addresses in psutil.net_if_addrs().values():
        for address in addresses:
            if address.family == socket.AF_INET and not address.address.startswith("127."):
                return address.address
    pytest.skip("this machine has no address but its loopback")


def reaches(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=5).close()
    except OSError:
        return False
    return True


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer(BODY)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"]))[::-1])

    def _answer(self, body: bytes) -> None:
        self.server.requests.append((self.requestline, dict(self.headers)))  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None: ...


class WebServer(http.server.ThreadingHTTPServer):
    requests: list[tuple[str, dict[str, str]]]

    @property
    def where(self) -> str:
        return f"{self.server_address[0]!s}:{self.server_address[1]}"


@contextlib.contextmanager
def web_server(address: str, tls: tuple[Path, Path] | None = None) -> Iterator[WebServer]:
    """A server on a free port of the address; its ``requests`` records the requests."""
    server = WebServer((address, 0), _Handler)
    server.requests = []
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with _served(server):
        yield server


@contextlib.contextmanager
def _served(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def server_that(talks: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server on this machine's address; ``talks`` handles each connection."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(20)
            with contextlib.suppress(OSError):
                talks(self.request)

    server = socketserver.ThreadingTCPServer((own_address(), 0), Handler)
    server.daemon_threads = True
    with _served(server):
        yield f"{server.server_address[0]!s}:{server.server_address[1]}"


def head(connection: socket.socket) -> str:
    """The head of the next message, read byte by byte, so that the rest stays in the socket."""
    got = b""
    while not got.endswith(b"\r\n\r\n"):
        if not (byte := connection.recv(1)):
            raise EOFError(got)
        got += byte
    return got.decode("latin-1")


@contextlib.contextmanager
def relay_with(**proxies: str) -> Iterator[tuple[str, int]]:
    """The address of a relay in its own process, with the user's proxies."""
    env = {name: value for name, value in os.environ.items() if name.lower() not in PROXIES}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        fd = listening.fileno()
        process = subprocess.Popen(
            [sys.executable, "-c", _RELAY % fd],
            pass_fds=[fd], env={**env, **proxies}, stderr=subprocess.PIPE,
        )  # fmt: skip
        address = listening.getsockname()
    try:
        yield address
        assert process.poll() is None, "it must survive any request"
    finally:
        process.kill()
        complaints = process.communicate()[1].decode()
    assert not complaints


def certificate(directory: Path, address: str) -> tuple[Path, Path]:
    """A self-signed certificate for the address, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to create a certificate with")
    made, key = directory / "cert.pem", directory / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=test", "-addext", f"subjectAltName=IP:{address}", "-keyout", key, "-out", made],
        check=True, capture_output=True,
    )  # fmt: skip
    return made, key


class Neighbor:
    """A second machine on this network: a namespace, connected by a virtual network card."""

    def __init__(self) -> None:
        if os.geteuid() != 0 or shutil.which("ip") is None:
            pytest.skip("only root, with the ip command, can join a second network to this one")
        unshared = ["unshare", "--net", "sh", "-c", "echo there; exec sleep 600"]
        try:
            self._there = subprocess.Popen(unshared, stdout=subprocess.PIPE)
        except FileNotFoundError:
            pytest.skip("there is no unshare command")
        if self._there.stdout.readline() != b"there\n":
            self._there.wait()
            pytest.skip("a second network namespace cannot be created here")
        pid = str(self._there.pid)
        self._card = f"mwt{os.getpid() % 10**6}"
        self.host = f"10.213.{os.getpid() % 250}.1"
        theirs = self.host[:-1] + "2"
        try:
            _ip("link", "add", self._card, "type", "veth", "peer", "name", "mwt0", "netns", pid)
            _ip("addr", "add", f"{self.host}/30", "dev", self._card)
            _ip("link", "set", self._card, "up")
            self._inside("ip", "addr", "add", f"{theirs}/30", "dev", "mwt0")
            self._inside("ip", "link", "set", "mwt0", "up")
        except BaseException:
            self.close()
            raise

    def reaches(self, port: int) -> bool:
        """Whether the neighbor can connect to the port of this machine."""
        done = self._inside(sys.executable, "-c", CONNECT, self.host, str(port), check=False)
        return done.returncode == 0

    def close(self) -> None:
        self._there.kill()
        self._there.wait()
        self._there.stdout.close()
        with contextlib.suppress(subprocess.CalledProcessError):  # its card disappears with it
            _ip("link", "del", self._card)

    def _inside(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        entering = ["nsenter", f"--net=/proc/{self._there.pid}/ns/net", *command]
        return subprocess.run(entering, check=check, capture_output=True)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def as_ordinary_user(command: list[str], files: Path) -> subprocess.CompletedProcess[str]:
    """Run the command as a user who owns only a directory with copies of the files.

    Interpreters are often in a home directory that others cannot enter. For this process alone,
    that directory is replaced by one that contains only the interpreter.
    """
    needed = [shutil.which(name) for name in ("unshare", "setpriv", "mount")]
    if os.geteuid() != 0 or not all(needed):
        pytest.skip("only root, with unshare, setpriv and mount, can become another user")
    closed = _closed_above(Path(sys.base_prefix))
    hidden = [str(closed or "/nowhere"), sys.base_prefix]
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", _AS_USER, "sh"]
    with tempfile.TemporaryDirectory() as home:  # not pytest's own, which others cannot enter
        for file in files.iterdir():
            shutil.copy(file, home)
        os.chown(home, _USER, _USER)
        env = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home}
        return subprocess.run(
            [*words, *hidden, str(_USER), *command],
            cwd=home, env=env, capture_output=True, text=True, timeout=120,
        )  # fmt: skip


_USER = 42424

_AS_USER = """
closed=$1 kept=$2 user=$3; shift 3
if test -d "$closed"; then
    held=$(mktemp -d)
    mount --bind "$kept" "$held"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$kept"
    mount --move "$held" "$kept"
    rmdir "$held"
fi
exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
"""


def _closed_above(path: Path) -> Path | None:
    """The outermost directory above the path that other users cannot enter."""
    for parent in reversed(path.parents):
        if not parent.stat().st_mode & 0o001:
            return parent
    return None


def in_a_fork(work: Callable[[], str]) -> str:
    """The result of ``work`` in a separate process."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            os.write(write, work().encode())
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said
