"""What is pushed to one connection, as server-sent events, until the client leaves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from maumau.play.server.guard import Refused
from maumau.play.server.tables.hosted import Hosted, Push, Since

BEAT = 15.0
"""Seconds from one heartbeat to the next."""
HEARTBEAT = b"event: beat\ndata: {}\n\n"
HEADERS = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]


class Pushes:
    """A response that goes on until the client leaves: the whole table first, then every push as it comes."""

    def __init__(
        self, find: Callable[[], Awaitable[Hosted]], token: str, since: Since, counted: AbstractContextManager[None]
    ) -> None:
        """find: returns the room. token: of who listens. since: up to where the client knows it. counted: entered as
        long as the client listens.
        """
        self._find, self._token, self._since, self._counted = find, token, since, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request."""
        with self._counted:
            sending = asyncio.ensure_future(self._send(send))
            leaving = asyncio.ensure_future(_left(receive))
            done, pending = await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                task.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            hosted, token = await self._find(), self._token  # not sooner: from here on it stays loaded
            with hosted.listening(token) as queue, beating(queue):
                event = hosted.shown(token, self._since).event
                while True:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
                    pushes = [await queue.get()]
                    while not queue.empty():
                        pushes.append(queue.get_nowait())
                    event = b"".join(hosted.shown(token, Since()).event if push is None else push for push in pushes)
        except Refused:  # the person was removed
            await send({"type": "http.response.body", "body": b""})


@contextmanager
def beating(queue: asyncio.Queue[Push | None]) -> Iterator[None]:
    """Put a heartbeat among the pushes now and then."""
    loop = asyncio.get_running_loop()

    def beat() -> None:
        if queue.empty():
            queue.put_nowait(HEARTBEAT)
        timers[0] = loop.call_later(BEAT, beat)

    timers = [loop.call_later(BEAT, beat)]
    try:
        yield
    finally:
        timers[0].cancel()


async def _left(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


KNOWN = re.compile(r"(\d{1,9})\.(\d{1,3})\.(\d{1,9})", re.ASCII)


def since(request: Request) -> Since:
    """Up to where a client knows a table: as `Last-Event-ID` says, or `since` in the address; or nothing of it."""
    given = KNOWN.fullmatch(request.headers.get("last-event-id") or request.query_params.get("since", ""))
    return Since(*map(int, given.groups())) if given else Since()
