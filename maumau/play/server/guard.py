"""What stands before the server: only pages that it served itself are answered, and only requests of a sane size.

For that the server knows where it listens, and the addresses by which browsers reach it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from rules.errors import Explained
from rules.notation import shown

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = LOOPBACK, "localhost", "[::1]"
DEFAULT_PORT = 80
FOR_EXAMPLES = "192.0.2.1"
"""An address that is nobody's (RFC 5737), outside of every local network."""


class AddressError(Explained, ValueError):
    """An address on which no server can listen, or by which no browser can reach one; the message says why."""


@dataclass(frozen=True)
class ServerAddress:
    """Where a server listens. host: an IP address of this machine. origins: addresses by which browsers reach it."""

    host: str
    origins: tuple[str, ...] = ()

    @classmethod
    def of(cls, host: str | None, origins: Sequence[str]) -> ServerAddress:
        """Return the address that options name, by default that of this machine alone. Raises AddressError."""
        named = tuple(map(checked_origin, origins))
        return cls(LOOPBACK if host is None else checked_host(host, named), named)

    @classmethod
    def in_network(cls, host: str | None) -> ServerAddress:
        """Return the address that an option names, by default that in the local network. Raises AddressError."""
        return cls(local_address() if host is None else checked_host(host, ()))

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host == LOOPBACK and not self.origins


def checked_host(host: str, origins: Sequence[str]) -> str:
    """An IP address of this machine. Raises AddressError, also for all addresses at once without an origin.

    Behind all addresses the server would not know by which names it may be called.
    """
    try:
        address = ip_address(host)
    except ValueError:
        raise AddressError(f"--host: {shown(host)} is not an IP address; use one such as 192.168.1.5") from None
    if address.is_unspecified and not origins:
        raise AddressError(f"--host {host} requires --origin, the address that players type")
    return str(address)


def checked_origin(origin: str) -> str:
    """The address of a site: `https://cards.example`. Raises AddressError."""
    remedy = "use a scheme and a name, such as https://cards.example"
    try:
        parts = urlsplit(origin.lower().removesuffix("/"))
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        named = None
    if not named or f"{parts.scheme}://{parts.netloc}" != parts.geturl() or "@" in parts.netloc:
        raise AddressError(f"--origin: {shown(origin)} is not the address of a site; {remedy}")
    return parts.geturl()


def origins_at(host: str, port: int, origins: Sequence[str]) -> list[str]:
    """The addresses, beside the loopback one, by which browsers reach a server at an address and a port."""
    if host == LOOPBACK or ip_address(host).is_unspecified:
        return list(origins)
    return [f"http://{name}" for name in names_at([_in_url(host)], port)] + list(origins)


def names_at(hosts: Sequence[str], port: int) -> list[str]:
    """What browsers send in Host for `hosts` at a port: they leave out the default one."""
    return [f"{host}:{port}" for host in hosts] + (list(hosts) if port == DEFAULT_PORT else [])


def url_of(host: str, port: int) -> str:
    """The address of a server."""
    return f"http://{_in_url(host)}:{port}/"


