"""Connections: how many there may be, and what reads HTTP from them: httptools where it is installed, else h11."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Any

from uvicorn.server import ServerState

from maumau.play.server.guard import LARGEST_HEAD, LOOPBACK

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError:  # one in Python, which takes a fifth of the time of a move
    from uvicorn.protocols.http.h11_impl import H11Protocol as Reader
else:

    class Reader(HttpToolsProtocol):  # type: ignore[no-redef]
        """HTTP as httptools reads it, with an end of what it leaves open: of heads, trailers and extensions of chunks.

        Trailers are no headers. What is no HTTP is answered after the requests before it.
        """

        _unread = 0
        """Bytes since something was complete, at least."""
        _is_head = True
        _fault = ""

        def data_received(self, data: bytes) -> None:
            """Read some bytes."""
            if self._fault:
                return
            self._unread += len(data)
            super().data_received(data)
            if self._unread > LARGEST_HEAD and not self._fault:
                self.send_400_response(f"expected at most {LARGEST_HEAD} bytes")

        def on_message_begin(self) -> None:
            """A request begins."""
            self._is_head = True
            super().on_message_begin()

        def on_header(self, name: bytes, value: bytes) -> None:
            """A header or a trailer was read."""
            if self._is_head:
                super().on_header(name, value)

        def on_headers_complete(self) -> None:
            """The head was read."""
            self._unread, self._is_head = 0, False
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """A part of the body was read."""
            self._unread = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """The request was read."""
            self._unread = 0
            super().on_message_complete()

        def send_400_response(self, msg: str) -> None:
            """Answer what is no HTTP, and read no more."""
            self._fault = msg
            if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
                super().send_400_response(msg)

        def on_response_complete(self) -> None:
            """A request was answered."""
            super().on_response_complete()
            if self._fault and self.cycle.response_complete and not self.transport.is_closing():
                super().send_400_response(self._fault)


MAX_CONNECTIONS = 1000
MAX_OF_ONE = 250
"""Of them those of one address, unless it is that of this machine, where a reverse proxy may be."""


class Connection(asyncio.Protocol):
    """A new connection, which uvicorn speaks HTTP with if there is room for it."""

    def __init__(self, server_state: ServerState, **options: Any) -> None:
        self._others = server_state.connections
        self._protocol = Reader(server_state=server_state, **options)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Pass the connection on, or close it."""
        host, others = _host(transport), self._others
        is_full = len(others) >= MAX_CONNECTIONS
        if not is_full and len(others) >= MAX_OF_ONE and not ip_address(host).is_loopback:
            is_full = sum(_host(each.transport) == host for each in others) >= MAX_OF_ONE
        if is_full:
            transport.abort()
        else:
            transport.set_protocol(self._protocol)
            self._protocol.connection_made(transport)


def _host(transport: asyncio.Transport) -> str:
    """The address of a client; a connection that is lost already has none."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if name else LOOPBACK
