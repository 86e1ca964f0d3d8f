"""The target of a request to the relay, and the connection to it.

The relay connects to the user's own proxy if one is configured for that host, and otherwise to the
server itself, but never to this machine's loopback.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import socket
import ssl
import urllib.request
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

#: Seconds within which a server must be reached.
PATIENCE = 30.0

#: Bytes that a connection buffers before its sender has to wait.
ROOM = 1 << 18

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Refused(Exception):
    """An error response to the client, with a readable message."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Target:
    """The target of a client's request to a proxy.

    Attributes:
        host, port: the host and port to connect to.
        authority: host and port as written, for the ``Host`` header.
        path: the path requested from the server; empty for a tunnel.
    """

    host: str
    port: int
    authority: str
    path: str

    @classmethod
    def parse(cls, method: bytes, target: bytes) -> Target:
        """Read the target of a request.

        Raises:
            Refused: it is not a proxy request, or is for something that the relay does not forward.
        """
        tunnel = method == b"CONNECT"
        text = target.decode("latin-1")
        try:
            url = urlsplit(f"//{text}" if tunnel else text)
            host, port = url.hostname, url.port or (443 if tunnel else 80)
        except ValueError:
            raise Refused(400, "this is not a request to a proxy") from None
        if not tunnel and url.scheme != "http":
            raise Refused(501, f"the relay does not forward {url.scheme or 'this'}")
        if not host or (tunnel and text != url.netloc):
            raise Refused(400, "this is not a request to a proxy")
        path = "" if tunnel else text[len("http://") + len(url.netloc) :].partition("#")[0]
        if not tunnel and not path.startswith("/"):
            path = "*" if method == b"OPTIONS" and not path else f"/{path}"
        return cls(host, port, url.netloc.rpartition("@")[2], path)


@dataclass(frozen=True)
class Proxy:
    """A proxy that the user configured.

    Attributes:
        host, port: its address.
        tls: whether to connect to it with TLS.
        credentials: its ``Proxy-Authorization``, or empty.
    """

    host: str
    port: int
    tls: bool
    credentials: bytes

    @classmethod
    def parse(cls, text: str) -> Proxy:
        url = urlsplit(text if "://" in text else f"http://{text}")
        tls = url.scheme == "https"
        return cls(url.hostname or "", url.port or (443 if tls else 80), tls, _credentials(url))


def proxy_for(target: Target) -> Proxy | None:
    """The proxy that this process's environment names for the target."""
    proxies = urllib.request.getproxies_environment()
    named = proxies.get("http" if target.path else "https") or proxies.get("all")
    bypassed = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
    return None if not named or bypassed(target.host, proxies) else Proxy.parse(named)


async def connect(target: Target, proxy: Proxy | None) -> Streams:
    """A connection to the proxy, or to the target itself.

    Raises:
        Refused: the target cannot or must not be reached.
    """
    if proxy is None:
        return await _to_server(target.host, target.port)
    tls = ssl.create_default_context() if proxy.tls else None
    try:
        return await _open(proxy.host, proxy.port, tls)
    except (OSError, ValueError, asyncio.TimeoutError) as error:
        raise Refused(502, f"the proxy {proxy.host}: {_why(error)}") from None


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
        raise Refused(403, f"{host} belongs to this machine, which a private network cannot reach")
    for address in outside:
        try:
            return await _open(address, port)
        except (OSError, asyncio.TimeoutError) as error:
            failed = error
    raise Refused(502, f"{host}: {_why(failed)}")


async def _open(host: str, port: int, tls: ssl.SSLContext | None = None) -> Streams:
    opening = asyncio.open_connection(host, port, ssl=tls, limit=ROOM)
    return await asyncio.wait_for(opening, PATIENCE)


def _is_loopback(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_loopback or ip.is_unspecified


def _credentials(url: SplitResult) -> bytes:
    if url.username is None:
        return b""
    user = f"{unquote(url.username)}:{unquote(url.password or '')}"
    return b"Basic " + base64.b64encode(user.encode())


def _why(error: Exception | None) -> str:
    return getattr(error, "strerror", None) or str(error) or "no answer"
