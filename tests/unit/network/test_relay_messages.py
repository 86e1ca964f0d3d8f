"""The messages that the relay forwards: each complete, to its own server and back."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading

import pytest

from tests.support.machines.network import (
    BODY,
    head,
    own_address,
    relay_with,
    server_that,
    web_server,
)


@pytest.fixture(scope="module")
def door():
    with relay_with() as address:
        yield address


@contextlib.contextmanager
def connected(door):
    with socket.create_connection(door, timeout=20) as client:
        yield client


def get(where: str, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    lines = [f"{method} http://{where}/ HTTP/{version}", f"Host: {where}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def rest(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def exactly(connection: socket.socket, count: int) -> bytes:
    got = b""
    while len(got) < count and (more := connection.recv(count - len(got))):
        got += more
    return got


def answering(*answers: bytes, asked: list[str]):
    """A server that returns the answers in turn to any requests, and records these."""
    left = list(answers)

    def talk(connection: socket.socket) -> None:
        asked.append(head(connection))
        connection.sendall(left.pop(0))

    return server_that(talk)


def staying(asked: list[str]):
    """A server that keeps answering on a connection as long as requests arrive."""

    def talk(connection: socket.socket) -> None:
        with contextlib.suppress(EOFError):
            while True:
                asked.append(head(connection))
                connection.sendall(OK)

    return server_that(talk)


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


# -- to whom --------------------------------------------------------------------------------


@pytest.mark.parametrize("pipelined", [False, True])
def test_every_request_of_a_connection_goes_to_its_own_server(door, pipelined):
    first_asked, second_asked = [], []
    with staying(first_asked) as first, staying(second_asked) as second:
        requests = [get(first), get(second, "Authorization: Basic c2VjcmV0"), get(first, "N: 3")]
        with connected(door) as client:
            if pipelined:
                client.sendall(b"".join(requests))
            for request in requests:
                if not pipelined:
                    client.sendall(request)
                assert head(client).startswith("HTTP/1.1 200 OK")
                assert exactly(client, 2) == b"ok"
    assert len(first_asked) == 2
    assert "Authorization" not in "".join(first_asked)
    assert len(second_asked) == 1
    assert "Authorization: Basic c2VjcmV0" in second_asked[0]
    assert f"Host: {second}\r\n" in second_asked[0]


def test_what_is_between_a_client_and_its_proxy_stays_there(door):
    asked: list[str] = []
    answer = (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close, X-Hop\r\n"
        b"X-Hop: 1\r\nKeep-Alive: timeout=1\r\nX-End: 2\r\n\r\nok"
    )
    with answering(answer, asked=asked) as where, connected(door) as client:
        client.sendall(get(
            where, "Proxy-Authorization: Basic c2VjcmV0", "Proxy-Connection: keep-alive",
            "Connection: X-Private, keep-alive", "X-Private: 1", "Keep-Alive: 5", "TE: trailers",
            "X-Kept: 2",
        ).replace(b"Host: " + where.encode(), b"Host: elsewhere.example"))  # fmt: skip
        answered = head(client)
    (request,) = asked
    assert request.startswith("GET / HTTP/1.1\r\n")
    assert request.count("Host: ") == 1
    assert f"Host: {where}\r\n" in request
    assert "X-Kept: 2\r\n" in request
    assert "Connection: close\r\n" in request
    for gone in ("Proxy-", "X-Private", "Keep-Alive", "TE:", "keep-alive"):
        assert gone not in request
    assert "X-End: 2\r\n" in answered
    for gone in ("X-Hop", "Keep-Alive", "Connection"):
        assert gone not in answered


# -- complete -------------------------------------------------------------------------------


def test_chunked_bodies_go_both_ways(door):
    def talk(connection: socket.socket) -> None:
        asked = head(connection)
        assert "Transfer-Encoding: chunked" in asked
        assert "Content-Length" not in asked
        got = b""
        with connection.makefile("rb") as lines:
            while size := int(lines.readline(), 16):
                got += lines.read(size)
                lines.readline()
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(got), 50_000):
            piece = got[::-1][at : at + 50_000]
            connection.sendall(b"%x;extension=1\r\n%b\r\n" % (len(piece), piece))
        connection.sendall(b"0\r\nX-Trailer: 1\r\n\r\n")

    with (
        server_that(talk) as where,
        contextlib.closing(http.client.HTTPConnection(*door)) as client,
    ):
        for _ in range(2):
            pieces = [BODY[:100_000], b"x", BODY[100_000:300_000]]
            client.request("POST", f"http://{where}/", iter(pieces), encode_chunked=True)
            assert client.getresponse().read() == b"".join(pieces)[::-1]


@pytest.mark.parametrize(
    ("method", "answer", "status", "body"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", 200, b""),
        ("HEAD", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 200, b""),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n", 204, b""),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n", 304, b""),
        ("GET", b"HTTP/1.0 200 OK\r\n\r\nuntil it closes", 200, b"until it closes"),
        ("GET", b"HTTP/1.1 200 OK\r\n\r\nuntil it closes", 200, b"until it closes"),
        ("GET", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, b""),
    ],
)
def test_answers_end_where_they_end_and_the_connection_goes_on(door, method, answer, status, body):
    asked: list[str] = []
    with answering(answer, OK, asked=asked) as where:
        client = http.client.HTTPConnection(*door, timeout=20)
        client.request(method, f"http://{where}/")
        got = client.getresponse()
        assert (got.status, got.read()) == (status, body)
        connection = client.sock
        client.request("GET", f"http://{where}/second")
        assert client.getresponse().read() == b"ok"
        assert client.sock is connection
        client.close()
    assert asked[1].startswith("GET /second HTTP/1.1\r\n")


def test_a_client_of_an_older_version_is_answered_in_it(door):
    answer = (
        b"HTTP/1.1 103 Early Hints\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    )
    asked: list[str] = []
    with answering(answer, asked=asked) as where, connected(door) as client:
        client.sendall(f"GET http://{where}/ HTTP/1.0\r\n\r\n".encode())
        answered = head(client)
        assert rest(client) == b"ok"
    assert answered.startswith("HTTP/1.1 200 OK")
    assert "Transfer-Encoding" not in answered
    assert f"Host: {where}\r\n" in asked[0]


def test_a_body_waits_until_the_server_wants_it(door):
    def talk(connection: socket.socket) -> None:
        assert "Expect: 100-continue" in head(connection)
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
        assert exactly(connection, 5) == b"hello"
        connection.sendall(OK)

    with server_that(talk) as where, connected(door) as client:
        for _ in range(2):
            client.sendall(get(where, "Content-Length: 5", "Expect: 100-continue", method="PUT"))
            assert head(client).startswith("HTTP/1.1 103 ")
            assert head(client).startswith("HTTP/1.1 100 ")
            client.sendall(b"hello")
            assert head(client).startswith("HTTP/1.1 200 ")
            assert exactly(client, 2) == b"ok"


def test_a_server_that_does_not_want_the_body_is_heard(door):
    def talk(connection: socket.socket) -> None:
        head(connection)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")

    with server_that(talk) as where, connected(door) as client:
        client.sendall(get(where, "Content-Length: 50000000", method="PUT"))
        assert head(client).startswith("HTTP/1.1 413 ")
        assert exactly(client, 2) == b"no"
        with contextlib.suppress(ConnectionError):
            client.sendall(bytes(50_000_000))
            assert rest(client) == b""


@pytest.mark.parametrize("agreed", [True, False])
def test_another_protocol_is_carried_once_both_agree(door, agreed):
    def talk(connection: socket.socket) -> None:
        asked = head(connection)
        assert "Connection: upgrade\r\n" in asked
        assert "Upgrade: websocket\r\n" in asked
        if not agreed:
            connection.sendall(OK)
            return
        switching = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket"
        connection.sendall(switching + b"\r\n\r\n" + b"first")
        connection.sendall(connection.recv(100)[::-1])
        assert connection.recv(100) == b""

    with server_that(talk) as where, connected(door) as client:
        client.sendall(get(where, "Connection: Upgrade", "Upgrade: websocket"))
        answered = head(client)
        if agreed:
            assert answered.startswith("HTTP/1.1 101 ")
            assert "Connection: upgrade\r\n" in answered
            assert "Upgrade: websocket\r\n" in answered
            assert exactly(client, 5) == b"first"
            client.sendall(b"not HTTP")
            assert exactly(client, 8) == b"PTTH ton"
            client.shutdown(socket.SHUT_WR)
            assert rest(client) == b""
        else:
            assert answered.startswith("HTTP/1.1 200 ")
            assert exactly(client, 2) == b"ok"
            client.sendall(get(where, "Connection: Upgrade", "Upgrade: websocket"))
            assert head(client).startswith("HTTP/1.1 200 ")


def test_a_tunnel_has_what_came_with_its_request_and_before_its_answer(door):
    def talk(connection: socket.socket) -> None:
        assert exactly(connection, 5) == b"hello"
        connection.sendall(b"GET http://not.for.us/ HTTP/1.1\r\n\r\n")

    with server_that(talk) as where, connected(door) as client:
        client.sendall(f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n\r\nhello".encode())
        assert head(client).startswith("HTTP/1.1 200 Connection established")
        client.shutdown(socket.SHUT_WR)
        assert rest(client) == b"GET http://not.for.us/ HTTP/1.1\r\n\r\n"


# -- invalid messages -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "it closed the connection before the end of its response"),
        (b"HTTP/1.1 200", "it closed the connection before the end of its response"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "its response is not HTTP"),
        (OK.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"), "is ambiguous"),
        (b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "is ambiguous"),
    ],
)
def test_a_server_that_gives_no_answer_is_named(door, answer, words):
    with answering(answer, asked=[]) as where, connected(door) as client:
        client.sendall(get(where))
        status = head(client).splitlines()[0]
    assert status.startswith(f"HTTP/1.1 502 {where.partition(':')[0]}: ")
    assert words in status


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_half_an_answer_cannot_be_taken_for_a_whole_one(door, answer, version):
    with answering(answer, asked=[]) as where, connected(door) as client:
        client.sendall(get(where, version=version))
        with pytest.raises(ConnectionResetError):  # noqa: PT012
            head(client)
            rest(client)


ELSEWHERE = "GET http://{where}/smuggled HTTP/1.1\r\nHost: {where}\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
POST = "POST http://{where}/ HTTP/1.1\r\nHost: {where}\r\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (POST + "Content-Length: 6\r\n" + CHUNKED + ELSEWHERE, 400),
        (POST + CHUNKED.replace("\r\n", "\r\nContent-Length: 6\r\n", 1) + ELSEWHERE, 400),
        (POST + "Content-Length: 0\r\nContent-Length: 50\r\n\r\n" + ELSEWHERE, 400),
        (POST + "Content-Length: -1\r\n\r\n" + ELSEWHERE, 400),
        (POST + "Content-Length: 0x10\r\n\r\n" + ELSEWHERE, 400),
        (POST + "Content-Length : 50\r\n\r\n" + ELSEWHERE, 400),
        (POST + "Transfer-Encoding: xchunked\r\n\r\n" + ELSEWHERE, 501),
        (POST + CHUNKED.replace("chunked", "gzip, chunked") + ELSEWHERE, 501),
        (POST.replace("1.1", "1.0") + CHUNKED + ELSEWHERE, 400),
        (POST + "Host: other\r\n\r\n" + ELSEWHERE, 400),
        ("GET http://{where}/ HTTP/1.1\r\n\r\n", 400),
        ("GET http://{where}/ HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("GET http://{where}/ a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET http://{where}/\0 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET http://{where}/ HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n", 400),
        ("CONNECT {where} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok", 400),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        ("GET http://{where}/ HTTP/1.1\r\nHost: x\r\nA: " + "a" * 2_000_000, 431),
    ],
)
def test_a_request_that_can_be_read_in_two_ways_is_not_carried(door, text, status):
    with web_server(own_address()) as server, connected(door) as client:
        client.sendall(text.format(where=server.where).encode("latin-1"))
        answer = head(client)
        assert answer.startswith(f"HTTP/1.1 {status} ")
        assert "Connection: close\r\n" in answer
        rest(client)
        assert server.requests == []


def test_a_body_that_looks_like_a_request_is_a_body(door):
    with web_server(own_address()) as server, connected(door) as client:
        inner = ELSEWHERE.format(where=server.where)
        # The length of a message is not a header that `Connection` can remove.
        headers = [f"Content-Length: {len(inner)}", "Connection: content-length, host"]
        client.sendall(get(server.where, *headers, method="POST") + inner.encode())
        assert f"Content-Length: {len(inner)}" in head(client)
        assert exactly(client, len(inner)) == inner.encode()[::-1]
        assert [line for line, _ in server.requests] == ["POST / HTTP/1.1"]


def test_a_broken_body_ends_the_request_on_both_sides(door):
    ended = threading.Event()

    def talk(connection: socket.socket) -> None:
        head(connection)
        assert rest(connection).endswith(b"2\r\nok\r\n")
        ended.set()

    with server_that(talk) as where, connected(door) as client:
        client.sendall(get(where, "Transfer-Encoding: chunked", method="POST"))
        client.sendall(b"2\r\nok\r\nnot a number\r\n")
        assert head(client).startswith("HTTP/1.1 400 ")
        assert ended.wait(20)


def test_a_client_that_goes_in_the_middle_of_its_body_takes_its_request_along(door):
    ended = threading.Event()

    def talk(connection: socket.socket) -> None:
        head(connection)
        assert rest(connection) == b"half"
        ended.set()

    with server_that(talk) as where:
        with connected(door) as client:
            client.sendall(get(where, "Content-Length: 8", method="POST") + b"half")
        assert ended.wait(20)
