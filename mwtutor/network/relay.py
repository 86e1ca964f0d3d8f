"""The relay out of a private network: a web proxy (RFC 9110, sections 7.6 and 9.3.6) for one run.

It runs in the host's network and accepts connections from a socket that listens in the run's
network, so nobody else can reach it. It forwards plain requests and ``CONNECT`` tunnels, through
the user's own proxy if there is one. It never connects to this machine's loopback: in a private
network, ``localhost`` is the run itself.

A client may send any number of requests over one connection, each to a different host. h11 parses
and rebuilds every message, and every request gets its own outside connection, so no server can read
or answer a request that was meant for another.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
import struct
from collections.abc import Callable, Sequence

import h11

from mwtutor.network import upstream
from mwtutor.network.upstream import PATIENCE, ROOM, Proxy, Refused, Streams, Target

#: Maximum bytes of a message's head.
_HEAD = 1 << 16

#: Seconds for a client to read the answer to a request that it has not finished sending.
_LEAVE = 2.0

#: Hop-by-hop headers (RFC 9110, 7.6.1), and trailers, which may be dropped.
_HOP_BY_HOP = {
    *(b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization"),
    *(b"te", b"trailer", b"upgrade"),
}

#: The headers that determine where a message ends, whatever ``Connection`` says about them.
_FRAMING = {b"content-length", b"transfer-encoding"}

_ESTABLISHED = b"Connection established"

Note = Callable[[str, str], None]

Headers = list[tuple[bytes, bytes]]
Message = h11.Request | h11.Response | h11.InformationalResponse


class Lost(Exception):
    """The server closed the connection, or sent invalid HTTP, before the end of its answer."""


class Peer:
    """One end of a connection, and the state of its messages."""

    def __init__(self, streams: Streams, role: type[h11.CLIENT] | type[h11.SERVER]) -> None:
        self.http = h11.Connection(role, max_incomplete_event_size=_HEAD)
        self.reader, self.writer = streams

    async def hear(self) -> h11.Event | type[h11.PAUSED]:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(await self.reader.read(ROOM))
        return event  # type: ignore[return-value]

    @property
    def switched(self) -> bool:
        """Whether the connection has switched to another protocol."""
        return self.http.our_state is h11.SWITCHED_PROTOCOL

    async def tell(self, event: h11.Event) -> None:
        self.writer.writelines(self.http.send_with_data_passthrough(event) or [])
        await self.writer.drain()


def serve(*doors: socket.socket, note: Note = lambda host, why: None) -> None:
    """Serve all clients of the listening sockets, forever.

    Args:
        note: called with each host that could not be reached, and the reason in words.
    """
    asyncio.run(_serve(doors, note))


async def _serve(doors: Sequence[socket.socket], note: Note) -> None:
    carry = functools.partial(_carry, note)
    servers = [await asyncio.start_server(carry, sock=door, limit=ROOM) for door in doors]
    await asyncio.gather(*(server.serve_forever() for server in servers))


async def _carry(note: Note, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Handle one client connection from its first byte to its last."""
    client = Peer((reader, writer), h11.SERVER)
    with contextlib.closing(writer), contextlib.suppress(OSError, asyncio.TimeoutError):
        try:
            await _requests(client, note)
        except Refused as refusal:
            await _refuse(client, refusal)
        except h11.RemoteProtocolError as fault:
            await _refuse(client, Refused(fault.error_status_hint, str(fault)))
        await _take_leave(client)


async def _requests(client: Peer, note: Note) -> None:
    """Handle the requests of a connection, one after the other."""
    patience: float | None = PATIENCE
    while isinstance(request := await asyncio.wait_for(client.hear(), patience), h11.Request):
        target = _checked(request)
        proxy = upstream.proxy_for(target)
        try:
            server = Peer(await upstream.connect(target, proxy), h11.CLIENT)
        except Refused as refusal:
            note(target.host, str(refusal))
            raise
        with contextlib.closing(server.writer):
            if proxy is None and not target.path:
                await client.hear()  # the end of the request
                await client.tell(h11.Response(status_code=200, reason=_ESTABLISHED, headers=[]))
            else:
                try:
                    status = await _exchange(client, server, _forwarded(request, target, proxy))
                    if proxy is not None and not target.path and status >= 400:
                        note(target.host, f"{target.host}: the proxy answered {status}")
                except Lost as loss:
                    note(target.host, f"{target.host}: {loss}")
                    raise Refused(502, f"{target.host}: {loss}") from None
            if client.switched:
                await _join(client, server)
        if client.http.our_state is not h11.DONE or client.http.their_state is not h11.DONE:
            return
        client.http.start_next_cycle()
        patience = None  # the client may wait as long as it likes before its next request


async def _refuse(client: Peer, refusal: Refused) -> None:
    """Send the refusal to the client, or cut off an answer that has begun so the client notices."""
    if client.http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
        reset = struct.pack("ii", 1, 0)
        client.writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, reset
        )
        client.writer.transport.abort()
        return
    # The reason is in the status line, because libraries show that line.
    reason = " ".join(str(refusal).split()).encode("latin-1", "replace")
    body = b"mwtutor: " + reason + b"\n"
    headers = [
        ("Content-Type", "text/plain; charset=latin-1"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ]
    await client.tell(h11.Response(status_code=refusal.status, reason=reason, headers=headers))
    with contextlib.suppress(h11.LocalProtocolError):  # an answer to HEAD has no body
        await client.tell(h11.Data(data=body))


async def _take_leave(client: Peer) -> None:
    """Let the client read its answer: closing a connection with unread bytes resets it."""
    client.writer.write_eof()
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_read_to_the_end(client.reader), _LEAVE)