def local_address() -> str:
    """The address of this machine in the local network. Raises AddressError without one."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as reaching:
        reaching.connect((FOR_EXAMPLES, DEFAULT_PORT))  # sends nothing, but finds the address from which it would
        if not ip_address(found := str(reaching.getsockname()[0])).is_loopback:
            return found
    raise AddressError("--host: this machine is not in a network; give the address at which others reach it")


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 64 * 1024
LARGEST_HEAD = 16 * 1024
"""Bytes of the address and all headers of a request."""
MAX_HEADERS = 64
HEAD_TOO_LARGE = (
    f"the request is too large; send at most {MAX_HEADERS} headers, of {LARGEST_HEAD} bytes together with the address"
)
TOO_LARGE = f"the body has more than {LARGEST_BODY} bytes; send less"
JUDGED = "host", "origin", "content-type"
TOKEN = re.compile("(/tables/)[^/]+")
"""What is secret in an address."""
LOGGER = logging.getLogger(__name__)
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Guard:
    """Refuses what does not come from a page of this server.

    The Host header must name an address of the server: so a foreign name that was made to resolve to it is
    refused. A browser names in Origin the page that sends the request: it must be one of this server. The body
    must be JSON, which no page can make a browser send to another server.
    """

    def __init__(self, app: App, port: int, origins: Sequence[str] = ()) -> None:
        """Guard an application at a port. origins: addresses by which browsers reach it, beside the loopback one."""
        self._app = app
        self._origins = [f"http://{name}" for name in names_at(LOOPBACK_NAMES, port)] + list(origins)
        self._hosts = [origin.partition("://")[2] for origin in self._origins]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or open a socket, if that may be."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        method = scope.get("method", "socket")
        if fault := self._fault(method, scope):
            status, why = fault
            await JSONResponse({"error": why}, status)(scope, receive, with_headers(send))
            return
        try:
            await self._app(scope, limited(receive), with_headers(send))
        except ClientDisconnect:
            return
        except Exception as error:  # it was answered with status 500
            path = TOKEN.sub(r"\1TOKEN", scope["path"])
            LOGGER.error("maumau: internal error in %s %s: %s", method, ascii(path)[:80], ascii(error)[:300])

    def _fault(self, method: str, scope: Scope) -> tuple[int, str] | None:
        """The status and the message for a request that is refused, as far as its head tells."""
        headers = Headers(scope=scope)
        parts = scope["raw_path"], scope["query_string"], *chain.from_iterable(headers.raw)
        if len(headers) > MAX_HEADERS or sum(map(len, parts)) > LARGEST_HEAD:
            return 431, HEAD_TOO_LARGE
        for name in JUDGED:
            if (times := len(headers.getlist(name))) > 1:
                return 400, f"{times} headers {name}; send one"
        host, origin = headers.get("host", ""), headers.get("origin")
        if host.lower() not in self._hosts:
            return 403, f"host {ascii(host)[:80]} is refused; use {self._hosts[0]}"
        if origin is not None and origin.lower() not in self._origins:
            return 403, f"origin {ascii(origin)[:80]} is refused; use {self._origins[0]}"
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "the body is not JSON; send one of the type application/json"
        return None


def limited(receive: Receive) -> Receive:
    """`receive`, which raises Refused once the parts of a body are too large together."""
    received = 0

    async def receive_some() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > LARGEST_BODY:
            raise BadRequest(TOO_LARGE, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return message

    return receive_some


def with_headers(send: Send) -> Send:
    """`send` with the headers that every answer has."""

    async def send_with_headers(message: Message) -> None:
        if message["type"].endswith("http.response.start"):
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return send_with_headers


class BadRequest(Exception):
    """A request that is answered with an error of a status; the answer holds nothing but the message."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


MAX_CONNECTIONS = 1000
MAX_OF_ONE = 250
"""Of them those of one address, unless it is that of this machine, where a reverse proxy may be."""


class Connection(asyncio.Protocol):
    """A new connection, which uvicorn speaks HTTP with if there is room for it: by h11.

    Its reader of httptools takes the body of a request with `Upgrade` for another request, and keeps any number of
    requests that wait.
    """

    def __init__(self, server_state: ServerState, **options: Any) -> None:
        self._others = server_state.connections
        self._protocol = H11Protocol(server_state=server_state, **options)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Pass the connection on, or close it."""
        others = self._others
        is_full = len(others) >= MAX_CONNECTIONS
        if not is_full and len(others) >= MAX_OF_ONE and not ip_address(host := _host(transport)).is_loopback:
            is_full = sum(_host(each.transport) == host for each in others) >= MAX_OF_ONE
        if is_full:
            transport.abort()
        else:
            transport.set_protocol(self._protocol)
            self._protocol.connection_made(transport)


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket, which ends if it does not begin as one. Of a client that does not read what it is sent nothing is
    read either, as it would have to be answered.
    """

    def data_received(self, data: bytes) -> None:
        """Read what the client sends."""
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self.transport.close()

    async def send(self, message: Any) -> None:
        """Send a message of the application; one that was closed for its client's fault or silence is lost."""
        if self.close_sent:
            raise ConnectionResetError
        await super().send(message)

    def pause_writing(self) -> None:
        """Read nothing until the client has read."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read on, unless what was read before waits."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()


def _host(transport: asyncio.Transport) -> str:
    """The address of a client; a connection that is lost already has none."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if name else LOOPBACK
