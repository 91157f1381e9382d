"""The addresses of the pages to play on.

GET  /                        the lobby
GET  /rules/GAME              the rules of a game to read, with those of its house rules: maumau+five-each
GET  /room/CODE               the page of a room, for all who are there and for who comes in
GET  /room/CODE/game          the lobby again, to choose what is played next there
GET  /room/CODE/link          the address of the room for others, whether it leads there from this machine only
                              (here), and else its QR code
POST /rooms                   open a room: name, ready (whether to deal at once), and a plan: game, players, computer,
                              target, turn_seconds, claim_seconds, hints; answered with its code and the token of who
                              opens it
POST /rooms/CODE              come in: name, plays (or watches); or moved: a code that another device shows; answered
                              with a token
GET  /tables/TOKEN            leads to the room, where the page keeps the token
GET  /tables/TOKEN/socket     a WebSocket: what the person sees, every change of it, and requests (see `converse`);
                              since: up to where it is known
GET  /tables/TOKEN/state      what the person sees now: view, log, clock, room; since
GET  /tables/TOKEN/replay     the page of the round that is over, with all hands open
GET  /tables/TOKEN/chances    of that round: what each move was worth by what its player knew, and what each has gained
POST /tables/TOKEN/NAME       a request of a person, as those by the socket (see `persons`)
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fsm.edge.numbers import Types, check_fields
from fsm.stepping.game import Game
from maumau.play.server.answers import Fields, fields_of, html_response, json_response, object_of, refusal_of
from maumau.play.server.guard import BadRequest
from maumau.play.server.tables.hall import Hall, check_open
from maumau.play.server.tables.hosted import Hosted, Push, Since
from maumau.play.server.tables.limits import ALL, Limits, client_of
from maumau.play.server.tables.link import is_only_here, link_of, qr_code
from maumau.play.server.tables.persons import Asked, person_requests
from maumau.play.server.tables.plans import PLAN, plan_of, room_page, rules_to_read_page
from maumau.play.table.hints import Searching
from maumau.play.table.room import Room
from maumau.play.table.view import ENCODER
from render.page.play import lobby_page, replay_page
from rules.notation import shown

OPENED_FIELDS: Types = {"name": str, "ready": bool}
ENTERED_FIELDS: Types = {"name": str, "plays": bool, "moved": str}


def table_routes(
    hall: Hall,
    kinds: Sequence[type[Game]],
    more: Sequence[type[Game]],
    players: Sequence[str] | None,
    search: Searching | None,
    origins: Sequence[str],
) -> list[BaseRoute]:
    """The routes of the pages to play on. kinds, more: the games that the lobby offers. The rest is that of the
    application, `maumau.play.server.app`.
    """
    limits = Limits()
    lobby = html_response(lobby_page(kinds, players, more))
    return _person_routes(hall, limits, players, search) + _door_routes(hall, limits, lobby, players, origins)


def _door_routes(
    hall: Hall, limits: Limits, lobby: Response, players: Sequence[str] | None, origins: Sequence[str]
) -> list[BaseRoute]:
    """The routes of the lobby and of rooms, for who comes in."""

    async def room_of(request: Request) -> Hosted:
        with limits.code(request):
            return await hall.room(request.path_params["code"])

    async def open_room(request: Request) -> Response:
        limits.open_room(client_of(request))
        fields = await fields_of(request)
        check_fields(fields, OPENED_FIELDS, BadRequest, required=("name",), known=(*PLAN, "name", "ready"))
        plan = plan_of({name: value for name, value in fields.items() if name in PLAN}, players)
        Room(plan).join(fields["name"])  # refuses a name before there is a room
        await run_in_threadpool(room_page, plan.game)
        hosted = await hall.room(hall.open(plan))
        return json_response(await entered(hosted, fields["name"], True, fields.get("ready", False)), 201)

    async def entered(hosted: Hosted, name: str, plays: bool, is_ready: bool = False) -> Fields:
        tokens, code = [], hosted.room.code

        def join(room: Room) -> None:
            check_open(room, code)  # somebody may have been removed meanwhile
            tokens.append(room.join(name, plays))
            if is_ready:
                room.ready(tokens[0])

        await hosted.change(join)
        return {"code": hosted.room.code, "token": tokens[0]}

    async def come_in(request: Request) -> Response:
        fields = await fields_of(request)
        check_fields(fields, ENTERED_FIELDS, BadRequest, known=tuple(ENTERED_FIELDS))
        hosted = await room_of(request)
        if "moved" in fields:
            with limits.code(request):
                return json_response(
                    {"code": hosted.room.code, "token": hosted.moving.token(fields["moved"], hosted.room.members)}
                )
        return json_response(await entered(hosted, fields.get("name", ""), fields.get("plays", True)), 201)

    async def show_room(request: Request) -> Response:
        room = (await room_of(request)).room
        return await run_in_threadpool(room_page, room.table.setup.game if room.table else room.plan.game)

    async def read_rules(request: Request) -> Response:
        limits.reading_rules.take(client_of(request) or ALL)
        return await run_in_threadpool(rules_to_read_page, request.path_params["game"])

    async def choose_game(request: Request) -> Response:
        await room_of(request)
        return lobby

    async def link(request: Request) -> Response:
        address = link_of(request, (await room_of(request)).room.code, origins)
        found = {"link": address, "here": is_only_here(address)}
        return json_response(found | {"qr": await run_in_threadpool(qr_code, address)})

    async def to_room(request: Request) -> Response:
        token = request.path_params["token"]
        return RedirectResponse(f"../room/{(await hall.find(token)).room.code}#{token}")

    return [
        Route("/", lobby, methods=["GET"]),
        Route("/rules/{game}", read_rules, methods=["GET"]),
        Route("/rooms", open_room, methods=["POST"]),
        Route("/rooms/{code}", come_in, methods=["POST"]),
        Route("/room/{code}", show_room),
        Route("/room/{code}/game", choose_game),
        Route("/room/{code}/link", link),
        Route("/tables/{token}", to_room),
    ]


def _person_routes(
    hall: Hall, limits: Limits, players: Sequence[str] | None, search: Searching | None
) -> list[BaseRoute]:
    """The routes of a person in a room."""
    requests = person_requests(hall, limits, players, search)

    async def reader(request: Request | WebSocket) -> tuple[Hosted, str]:
        """The room and the token of who reads, which is counted. Raises BadRequest."""
        token = request.path_params["token"]
        hosted = await hall.find(token)
        limits.reading.take(token)
        return hosted, token

    async def state(request: Request) -> Response:
        hosted, token = await reader(request)
        return Response(hosted.shown(token, since(request)), media_type="application/json")

    async def socket(websocket: WebSocket) -> None:
        hosted, token = await reader(websocket)
        with limits.stream(client_of(websocket)):
            hosted.check_room(token)
            await converse(websocket, lambda: hall.find(token), token, requests)

    async def show_replay(request: Request) -> Response:
        hosted, token = await reader(request)
        game, table, seat = hosted.over, hosted.room.table, hosted.member(token).seat
        assert table is not None
        page = await run_in_threadpool(replay_page, game, f"round {table.round}", hosted.room.names, seat)
        return html_response(page)

    async def chances(request: Request) -> Response:
        hosted, _ = await reader(request)
        return json_response(await hosted.chances() if search else {"moves": []})

    def posted(name: str, asked: Asked) -> Route:
        async def answered(request: Request) -> Response:
            return json_response(await asked(request.path_params["token"], await fields_of(request)))

        return Route(f"/tables/{{token}}/{name}", answered, methods=["POST"])

    return [
        WebSocketRoute("/tables/{token}/socket", socket),
        Route("/tables/{token}/state", state),
        Route("/tables/{token}/replay", show_replay),
        Route("/tables/{token}/chances", chances),
        *(posted(name, asked) for name, asked in requests.items()),
    ]


# ---------------------------------------------------------------- the socket of a page


BEAT = 15.0
"""Seconds without a push after which there is a heartbeat."""
HEARTBEAT = "{}"
REQUEST: Types = {"do": str, "fields": (dict, "an object")}


async def converse(
    websocket: WebSocket, find: Callable[[], Awaitable[Hosted]], token: str, requests: Mapping[str, Asked]
) -> None:
    """Push what the person sees, and answer what it asks for, until the client leaves, or the person is removed.

    Both are JSON texts. A push has `view`, `log`, `clock` and `room`, or `said` (seat, emote), and is `{}` where
    nothing has happened for a while. A request has `do`, one of `requests`, and its `fields`. Requests are answered one
    after the other, with `answer`, or with `error` and `status`.

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
