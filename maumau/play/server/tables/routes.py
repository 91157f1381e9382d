"""The requests of the pages to play on.

GET  /                        the lobby
GET  /room/CODE               the page of a room, for all who are there and for who comes in
GET  /room/CODE/game          the lobby again, to choose what is played next there
GET  /room/CODE/link          the address of the room for others, and its QR code
POST /rooms                   open a room: name, ready (whether to deal at once), and a plan: game, players, computer,
                              target, turn_seconds, claim_seconds, hints; answered with its code and the token of who
                              opens it
POST /rooms/CODE              come in: name, plays (or watches); or moved: a code that another device shows; answered
                              with a token
GET  /tables/TOKEN            leads to the room, where the page keeps the token; so do links of 0.1.0
GET  /tables/TOKEN/state      what the person sees: view, log, clock, room; since: up to where it is known
GET  /tables/TOKEN/replay     the page of the round that is over, with all hands open
GET  /tables/TOKEN/chances    of that round: what each move was worth by what its player knew, and what each has gained
GET  /tables/TOKEN/events     the same, and every change of it, as server-sent events
POST /tables/TOKEN/act        a move: at (the version that it is about), move
POST /tables/TOKEN/undo       take back the last move: at
POST /tables/TOKEN/hint       a move for the seat, its reason, and the values of the moves that were searched
POST /tables/TOKEN/ready      deal as soon as all are ready
POST /tables/TOKEN/leave      a computer player stands in
POST /tables/TOKEN/come-back  the person plays on
POST /tables/TOKEN/play       take a seat, or watch: plays
POST /tables/TOKEN/move       a code by which another device becomes that of the person
POST /tables/TOKEN/plan       what is played next; POST /tables/TOKEN/deal, end, remove (number): of who rules the room
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from fsm.edge.numbers import TEXT, Types, check_fields
from fsm.registry import DEFAULT, game_class, names
from maumau.play.server.guard import Refused
from maumau.play.server.requests import number
from maumau.play.server.tables.hall import CLOSED, Hall
from maumau.play.server.tables.hosted import Hosted
from maumau.play.server.tables.limits import Limits, Rates, client_of
from maumau.play.server.tables.link import link_of, qr_code
from maumau.play.server.tables.pushes import Pushes, since
from maumau.play.table import Table
from maumau.play.table.hints import Searching
from maumau.play.table.names import plain_code
from maumau.play.table.room import Member, Plan, Room
from maumau.play.table.view import move_of_data
from render.diagram import DiagramError
from render.page.document import Document
from render.page.play import lobby_page, replay_page, table_page
from render.page.story import offered_players
from rules.notation import shown

Fields = Mapping[str, Any]
Answering = Callable[[Request], Awaitable[Response]]
Act = Callable[[Room, str, Fields], None]


def table_routes(
    hall: Hall,
    fields_of: Callable[[Request], Awaitable[Fields]],
    answer: Callable[..., Response],
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
    search: Searching | None = None,
    origins: Sequence[str] = (),
) -> list[Route]:
    """The routes of the pages to play on. first: the game that the lobby offers first. players: the names of those that
    may be chosen beside the policies of a game; None for the usual ones. search: for hints; without one they are those
    of the default policy. origins: the addresses by which browsers reach the server, beside the loopback one.
    """
    limits = Limits()
    lobby = html_response(lobby_page([game_class(name) for name in dict.fromkeys((first, *names()))], players))
    persons = _person_routes(hall, limits, fields_of, answer, players, search)
    return persons + _door_routes(hall, limits, lobby, fields_of, answer, players, origins)


def _door_routes(
    hall: Hall,
    limits: Limits,
    lobby: Response,
    fields_of: Callable[[Request], Awaitable[Fields]],
    answer: Callable[..., Response],
    players: Sequence[str] | None,
    origins: Sequence[str],
) -> list[Route]:
    """The routes of the lobby and of rooms, for who comes in."""

    async def show_lobby(request: Request) -> Response:
        return lobby

    async def to_lobby(request: Request) -> Response:
        return RedirectResponse("./")

    async def room_of(request: Request) -> Hosted:
        with limits.code(request):
            return await hall.room(request.path_params["code"])

    async def open_room(request: Request) -> Response:
        limits.open_room(client_of(request))
        fields = await fields_of(request)
        check_fields(fields, OPENED_FIELDS, Refused, required=("name",), known=(*PLAN, "name", "ready"))
        plan = plan_of({name: value for name, value in fields.items() if name in PLAN}, players)
        Room(plan).join(fields["name"])  # refuses a name before there is a room
        await run_in_threadpool(_page, plan.game)
        hosted = await hall.room(hall.open(plan))
        return answer(await entered(hosted, fields["name"], True, fields.get("ready", False)), 201)

    async def entered(hosted: Hosted, name: str, plays: bool, is_ready: bool = False) -> Fields:
        tokens = []

        def join(room: Room) -> None:
            tokens.append(room.join(name, plays))
            if is_ready:
                room.ready(tokens[0])

        await hosted.change(join)
        return {"code": hosted.room.code, "token": tokens[0]}

    async def come_in(request: Request) -> Response:
        fields = await fields_of(request)
        check_fields(fields, ENTERED_FIELDS, Refused, known=tuple(ENTERED_FIELDS))
        hosted = await room_of(request)
        if hosted.room.code != plain_code(request.path_params["code"]):
            raise Refused(CLOSED, HTTPStatus.FORBIDDEN)
        if "moved" in fields:
            with limits.code(request):
                return answer(
                    {"code": hosted.room.code, "token": hosted.moving.token(fields["moved"], hosted.room.members)}
                )
        return answer(await entered(hosted, fields.get("name", ""), fields.get("plays", True)), 201)

    async def show_room(request: Request) -> Response:
        room = (await room_of(request)).room
        return await run_in_threadpool(_page, room.table.setup.game if room.table else room.plan.game)

    async def link(request: Request) -> Response:
        address = link_of(request, (await room_of(request)).room.code, origins)
        return answer({"link": address, "qr": await run_in_threadpool(qr_code, address)})

    async def to_room(request: Request) -> Response:
        token = request.path_params["token"]
        return RedirectResponse(f"../room/{(await hall.find(token)).room.code}#{token}")

    return [
        Route("/", show_lobby),
        Route("/play", to_lobby),
        Route("/rooms", open_room, methods=["POST"]),
        Route("/rooms/{code}", come_in, methods=["POST"]),
        Route("/room/{code}", show_room),
        Route("/room/{code}/game", show_lobby),
        Route("/room/{code}/link", link),
        Route("/tables/{token}", to_room),
    ]


def _person_routes(
    hall: Hall,
    limits: Limits,
    fields_of: Callable[[Request], Awaitable[Fields]],
    answer: Callable[..., Response],
    players: Sequence[str] | None,
    search: Searching | None,
) -> list[Route]:
    """The routes of a person in a room."""
    searching, done = asyncio.Semaphore(SEARCHED), answer({})

    async def person(request: Request, counted: Rates) -> tuple[Hosted, str]:
        """The room and the token of who sends a request, which is counted. Raises Refused."""
        token = request.path_params["token"]
        hosted = await hall.find(token)
        counted.take(token)
        return hosted, token

    async def state(request: Request) -> Response:
        hosted, token = await person(request, limits.reading)
        return Response(hosted.shown(token, since(request)).text, media_type="application/json")

    async def events(request: Request) -> Any:
        hosted, token = await person(request, limits.reading)
        client = client_of(request)
        limits.check_stream(client)
        hosted.check_room(token)
        return Pushes(lambda: hall.find(token), token, since(request), limits.stream(client))

    async def hint(request: Request) -> Response:
        hosted, token = await person(request, limits.hinting)
        if not hosted.room.plan.hints:
            raise Refused("there are no hints in this room", HTTPStatus.FORBIDDEN)
        async with searching:
            table, seat = _at_table(hosted.room, hosted.member(token))
            return answer(await run_in_threadpool(table.hinting(seat, search)))

    async def show_replay(request: Request) -> Response:
        hosted, token = await person(request, limits.reading)
        game, table, seat = hosted.over, hosted.room.table, hosted.member(token).seat
        assert table is not None
        page = await run_in_threadpool(replay_page, game, f"round {table.round}", hosted.room.names, seat)
        return html_response(page)

    async def chances(request: Request) -> Response:
        hosted, _ = await person(request, limits.reading)
        return answer(await hosted.chances() if search else {"moves": []})

    async def move(request: Request) -> Response:
        hosted, token = await person(request, limits.changing)
        return answer({"code": hosted.moving.code(token)})

    def change(act: Act) -> Answering:
        async def changed(request: Request) -> Response:
            fields = await fields_of(request)
            hosted, token = await person(request, limits.changing)

            def checked(room: Room) -> None:
                hosted.member(token)
                act(room, token, fields)

            await hosted.change(checked)
            return done

        return changed

    async def plan(request: Request) -> Response:
        fields = await fields_of(request)
        wanted = plan_of(fields, players)
        await run_in_threadpool(_page, wanted.game)
        return await change(_ruling(lambda room, token, fields: room.change(wanted)))(request)

    return [  # moves are the most frequent requests, and routes are tried in turn
        *(Route(f"/tables/{{token}}/{name}", change(act), methods=["POST"]) for name, act in ACTS.items()),
        Route("/tables/{token}/state", state),
        Route("/tables/{token}/events", events),
        Route("/tables/{token}/replay", show_replay),
        Route("/tables/{token}/chances", chances),
        Route("/tables/{token}/hint", hint, methods=["POST"]),
        Route("/tables/{token}/move", move, methods=["POST"]),
        Route("/tables/{token}/plan", plan, methods=["POST"]),
    ]


@lru_cache(maxsize=32)
def _page(game: str) -> Response:
    """The page of a room where a game is played. Raises Refused without the drawing of a machine."""
    try:
        return html_response(table_page(game_class(game)))
    except DiagramError as error:
        raise Refused(str(error)) from None


def html_response(document: Document, status: int = 200) -> Response:
    """A page, with its policy."""
    policy = f"{document.policy}; frame-ancestors 'none'"
    return HTMLResponse(document.text, status, headers={"content-security-policy": policy})


# ---------------------------------------------------------------- what a person may ask for


def _at_table(room: Room, member: Member) -> tuple[Table, int]:
    """The table, and the seat of a person there. Raises Refused for who watches."""
    if room.table is None or member.seat is None:
        raise Refused("you watch, expected a seat at a table", HTTPStatus.FORBIDDEN)
    return room.table, member.seat


def _act(room: Room, token: str, fields: Fields) -> None:
    table, seat = _at_table(room, room.members[token])
    try:
        move = move_of_data(fields.get("move"))
    except ValueError as error:
        raise Refused(str(error)) from None
    table.act(seat, move, at=number(fields, "at"))


def _undo(room: Room, token: str, fields: Fields) -> None:
    table, seat = _at_table(room, room.members[token])
    table.undo(seat, at=number(fields, "at"))


def _play(room: Room, token: str, fields: Fields) -> None:
    check_fields(fields, PLAYS, Refused, required=("plays",), known=("plays",))
    room.play(token, fields["plays"])


def _ruling(act: Act) -> Act:
    """What only who rules the room may do."""

    def checked(room: Room, token: str, fields: Fields) -> None:
        room.check_rules(token)
        act(room, token, fields)

    return checked


def _remove(room: Room, token: str, fields: Fields) -> None:
    room.remove(number(fields, "number"))


ACTS: dict[str, Act] = {
    "act": _act,
    "undo": _undo,
    "ready": lambda room, token, fields: room.ready(token),
    "leave": lambda room, token, fields: room.leave(token),
    "come-back": lambda room, token, fields: room.come_back(token),
    "play": _play,
    "deal": _ruling(lambda room, token, fields: room.hurry()),
    "end": _ruling(lambda room, token, fields: room.end()),
    "remove": _ruling(_remove),
}
BOOLEAN = (bool, "true or false")
PLAYS: Types = {"plays": BOOLEAN}
PLAN = "game", "players", "computer", "target", "turn_seconds", "claim_seconds", "hints"
PLAN_FIELDS: Types = {"game": TEXT, "computer": TEXT, "hints": BOOLEAN}
OPENED_FIELDS: Types = {"name": TEXT, "ready": BOOLEAN}
ENTERED_FIELDS: Types = {"name": TEXT, "plays": BOOLEAN, "moved": TEXT}


def plan_of(fields: Fields, listed: Sequence[str] | None = ()) -> Plan:
    """What the fields of a request want to be played.

    listed: the names of players that may be chosen beside the policies of the game; None for the usual ones. Raises
    Refused.
    """
    check_fields(fields, PLAN_FIELDS, Refused, known=PLAN)
    try:
        kind = game_class(fields.get("game", DEFAULT))
        offered = [policy.name for policy in offered_players(kind, listed)]
        computer = fields.get("computer", offered[0])
        for name in computer.split(","):
            if name not in offered:
                raise Refused(f"unknown computer player {shown(name)}, expected one of {', '.join(offered)}")
        return Plan(
            game=fields.get("game", DEFAULT),
            players=number(fields, "players", max(kind.declaration.codec.fewest, PLAYERS)),
            computer=computer,
            hints=fields.get("hints", True),
            **{name: _optional(fields, name) for name in ("target", "turn_seconds", "claim_seconds")},
        )
    except ValueError as error:
        raise Refused(str(error)) from None


SEARCHED = 2
"""Hints that are searched for at once."""
PLAYERS = 3
"""The seats at a table, where a game allows so many and nothing is said about it."""


def _optional(fields: Fields, name: str) -> int | None:
    return None if fields.get(name) is None else number(fields, name)
