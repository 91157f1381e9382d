"""The requests of the pages to play on.

GET  /play                    the lobby
POST /tables                  open a table: game, seats, target, turn_seconds, claim_seconds; answered with its links
GET  /tables/TOKEN            the page of a table for the seat, or for watching, to which the link belongs
GET  /tables/TOKEN/state      what the seat sees: view, log, clock, here; since: the version up to which it is known
GET  /tables/TOKEN/events     the same, and every change of it, as server-sent events, whose ids are versions
POST /tables/TOKEN/act        a move: at (the version that it is about), move
POST /tables/TOKEN/undo       take back the last move: at
POST /tables/TOKEN/next       deal the next round now: at
POST /tables/TOKEN/hint       a move for the seat, its reason, and the values of the moves that were searched
POST /tables/TOKEN/leave      a computer player stands in
POST /tables/TOKEN/come-back  the person plays on
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from secrets import token_hex
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from fsm.edge.fields import TEXT, Types, check_fields
from fsm.registry import DEFAULT, game_class, names
from fsm.stepping.game import Game
from maumau.play.server.guard import Refused
from maumau.play.server.requests import number
from maumau.play.server.tables.hall import Hall
from maumau.play.server.tables.hosted import Pushes, since
from maumau.play.server.tables.store import Counts, Rates, client_of
from maumau.play.table import Computer, Person, Seat, Setup, Table
from maumau.play.table.hints import Searching
from maumau.play.table.view import move_of_data
from render.diagram import DiagramError
from render.page.document import Document
from render.page.play import lobby_page, table_page
from render.page.story import offered_players
from rules.notation import shown

Fields = Mapping[str, Any]
Answering = Callable[[Request], Awaitable[Response]]
Act = Callable[[Table, int, Fields], None]
BURST, RATE = 40.0, 10.0
"""Requests of a link at once, and in a second: of those that change the table, and of those that read it."""
OPENED, OPENING = 60.0, 1 / 30
"""Tables that one client may open at once, and in a second."""
OPENED_BY_ALL, OPENING_BY_ALL = 240.0, 4.0
STREAMS, STREAMS_BY_ALL = 100, 900
"""Pages of tables that one client, and all together, may have open at once; other requests still find connections."""
ALL = ""
"""In place of a client: all of them."""


class Limits:
    """What links and clients may still ask for. A client on this machine is bounded with all others only."""

    def __init__(self) -> None:
        self.changing, self.reading = Rates(BURST, RATE), Rates(BURST, RATE)
        self._opening, self._opening_by_all = Rates(OPENED, OPENING), Rates(OPENED_BY_ALL, OPENING_BY_ALL)
        self._streams, self._streams_by_all = Counts(STREAMS, "tables"), Counts(STREAMS_BY_ALL, "tables")

    def open_table(self, client: str | None) -> None:
        """Count a table that is opened. Raises Refused."""
        if client is not None:
            self._opening.take(client)
        self._opening_by_all.take(ALL)

    def check_stream(self, client: str | None) -> None:
        """Raises Refused if a client must not listen to another table."""
        if client is not None:
            self._streams.check(client)
        self._streams_by_all.check(ALL)

    @contextmanager
    def stream(self, client: str | None) -> Iterator[None]:
        """Count a client that listens to a table."""
        with self._streams.one(client or ALL), self._streams_by_all.one(ALL):
            yield


def table_routes(
    hall: Hall,
    fields_of: Callable[[Request], Awaitable[Fields]],
    answer: Callable[..., Response],
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
    search: Searching | None = None,
) -> list[Route]:
    """The routes of the pages to play on. first: the game that the lobby offers first. players: the names of those that
    may be chosen beside the policies of a game; None for the usual ones. search: for hints; without one they are those
    of the default policy.
    """
    limits = Limits()
    lobby = _html(lobby_page([game_class(name) for name in dict.fromkeys((first, *names()))], players))

    async def show_lobby(request: Request) -> Response:
        return lobby

    async def open_table(request: Request) -> Response:
        limits.open_table(client_of(request))
        setup = setup_of(await fields_of(request), players)
        await run_in_threadpool(_page, setup.game)
        hosted = hall.open(setup)
        links = {player: f"tables/{token}" for token, player in hosted.links.items()}
        all_seats = [links.get(player) for player in range(1, setup.players + 1)]
        return answer({"seats": all_seats, "watch": links[None]}, 201)

    async def show_table(request: Request) -> Response:
        hosted, _ = hall.find(request.path_params["token"])
        return await run_in_threadpool(_page, hosted.table.setup.game)

    async def state(request: Request) -> Response:
        hosted, seat = hall.find(request.path_params["token"])
        limits.reading.take(request.path_params["token"])
        return answer(hosted.whole(seat, since(request)))

    async def events(request: Request) -> Any:
        token, client = request.path_params["token"], client_of(request)
        hosted, seat = hall.find(token)
        limits.reading.take(token)
        limits.check_stream(client)
        hosted.check_room(seat)
        return Pushes(lambda: hall.find(token), since(request), limits.stream(client))

    async def hint(request: Request) -> Response:
        token = request.path_params["token"]
        hosted, seat = hall.find(token)
        limits.changing.take(token)
        asking = hosted.table.hinting(_seated(seat), search)
        return answer(await run_in_threadpool(asking))

    def change(act: Act) -> Answering:
        async def changed(request: Request) -> Response:
            fields, token = await fields_of(request), request.path_params["token"]
            hosted, player = hall.find(token)
            limits.changing.take(token)
            seat = _seated(player)
            await hosted.change(lambda table: act(table, seat, fields))
            return answer({"version": hosted.table.version(seat)})

        return changed

    acts = {"act": _act, "undo": _undo, "next": _next, "leave": _leave, "come-back": _come_back}
    return [
        Route("/play", show_lobby),
        Route("/tables", open_table, methods=["POST"]),
        Route("/tables/{token}", show_table),
        Route("/tables/{token}/state", state),
        Route("/tables/{token}/events", events),
        Route("/tables/{token}/hint", hint, methods=["POST"]),
        *(Route(f"/tables/{{token}}/{name}", change(act), methods=["POST"]) for name, act in acts.items()),
    ]


@lru_cache(maxsize=32)
def _page(game: str) -> Response:
    """The page of a table. Raises Refused without the drawing of a machine."""
    try:
        return _html(table_page(game_class(game)))
    except DiagramError as error:
        raise Refused(str(error)) from None


def _html(document: Document) -> HTMLResponse:
    policy = f"{document.policy}; frame-ancestors 'none'"
    return HTMLResponse(document.text, headers={"content-security-policy": policy})


# ---------------------------------------------------------------- what a seat may ask for


def _seated(seat: int | None) -> int:
    """The player of a link. Raises Refused for who watches."""
    if seat is None:
        raise Refused("this link is for watching, expected that of a seat", HTTPStatus.FORBIDDEN)
    return seat


def _act(table: Table, seat: int, fields: Fields) -> None:
    try:
        move = move_of_data(fields.get("move"))
    except ValueError as error:
        raise Refused(str(error)) from None
    table.act(seat, move, at=number(fields, "at"))


def _undo(table: Table, seat: int, fields: Fields) -> None:
    table.undo(seat, at=number(fields, "at"))


def _next(table: Table, seat: int, fields: Fields) -> None:
    if table.state == "round over" and number(fields, "at") == table.version(seat):
        table.advance()


def _leave(table: Table, seat: int, fields: Fields) -> None:
    table.leave(seat)


def _come_back(table: Table, seat: int, fields: Fields) -> None:
    table.come_back(seat)


FIELDS = "claim_seconds", "game", "seats", "target", "turn_seconds"
SEAT = (dict, '{"person": NAME} or {"computer": POLICY}', {"person": TEXT, "computer": TEXT})
FIELDS_OPENED: Types = {"game": TEXT, "seats": (list, "a list of seats", "seat", *SEAT)}


def setup_of(fields: Mapping[str, Any], listed: Sequence[str] | None = ()) -> Setup:
    """The table that the fields of a request describe; its cards come from a secret that is made now.

    listed: the names of players that may be chosen beside the policies of the game; None for the usual ones. Raises
    Refused.
    """
    check_fields(fields, FIELDS_OPENED, Refused, required=("seats",), known=FIELDS)
    try:
        game = fields.get("game", DEFAULT)
        kind = game_class(game)
        seats = tuple(_seat(kind, data, listed) for data in fields["seats"])
        return Setup(
            game=game,
            seats=seats,
            key=token_hex(16),
            target=_optional(fields, "target"),
            turn_seconds=_optional(fields, "turn_seconds"),
            claim_seconds=_optional(fields, "claim_seconds"),
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def _seat(kind: type[Game], data: Any, listed: Sequence[str] | None) -> Seat:
    """The seat of `{"person": NAME}` or `{"computer": POLICY}`. Raises Refused."""
    if list(data) not in (["person"], ["computer"]):
        raise Refused(f"seat {shown(data)}, expected {SEAT[1]}")
    if "person" in data:
        return Person(data["person"])
    offered = [policy.name for policy in offered_players(kind, listed)]
    policy = data["computer"]
    if policy not in offered:
        raise Refused(f"unknown computer player {shown(policy)}, expected one of {', '.join(offered)}")
    return Computer(policy)


def _optional(fields: Mapping[str, Any], name: str) -> int | None:
    return None if fields.get(name) is None else number(fields, name)
