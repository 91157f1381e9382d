"""The requests of the pages to play on.

GET  /play                    the lobby
POST /tables                  open a table: game, seats, target, turn_seconds, claim_seconds; answered with its links
GET  /tables/TOKEN            the page of a table for the seat, or for watching, to which the link belongs
GET  /tables/TOKEN/state      what the seat sees: view, log, clock, here; since: the number of the last known entry
GET  /tables/TOKEN/events     the same, and every change of it, as server-sent events
POST /tables/TOKEN/act        a move: at (the version that it is about), move
POST /tables/TOKEN/undo       take back the last move: at
POST /tables/TOKEN/next       deal the next round now: at
POST /tables/TOKEN/hint       a move for the seat, and its reason
POST /tables/TOKEN/leave      a computer player stands in
POST /tables/TOKEN/come-back  the person plays on
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import play
from fsm.registry import DEFAULT, game_class, names
from play import Table
from play.question import move_of_data
from render.diagram import DiagramError
from render.live.errors import Forbidden, Illegal, Outdated, Refused, TooMany
from render.live.requests import number
from render.live.tables.hall import Hall
from render.live.tables.requests import setup_of
from render.live.tables.stream import Pushes, since
from render.page.document import Document
from render.page.play import lobby_page, table_page

Fields = Mapping[str, Any]
Answering = Callable[[Request], Awaitable[Response]]
Act = Callable[[Table, int, Fields], Any]
BURST, RATE = 40.0, 10.0
"""Changes that a seat may ask for at once, and in a second."""
OPENED, OPENING = 60.0, 2.0
"""Tables that may be opened at once, and in a second."""


def table_routes(
    hall: Hall,
    fields_of: Callable[[Request], Awaitable[Fields]],
    answer: Callable[..., Response],
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
) -> list[Route]:
    """The routes of the pages to play on. first: the game that the lobby offers first. players: the names of those that
    may be chosen beside the policies of a game; None for the usual ones.
    """
    seats, opening = Rates(BURST, RATE), Rates(OPENED, OPENING)
    lobby = _html(lobby_page([game_class(name) for name in dict.fromkeys((first, *names()))], players))

    async def show_lobby(request: Request) -> Response:
        return lobby

    async def open_table(request: Request) -> Response:
        opening.take("")
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
        return answer(hosted.whole(seat, since(request)))

    async def events(request: Request) -> Any:
        hosted, seat = hall.find(request.path_params["token"])
        return Pushes(hosted, seat, since(request))

    def change(act: Act) -> Answering:
        async def changed(request: Request) -> Response:
            token = request.path_params["token"]
            hosted, seat = hall.find(token)
            seats.take(token)
            if seat is None:
                raise Forbidden("this link is for watching, expected that of a seat")
            fields = await fields_of(request)
            found = await hosted.change(lambda table: refusing(act, table, seat, fields))
            return answer(found if found is not None else {"version": hosted.table.version(seat)})

        return changed

    acts = {"act": _act, "undo": _undo, "next": _next, "hint": _hint, "leave": _leave, "come-back": _come_back}
    return [
        Route("/play", show_lobby),
        Route("/tables", open_table, methods=["POST"]),
        Route("/tables/{token}", show_table),
        Route("/tables/{token}/state", state),
        Route("/tables/{token}/events", events),
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


def refusing(act: Act, table: Table, seat: int, fields: Fields) -> Any:
    """What a change returns. Raises Refused with the status of the answer."""
    try:
        return act(table, seat, fields)
    except play.Stale as error:
        raise Outdated(str(error)) from None
    except play.NotAsked as error:
        raise Forbidden(str(error)) from None
    except play.Refused as error:
        raise Illegal(str(error)) from None


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


def _hint(table: Table, seat: int, fields: Fields) -> dict[str, Any]:
    return table.hint(seat)


def _leave(table: Table, seat: int, fields: Fields) -> None:
    table.leave(seat)


def _come_back(table: Table, seat: int, fields: Fields) -> None:
    table.come_back(seat)


class Rates:
    """How much each of many may still do: so much at once, and so much more in a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Raises TooMany if nothing is left."""
        now = self._clock()
        before, left = self._left.pop(who, (now, self._burst))
        left = min(self._burst, left + (now - before) * self._rate)
        self._left[who] = now, max(left - 1, 0)
        if len(self._left) > 10_000:
            self._left.popitem(last=False)
        if left < 1:
            raise TooMany("too many requests, expected fewer: wait a second")
