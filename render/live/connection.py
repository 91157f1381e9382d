"""A connection to the server: how large a request may be, and how long a client may take for it."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from render.live.address import LOOPBACK
from render.live.guard import answer_of

MOST_CONNECTIONS = 1000
"""Connections at once; further ones are closed as they come."""
MOST_OF_ONE = 250
"""Of them those of one address, unless it is that of this machine, where a reverse proxy may be."""
LARGEST_HEAD = 16 * 1024
"""Bytes of the path and all headers of a request."""
MOST_HEADERS = 64
TOO_LARGE = f"expected at most {MOST_HEADERS} headers, of {LARGEST_HEAD} bytes together with the address"
TIME_LIMIT = 20.0
"""Seconds from the first byte of a request, or from connecting, until its answer is taken."""
STREAM = "/events"
"""The end of the path of responses that go on as long as the client listens."""
IDLE = 60
"""Seconds from an answer until the next request."""


class HeadTooLarge(Exception):
    """The head of a request is too large."""


class Connection(HttpToolsProtocol):
    """A connection whose requests are bounded in size, number of headers and time."""

    time_limit = TIME_LIMIT

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = self._unparsed = 0
        self._in_head = self._in_request = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, if there is room for another one."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS or self._has_too_many():
            transport.abort()
        else:
            self._start_clock()

    def _has_too_many(self) -> bool:
        """Whether the client has more connections than it may."""
        host = self.client[0] if self.client else LOOPBACK
        clients = (each.client for each in self.connections if isinstance(each, Connection))
        others = sum(client is not None and client[0] == host for client in clients)
        return others > MOST_OF_ONE and not ip_address(host).is_loopback

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take the next bytes, unless it is closed already."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._unparsed += len(data)  # the parser keeps a header to itself until it is complete
            if self._unparsed > LARGEST_HEAD:
                self._end_with(431, TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, or has too large a head, and close."""
        self._end_with(431, TOO_LARGE) if self._is_too_large else self._end_with(400, "no HTTP request, expected one")

    @property
    def _is_too_large(self) -> bool:
        return self._in_head and (self._head > LARGEST_HEAD or len(self.headers) > MOST_HEADERS)

    def _end_with(self, status: int, why: str) -> None:
        self.transport.write(answer_of(status, why))
        self.transport.close()

    # ------------------------------------------------------------ parts of a request, as the parser comes to them

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head = self._unparsed = 0
        self._in_head = self._in_request = True
        self._start_clock()

    def on_url(self, url: bytes) -> None:
        """A part of the path. Raises HeadTooLarge."""
        self._add(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header. Raises HeadTooLarge."""
        super().on_header(name, value)
        self._add(len(name) + len(value))

    def _add(self, size: int) -> None:
        self._head += size
        if self._is_too_large:
            raise HeadTooLarge

    def on_headers_complete(self) -> None:
        """The body follows."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete. What is pushed to a page has no end; its response watches the client itself."""
        self._in_request = False
        super().on_message_complete()
        if self.scope["method"] == "GET" and self.scope["path"].endswith(STREAM):
            self._stop_clock()

    def on_response_complete(self) -> None:
        """The answer was taken; the next request may have been sent before."""
        super().on_response_complete()
        if self._in_request or not self.cycle.response_complete:
            self._start_clock()
        else:
            self._stop_clock()

    def shutdown(self) -> None:
        """End the connection as soon as a complete request is answered."""
        if self._in_request:
            self.transport.abort()
        else:
            super().shutdown()

    # ------------------------------------------------------------ time

    def _start_clock(self) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(self.time_limit, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