async def _read_to_the_end(source: asyncio.StreamReader) -> None:
    while await source.read(ROOM):
        pass


def _checked(request: h11.Request) -> Target:
    """The request's target.

    Raises:
        Refused: it is not a valid request, or its end is ambiguous.
    """
    if not request.http_version.startswith(b"1."):
        raise Refused(505, "the relay supports only HTTP/1.1")
    if request.method == b"CONNECT" and _FRAMING & {name for name, _ in request.headers}:
        raise Refused(400, "a CONNECT request must have no body")
    if _is_ambiguous(request):
        raise Refused(400, "the length of this request is ambiguous")
    return Target.parse(request.method, request.target)


def _is_ambiguous(message: h11.Request | h11.Response) -> bool:
    """Whether a message's end is ambiguous (RFC 9112, 6.1), which h11 does not check."""
    framing = _FRAMING & {name for name, _ in message.headers}
    chunked = b"transfer-encoding" in framing
    return chunked and (len(framing) > 1 or message.http_version < b"1.1")


def _forwarded(request: h11.Request, target: Target, proxy: Proxy | None) -> h11.Request:
    """The request to send to the server or proxy."""
    # The request goes to the target, whatever its own Host header says.
    headers: Headers = [(b"Host", target.authority.encode())]
    headers += [pair for pair in _passed_on(request) if pair[0].lower() != b"host"]
    if request.http_version >= b"1.1" and b"upgrade" in _listed(request, b"connection"):
        headers += _switching(request)
    elif request.method != b"CONNECT":
        headers.append((b"Connection", b"close"))
    if proxy is not None and proxy.credentials:
        headers.append((b"Proxy-Authorization", proxy.credentials))
    asked = target.path if proxy is None else request.target
    return h11.Request(method=request.method, target=asked, headers=headers)


def _passed_on(message: Message) -> Headers:
    """The headers of a message, without the hop-by-hop headers."""
    dropped = (_HOP_BY_HOP | set(_listed(message, b"connection"))) - _FRAMING
    items = message.headers.raw_items()
    return [(name, value) for name, value in items if name.lower() not in dropped]


def _switching(message: Message) -> Headers:
    """The headers that request or accept another protocol."""
    protocols = [value for name, value in message.headers if name == b"upgrade"]
    return [(b"Connection", b"upgrade"), *((b"Upgrade", value) for value in protocols)]


def _listed(message: Message, header: bytes) -> list[bytes]:
    """The words that a header lists, in lowercase."""
    values = b",".join(value for name, value in message.headers if name == header)
    return [word.strip().lower() for word in values.split(b",")]


async def _exchange(client: Peer, server: Peer, request: h11.Request) -> int:
    """Forward the complete request and the complete answer; return the answer's status.

    This happens at the same time, because a server may answer early or ask for the body first.

    Raises:
        Lost: the answer is missing or incomplete.
    """
    both = [
        asyncio.ensure_future(_bring_request(client, server, request)),
        asyncio.ensure_future(_bring_answer(client, server)),
    ]
    try:
        _, status = await asyncio.gather(*both)
        return status or 0
    finally:
        for task in both:
            task.cancel()


async def _bring_request(client: Peer, server: Peer, request: h11.Request) -> None:
    event: h11.Event | type[h11.PAUSED] = request
    while isinstance(event, (h11.Request, h11.Data)):
        try:
            await server.tell(event)
        except OSError:
            return  # what the server sent before closing is the answer
        event = await client.hear()
    with contextlib.suppress(OSError):
        await server.tell(h11.EndOfMessage())


async def _bring_answer(client: Peer, server: Peer) -> int:
    status = 0
    while not client.switched:
        event = await _hear_answer(server)
        if isinstance(event, h11.InformationalResponse):
            await _inform(client, event)
        elif isinstance(event, h11.Response):
            headers = _passed_on(event)
            status, reason = event.status_code, event.reason
            await client.tell(h11.Response(status_code=status, reason=reason, headers=headers))
        elif isinstance(event, h11.Data):
            await client.tell(event)
        else:
            await client.tell(h11.EndOfMessage())
            break
    return status


async def _inform(client: Peer, event: h11.InformationalResponse) -> None:
    if (client.http.their_http_version or b"") < b"1.1":
        return  # the client's version of HTTP has no such responses
    headers = _passed_on(event) + (_switching(event) if event.status_code == 101 else [])
    await client.tell(
        h11.InformationalResponse(
            status_code=event.status_code, reason=event.reason, headers=headers
        )
    )


async def _hear_answer(server: Peer) -> h11.Event | type[h11.PAUSED]:
    try:
        event = await server.hear()
    except OSError as error:
        raise Lost(error.strerror or "the connection broke") from None
    except h11.RemoteProtocolError as error:
        if server.reader.at_eof():
            raise Lost("it closed the connection before the end of its response") from None
        raise Lost(f"its response is not HTTP ({error})") from None
    if isinstance(event, h11.Response) and _is_ambiguous(event):
        raise Lost("the length of its response is ambiguous")
    return event


async def _join(client: Peer, server: Peer) -> None:
    """Copy both directions without parsing them."""
    for here, there in ((client, server), (server, client)):
        there.writer.write(here.http.trailing_data[0])
    await asyncio.gather(_pump(client.reader, server.writer), _pump(server.reader, client.writer))


async def _pump(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    """Copy everything to the end, then signal the end."""
    try:
        while data := await source.read(ROOM):
            to.write(data)
            await to.drain()
        if to.can_write_eof():
            to.write_eof()
    except OSError:
        to.close()  # so that the other direction ends as well
