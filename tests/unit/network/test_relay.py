"""The relay, used by ordinary clients of a web proxy."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.network import relay, upstream
from mwtutor.network.establish import Relay
from tests.support.machines.network import (
    BODY,
    PROXIES,
    certificate,
    head,
    own_address,
    relay_with,
    web_server,
)


@pytest.fixture(scope="module")
def door():
    with relay_with() as address:
        yield address


def ask(door, text: str) -> bytes:
    with socket.create_connection(door, timeout=20) as client:
        client.sendall(text.encode())
        return b"".join(iter(lambda: client.recv(1 << 16), b""))


def opener(door, **tls):
    proxy = f"http://{door[0]}:{door[1]}"
    handlers = [urllib.request.ProxyHandler(dict.fromkeys(("http", "https"), proxy))]
    return urllib.request.build_opener(*handlers, urllib.request.HTTPSHandler(**tls))


def test_plain_requests_are_carried_as_the_server_expects_them(door):
    with web_server(own_address()) as server:
        url = f"http://{server.where}/a?b=c"
        with opener(door).open(url) as answer:
            assert answer.read() == BODY
        data = b"x" * 300_000 + b"y"
        with opener(door).open(urllib.request.Request(url, data)) as answer:
            assert answer.read() == data[::-1]
        (line, headers), (posted, _) = server.requests
    assert line == "GET /a?b=c HTTP/1.1"
    assert posted == "POST /a?b=c HTTP/1.1"
    assert headers["Host"] == server.where
    assert not {"Proxy-Connection", "Proxy-Authorization"} & set(headers)


def test_tunnels_are_carried_and_nobody_reads_along(door, tmp_path):
    pair = certificate(tmp_path, own_address())
    trusting = ssl.create_default_context(cafile=str(pair[0]))
    with web_server(own_address(), pair) as server:
        url = f"https://{server.where}/secret"
        with opener(door, context=trusting).open(url) as answer:
            assert answer.read() == BODY
        with pytest.raises(urllib.error.URLError, match="self-signed certificate"):
            opener(door, context=ssl.create_default_context()).open(url)


def test_many_at_once(door):
    with web_server(own_address()) as server:
        url = f"http://{server.where}/"
        got: list[bytes] = []

        def get() -> None:
            with opener(door).open(url) as answer:
                got.append(answer.read())

        clients = [threading.Thread(target=get) for _ in range(8)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
    assert got == [BODY] * 8


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.1", "2130706433", "[::1]", "0.0.0.0",
             "[::ffff:127.0.0.1]", "[::]"],
)  # fmt: skip
def test_the_loopback_of_this_machine_is_not_reached_by_any_of_its_names(door, host):
    with web_server("127.0.0.1") as server:
        port = server.server_address[1]
        for request in (f"CONNECT {host}:{port} HTTP/1.1", f"GET http://{host}:{port}/ HTTP/1.1"):
            answer = ask(door, f"{request}\r\nHost: x\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 403 "), answer
            assert b"belongs to this machine, which a private network cannot reach" in answer
        assert server.requests == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n", 502),
        ("GET ftp://example.org/x HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", 501),
        ("GET http:///x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("CONNECT h:99999 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("CONNECT h:1/path HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("nonsense\r\n\r\n", 400),
    ],
)
def test_what_it_does_not_carry_is_answered(door, text, status):
    assert ask(door, text).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_server_that_does_not_answer_is_named_in_the_librarys_error(door):
    with socket.create_server((own_address(), 0)) as gone:
        host, port = gone.getsockname()
    with pytest.raises(OSError, match=f"502 {host}: .*refused|502 {host}: .*[Cc]onnect"):
        opener(door).open(f"https://{host}:{port}/")


def test_a_client_that_goes_in_the_middle_ends_its_tunnel(door):
    with socket.create_server((own_address(), 0)) as server:
        with socket.create_connection(door) as client:
            client.sendall(b"CONNECT %s:%d HTTP/1.1\r\nHost: x\r\n\r\n" % (
                server.getsockname()[0].encode(), server.getsockname()[1]))  # fmt: skip
            there, _ = server.accept()
            assert client.recv(100).startswith(b"HTTP/1.1 200")
        with there:
            there.settimeout(10)
            assert there.recv(100) == b""


class Upstream(threading.Thread):
    """A proxy of the user: records requests, and answers each with its name."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.heads: list[str] = []
        self.start()

    def run(self) -> None:
        while True:
            client, _ = self._listening.accept()
            threading.Thread(target=self._answer, args=[client], daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, contextlib.suppress(EOFError, OSError):
            while True:
                self.heads.append(head(client))
                client.sendall(b"HTTP/1.1 407 Upstream\r\nContent-Length: 0\r\n\r\n")


def test_the_users_own_proxy_is_used_and_so_are_its_exceptions():
    proxy, own = Upstream(), own_address()
    mine = f"http://user:p%40ss@127.0.0.1:{proxy.port}"
    with web_server(own) as server, relay_with(
        http_proxy=mine, HTTPS_PROXY=mine, no_proxy=own
    ) as door:  # fmt: skip
        for request in ("CONNECT example.org:443 HTTP/1.1", "GET http://example.org/ HTTP/1.1"):
            text = f"{request}\r\nHost: x\r\nProxy-Authorization: Basic bm8=\r\nA: b\r\n\r\n"
            with socket.create_connection(door, timeout=20) as client:
                for _ in range(3):  # over one connection; each has the password
                    client.sendall(text.encode())
                    assert head(client).startswith("HTTP/1.1 407 Upstream")
                    asked = proxy.heads.pop()
                    assert asked.startswith(request)
                    assert "Proxy-Authorization: Basic dXNlcjpwQHNz\r\n" in asked
                    assert asked.count("Proxy-Authorization") == 1
                    assert "A: b\r\n" in asked
        with opener(door).open(f"http://{server.where}/") as answer:
            assert answer.read() == BODY
        assert proxy.heads == []


def test_a_proxy_that_is_gone_is_named():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with relay_with(all_proxy=f"http://127.0.0.1:{port}") as door:
        answer = ask(door, "CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 502 the proxy 127.0.0.1: ")


def test_what_the_users_own_proxy_refuses_is_told(monkeypatch):
    proxy, told = Upstream(), []
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("all_proxy", f"http://127.0.0.1:{proxy.port}")

    async def ask_until_told(listening: socket.socket) -> bytes:
        serving = asyncio.ensure_future(relay._serve([listening], lambda *said: told.append(said)))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = await reader.readline()
        while not told:
            await asyncio.sleep(0.01)
        writer.close()
        serving.cancel()
        return answer

    with socket.create_server(("127.0.0.1", 0)) as listening:
        answer = asyncio.run(asyncio.wait_for(ask_until_told(listening), 60))
    assert answer == b"HTTP/1.1 407 Upstream\r\n"
    assert told == [("example.org", "example.org: the proxy answered 407")]


def test_an_answer_cannot_be_split_by_what_was_asked():
    async def refuse() -> bytes:
        ours, theirs = socket.socketpair()
        streams = await asyncio.open_connection(sock=ours)
        refusal = upstream.Refused(502, "a\r\nSet-Cookie: b\n\n<html>\x85")
        await relay._refuse(relay.Peer(streams, h11.SERVER), refusal)
        streams[1].close()
        with theirs:
            return theirs.recv(4096)

    head, _, _ = asyncio.run(refuse()).partition(b"\r\n\r\n")
    assert head.count(b"\r\n") == 3
    assert b"\nSet-Cookie" not in head


@given(st.binary(max_size=300))
def test_no_target_is_too_strange(data):
    for method, target in ((b"GET", data), (b"CONNECT", data), (b"GET", b"http://" + data)):
        with contextlib.suppress(upstream.Refused):
            found = upstream.Target.parse(method, target)
            assert found.host
            assert bool(found.path) == (method == b"GET")


@pytest.mark.parametrize(
    ("method", "target", "path"),
    [
        (b"GET", b"http://h//a/b?c=1", "//a/b?c=1"),
        (b"GET", b"http://u:p@h:80/a?#b", "/a?"),
        (b"GET", b"HTTP://h?x=1", "/?x=1"),
        (b"GET", b"http://h", "/"),
        (b"OPTIONS", b"http://h", "*"),
    ],
)
def test_the_path_a_server_is_asked_for(method, target, path):
    found = upstream.Target.parse(method, target)
    assert found.path == path
    assert found.host == "h"
    assert "p@" not in found.authority


@pytest.fixture
def watched(tmp_path):
    """A supervisor's object for a relay, and the relay's address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Relay([listening], {}, tmp_path / "relay.log")
        yield made, listening.getsockname()
        os.kill(made._pid, signal.SIGKILL)
        os.waitpid(made._pid, 0)


def test_a_host_that_cannot_be_reached_is_told_once(watched):
    supervised, door = watched
    whys: dict[str, str] = {}
    with contextlib.ExitStack() as closing:
        clients = []
        for name in ("a.invalid", "127.0.0.1", "a.invalid"):
            clients.append(closing.enter_context(socket.create_connection(door, timeout=60)))
            clients[-1].sendall(f"CONNECT {name}:443 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        end = time.monotonic() + 60
        while len(whys) < 2:
            assert time.monotonic() < end, whys
            supervised.tend()
            whys |= supervised.unreachable()
            time.sleep(0.02)
        for client in clients:
            while client.recv(1 << 16):
                pass
    assert whys["a.invalid"].startswith("a.invalid: ")
    assert "which a private network cannot reach" in whys["127.0.0.1"]
    assert supervised.unreachable() == {}
