"""The way out of a private network: a web proxy (RFC 9110, sections 7.6 and 9.3.6) for one run.

It runs in the host's network, and accepts connections from a socket that listens in the run's:
nobody else can reach it. It carries plain requests and ``CONNECT`` tunnels, to the user's own proxy
if there is one. The one place it does not go is this machine's loopback: in a private network,
``localhost`` is the run itself.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ipaddress
import socket
import ssl
import urllib.request
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

#: Seconds in which a client has to say what it wants, and a server has to be reached.
_PATIENCE = 30.0

#: Headers that are between a client and its proxy.
_HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "proxy-authorization"}

_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Refused(Exception):
    """An answer to the client in place of what it wanted."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status

    def response(self) -> bytes:
        # In the status line, because that is the part that libraries show.
        reason = " ".join(str(self).split())
        body = f"mwtutor: {reason}\n".encode()
        head = (
            f"HTTP/1.1 {self.status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        return head.encode("latin-1", "replace") + body


@dataclass(frozen=True)
class Request:
    """The head of a request to a proxy.

    Attributes:
        method, target, version: of its first line.
        headers: the other lines, as they came.
        host, port: where it wants to go.
    """

    method: str
    target: str
    version: str
    headers: tuple[str, ...]
    host: str
    port: int

    @classmethod
    def parse(cls, head: bytes) -> Request:
        """Read it.

        Raises:
            Refused: it is not one, or it is for something that the relay does not carry.
        """
        first, *headers = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        try:
            method, target, version = first.split(" ")
            tunnel = method == "CONNECT"
            url = urlsplit(f"//{target}" if tunnel else target)
            host, port = url.hostname, url.port or (443 if tunnel else 80)
        except ValueError:
            raise Refused(400, "this is not a request to a proxy") from None
        if not tunnel and url.scheme != "http":
            raise Refused(501, f"the relay does not carry {url.scheme or 'this'}")
        if not host or not version.startswith("HTTP/1."):
            raise Refused(400, "this is not a request to a proxy")
        return cls(method, target, version, tuple(headers), host, port)

    @property
    def tunnel(self) -> bool:
        return self.method == "CONNECT"

    def for_server(self) -> bytes:
        """As the server itself is asked."""
        url = urlsplit(self.target)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        kept = [line for line in self.headers if _name(line) not in _HOP_BY_HOP]
        return _head(f"{self.method} {path} {self.version}", *kept, "Connection: close")

    def for_proxy(self, proxy: SplitResult) -> bytes:
        """As the user's own proxy is asked."""
        kept = [line for line in self.headers if _name(line) != "proxy-authorization"]
        if proxy.username is not None:
            user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
            code = base64.b64encode(user.encode()).decode()
            kept.append(f"Proxy-Authorization: Basic {code}")
        return _head(f"{self.method} {self.target} {self.version}", *kept)


def serve(door: socket.socket) -> None:
    """Serve whoever connects to the listening socket, for ever."""
    asyncio.run(_serve(door))


async def _serve(door: socket.socket) -> None:
    server = await asyncio.start_server(_carry, sock=door)
    async with server:
        await server.serve_forever()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, from its first byte to its last."""
    with contextlib.closing(writer):
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
            request = Request.parse(head)
            (theirs, to_them), opening, greeting = await _reach(request)
        except Refused as refusal:
            with contextlib.suppress(OSError):
                writer.write(refusal.response())
                await writer.drain()
            return
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.TimeoutError):
            return
        with contextlib.closing(to_them):
            to_them.write(opening)
            writer.write(greeting)
            await asyncio.gather(_pump(reader, to_them), _pump(theirs, writer))


async def _pump(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    """Everything that comes, to its end; then say that it has ended."""
    try:
        while data := await source.read(1 << 16):
            to.write(data)
            await to.drain()
        if to.can_write_eof():
            to.write_eof()
    except OSError:
        to.close()  # so that the other direction ends as well


async def _reach(request: Request) -> tuple[Streams, bytes, bytes]:
    """A connection for the request, what to begin it with, and what the client is told first."""
    proxies = urllib.request.getproxies_environment()
    proxy = proxies.get("https" if request.tunnel else "http") or proxies.get("all")
    bypassed = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
    if proxy and not bypassed(request.host, proxies):
        url = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        return await _to_proxy(url), request.for_proxy(url), b""
    streams = await _to_server(request.host, request.port)
    return (streams, b"", _ESTABLISHED) if request.tunnel else (streams, request.for_server(), b"")


async def _to_proxy(url: SplitResult) -> Streams:
    tls = ssl.create_default_context() if url.scheme == "https" else None
    port = url.port or (443 if tls else 80)
    try:
        opening = asyncio.open_connection(url.hostname, port, ssl=tls)
        return await asyncio.wait_for(opening, _PATIENCE)
    except (OSError, asyncio.TimeoutError) as error:
        raise Refused(502, f"the proxy {url.hostname}: {_why(error)}") from None


async def _to_server(host: str, port: int) -> Streams:
    loop = asyncio.get_running_loop()
    failed: Exception | None = None
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused(502, f"{host}: {_why(error)}") from None
    addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
    outside = [address for address in addresses if not _is_loopback(address)]
    if not outside:
        raise Refused(403, f"{host} is this machine's own, which a private network cannot reach")
    for address in outside:
        try:
            return await asyncio.wait_for(asyncio.open_connection(address, port), _PATIENCE)
        except (OSError, asyncio.TimeoutError) as error:
            failed = error
    raise Refused(502, f"{host}: {_why(failed)}")


def _is_loopback(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_loopback or ip.is_unspecified


def _why(error: Exception | None) -> str:
    return getattr(error, "strerror", None) or str(error) or "no answer"


def _name(header: str) -> str:
    return header.partition(":")[0].strip().lower()


def _head(*lines: str) -> bytes:
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
