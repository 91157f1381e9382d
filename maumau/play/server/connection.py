"""A connection to the server: how large a request may be, and how long a client may take for it."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Any, NoReturn

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from maumau.play.server.address import LOOPBACK
from maumau.play.server.guard import answer_of

MAX_CONNECTIONS = 1000
"""Connections at once; further ones are closed as they come."""
MAX_OF_ONE = 250
"""Of them those of one address, unless it is that of this machine, where a reverse proxy may be."""
LARGEST_HEAD = 16 * 1024
"""Bytes of the path and all headers of a request."""
MAX_HEADERS = 64
TOO_LARGE = f"expected at most {MAX_HEADERS} headers, of {LARGEST_HEAD} bytes together with the address"
NO_REQUEST = "no HTTP request, expected one"
NO_TRAILERS = "trailers, or a long chunk extension, expected a body without them"
PART = 4096
"""Bytes that the parser is given at once: of what it keeps to itself, up to so many are not counted."""
TIME_LIMIT = 20.0
"""Seconds from the first byte of a request, or from connecting, until its answer is taken."""
STREAM = "/events"
"""The end of the path of responses that go on as long as the client listens."""
IDLE = 60
"""Seconds from an answer until the first byte of the next request."""


class Refusal(Exception):
    """A request is refused while it is read; `Connection` knows why."""


class Connection(HttpToolsProtocol):
    """A connection whose requests are bounded in size, number of headers and time.

    It is at one request at a time: the bytes behind a complete request wait until the answer to it was taken. One
    clock runs, unless a stream is open: for the request and its answer, or until the next request.
    """

    time_limit = TIME_LIMIT

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting = bytearray()
        self._head = self._unparsed = 0
        self._in_head = self._in_request = self._is_ended = self._is_untaken = False
        self._refusal = 400, NO_REQUEST
        self._running: RequestResponseCycle | None = None
        self._clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, if there is room for another one."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # an answer is taken when none of it waits here
        if len(self.connections) > MAX_CONNECTIONS or self._has_too_many():
            transport.abort()
        else:
            self._start_clock(self.time_limit)

    def _has_too_many(self) -> bool:
        """Whether the client has more connections than it may."""
        host = self.client[0] if self.client else LOOPBACK
        clients = (each.client for each in self.connections if isinstance(each, Connection))
        others = sum(client is not None and client[0] == host for client in clients)
        return others > MAX_OF_ONE and not ip_address(host).is_loopback

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_clock()
        self._forget_client()
        super().connection_lost(exc)

    def _forget_client(self) -> None:
        """Let the requests under way end: nobody takes an answer."""
        for cycle in (self._running, self.cycle):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()

    # ------------------------------------------------------------ bytes

    def data_received(self, data: bytes) -> None:
        """Take the next bytes, unless no more requests are read."""
        if not self._is_ended:
            self._waiting += data
            self._parse()

    def _parse(self) -> None:
        """Parse what has come, up to a complete request that is not answered yet."""
        while self._waiting and not self._must_wait and not self.transport.is_closing():
            part = bytes(self._waiting[:PART])
            del self._waiting[:PART]
            self._unparsed += len(part)
            super().data_received(part)
            if self._in_request and self._head + self._unparsed > LARGEST_HEAD and not self._is_ended:
                self._end_with(*((431, TOO_LARGE) if self._in_head else (400, NO_TRAILERS)))
        if self._waiting and not self.transport.is_closing():
            self.flow.pause_reading()

    @property
    def _must_wait(self) -> bool:
        """Whether an answer must be taken before the next request is read."""
        return bool(self.pipeline) or self.flow.write_paused or (self._is_answering and not self._in_request)

    @property
    def _is_answering(self) -> bool:
        return self._running is not None and not self._running.response_complete

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser refuses, or a callback of it, and close."""
        self._end_with(*self._refusal)

    def _end_with(self, status: int, why: str) -> None:
        """Read no more; answer what was read last with an error, if it has no answer yet, and close."""
        self._is_ended = True
        self._waiting.clear()
        is_behind = self._is_answering and not (self._in_body and self._running is self.cycle)
        if is_behind and not self._is_streaming:
            self.cycle.keep_alive = False  # earlier requests are answered before the connection is closed
            return
        has_answer = is_behind or (self._in_body and self.cycle.response_started)
        self._forget_client()
        if not has_answer:
            self.transport.write(answer_of(status, why))
        self._start_clock(self.time_limit)
        self.transport.close()

    # ------------------------------------------------------------ parts of a request, as the parser comes to them

    @property
    def _in_body(self) -> bool:
        return self._in_request and not self._in_head

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head = self._unparsed = 0
        self._in_head = self._in_request = True
        if not self._is_answering:
            self._start_clock(self.time_limit)

    def on_url(self, url: bytes) -> None:
        """A part of the path. Raises Refusal."""
        self._add(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer, which nobody would judge. Raises Refusal."""
        if not self._in_head:
            self._refuse(400, NO_TRAILERS)
        super().on_header(name, value)
        self._add(len(name) + len(value))

    def _add(self, size: int) -> None:
        self._head += size
        self._unparsed = 0
        if self._head > LARGEST_HEAD or len(self.headers) > MAX_HEADERS:
            self._refuse(431, TOO_LARGE)

    def _refuse(self, status: int, why: str) -> NoReturn:
        self._refusal = status, why
        raise Refusal

    def on_headers_complete(self) -> None:
        """The body follows. Raises what the parser of addresses raises."""
        super().on_headers_complete()
        self._head = self._unparsed = 0
        self._in_head = False

    def on_chunk_header(self) -> None:
        """The size of the next part of the body."""
        self._unparsed = 0

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete. What is pushed to a page has no end; its response watches the client itself."""
        self._in_request = False
        super().on_message_complete()
        if self._is_streaming:
            self._stop_clock()

    # ------------------------------------------------------------ answers

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """An answer was written; the next request may have been sent before."""
        super().on_response_complete()
        self._is_untaken = self.flow.write_paused
        if not self._is_untaken:
            self._go_on()

    def resume_writing(self) -> None:
        """All that was written has been taken."""
        super().resume_writing()
        if self._is_untaken:
            self._is_untaken = False
            self._go_on()

    def _go_on(self) -> None:
        """Go on with the next request, after an answer was taken."""
        self._parse()
        if self._is_streaming:
            self._stop_clock()
        else:
            self._start_clock(self.time_limit if self._in_request or self._is_answering else self.timeout_keep_alive)

    @property
    def _is_streaming(self) -> bool:
        """Whether the response goes on as long as the client listens."""
        cycle = self._running
        if cycle is None or cycle.more_body or cycle.response_complete:
            return False
        return cycle.scope["method"] == "GET" and cycle.scope["path"].endswith(STREAM)

    def shutdown(self) -> None:
        """End the connection as soon as a complete request is answered."""
        if self._in_request:
            self._abort()
        else:
            super().shutdown()

    # ------------------------------------------------------------ time

    def _start_clock(self, seconds: float) -> None:
        self._stop_clock()
        self._clock = self.loop.call_later(seconds, self._abort)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _abort(self) -> None:
        self._forget_client()
        self.transport.abort()
