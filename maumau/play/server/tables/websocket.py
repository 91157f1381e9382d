"""The socket of a page: what the person sees is pushed, what the person asks for is answered, both as JSON texts.

A push has `view`, `log`, `clock` and `room`, or `said` (seat, emote), and is `{}` where nothing has happened for a
while. A request has `do`, one of those of `maumau.play.server.tables.persons`, and its `fields`. Requests are answered
one after the other, with `answer`, or with `error` and `status`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fsm.edge.numbers import Types, check_fields
from maumau.play.server.answers import Fields, object_of, refusal_of
from maumau.play.server.guard import BadRequest
from maumau.play.server.tables.hosted import Hosted, Push, Since
from maumau.play.server.tables.persons import Asked
from maumau.play.table.view import ENCODER
from rules.notation import shown

BEAT = 15.0
"""Seconds without a push after which there is a heartbeat."""
HEARTBEAT = "{}"
REQUEST: Types = {"do": str, "fields": (dict, "an object")}


async def converse(
    websocket: WebSocket, find: Callable[[], Awaitable[Hosted]], token: str, requests: Mapping[str, Asked]
) -> None:
    """Push and answer until the client leaves, or the person is removed.

    find: returns the room. token: of the person. requests: what may be asked for, by name.
    """
    await websocket.accept()
    async with asyncio.TaskGroup() as group:
        pushing = group.create_task(_push(websocket, find, token))
        await _answer(websocket, token, requests)
        pushing.cancel()


async def _push(websocket: WebSocket, find: Callable[[], Awaitable[Hosted]], token: str) -> None:
    """Send the whole table first, then every push as it comes; close the socket of who was removed."""
    with suppress(WebSocketDisconnect):
        with suppress(BadRequest):
            hosted = await find()  # not sooner: from here on it stays loaded
            with hosted.listening(token) as queue:
                push: Push | None = hosted.shown(token, since(websocket))
                while True:
                    await websocket.send_text(hosted.shown(token, Since()) if push is None else push)
                    push = HEARTBEAT
                    with suppress(TimeoutError):
                        async with asyncio.timeout(BEAT):
                            push = await queue.get()
        await websocket.close()


async def _answer(websocket: WebSocket, token: str, requests: Mapping[str, Asked]) -> None:
    """Answer requests, one after the other, until the socket is closed."""
    with suppress(WebSocketDisconnect):
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            answer = ENCODER.encode(await _answered(message.get("text") or "", token, requests))
            if websocket.application_state is not WebSocketState.CONNECTED:  # it was closed meanwhile
                return
            await websocket.send_text(answer)


async def _answered(text: str, token: str, requests: Mapping[str, Asked]) -> Fields:
    """The answer to one request."""
    try:
        asked = object_of(text)
        check_fields(asked, REQUEST, BadRequest, required=("do",), known=tuple(REQUEST))
        if (name := asked["do"]) not in requests:
            raise BadRequest(f"do: unknown request {shown(name)}; use one of {', '.join(requests)}")
        return {"answer": await requests[name](token, asked.get("fields", {}))}
    except Exception as error:
        status, why = refusal_of(error)
        return {"error": why, "status": status}


KNOWN = re.compile(r"(\d{1,9})\.(\d{1,3})\.(\d{1,9})", re.ASCII)


def since(connection: HTTPConnection) -> Since:
    """Up to where a client knows a table, as `since` in the address says; or nothing of it."""
    given = KNOWN.fullmatch(connection.query_params.get("since", ""))
    return Since(*map(int, given.groups())) if given else Since()
