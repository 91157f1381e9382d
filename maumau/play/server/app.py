"""The application of the server: the page, and the requests of a page while a game is played.

GET    /step                the page
POST   /games               begin one: game, and players, seed, number, or deck, or position; policies;
                            game may name house rules: maumau+five-each; rules: as a link has them, to be compared
GET    /games/ID            the whole game
DELETE /games/ID            remove it
POST   /games/ID/events     fire an event: version, trigger, card, suit, seat, rank, amount, answer
POST   /games/ID/steps      fire the events that are forced or that the policies choose: version, count
POST   /games/ID/undo       take back the last events: version, count

The first two answer with the whole game, as `id`, `story` and `now`; the others with what is new, as `words`, `steps`
and `now`.
The requests of the pages to play on are those of `maumau.play.server.tables.routes`.
Errors are answered with a status of 4xx, or 503 where there is no room, and their message as `error`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fsm.registry import DEFAULT, game_class, names
from fsm.stepping.game import Game
from maumau.play.server.answers import HANDLERS, fields_of, html_response, json_response
from maumau.play.server.games import Answer, Games, LiveGame
from maumau.play.server.guard import (
    LARGEST_BODY,
    LARGEST_HEAD,
    App,
    BadRequest,
    Connection,
    Guard,
    ServerAddress,
    Socket,
    listening_at,
    origins_at,
    url_of,
)
from maumau.play.server.requests import create_game, move, number
from maumau.play.server.tables.hall import Hall
from maumau.play.server.tables.routes import table_routes
from maumau.play.server.tables.store import Store, file_of
from maumau.play.table.hints import Searching, background_search
from render.diagram import DiagramError
from render.page.document import live_document

Act = Callable[[LiveGame, Mapping[str, Any]], Answer]
COMPUTING = 2
"""Requests that wait for players who are computed in Python at once."""


def application(
    port: int,
    games: Games | None = None,
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
    hall: Hall | None = None,
    origins: Sequence[str] = (),
    search: Searching | None = None,
    more: Sequence[type[Game]] = (),
) -> App:
    """The application for the loopback address and `port`. first: the game that the pages offer first. more: games that
    the lobby offers after those of the package, and the page to step does not. players: the names of those that may be
    chosen beside the policies of a game; None for the usual ones. hall: the rooms; without one they are in memory.
    origins: the addresses by which browsers reach it, beside the loopback one. search: for hints at tables; without one
    they are those of the default policy.

    Raises DiagramError without the drawings of the machines.
    """
    held = Games() if games is None else games

    async def begin(request: Request) -> Response:
        fields = await fields_of(request)
        live = held.begin(create_game(fields, players), _heading(fields))
        try:
            return json_response(await run_in_threadpool(live.everything), 201)
        except (DiagramError, BadRequest) as error:
            held.end(live.name)
            raise BadRequest(str(error)) from None

    computing = asyncio.Semaphore(COMPUTING)

    async def answered(live: LiveGame, find: Callable[[], Answer]) -> Response:
        """What is found out about a game: in a thread where it may take long, also to wait for that."""

        def answer() -> Response:
            with live.lock:
                return json_response(find())

        if not live.may_be_slow:
            return answer()
        async with computing:
            return await run_in_threadpool(answer)

    async def state(request: Request) -> Response:
        live = held.find(request.path_params["name"])
        return await answered(live, live.everything)

    async def end(request: Request) -> Response:
        held.end(request.path_params["name"])
        return Response(status_code=204)

    def change(act: Act) -> Callable[[Request], Any]:
        async def changed(request: Request) -> Response:
            fields = await fields_of(request)
            live = held.find(request.path_params["name"])
            return await answered(live, lambda: act(live, fields))

        return changed

    further = [kind for kind in more if kind is not game_class(first)]
    kinds = [kind for name in dict.fromkeys((first, *names())) if (kind := game_class(name)) not in further]
    routes = [
        *table_routes(Hall() if hall is None else hall, kinds, further, players, search, origins),
        Route("/step", _page(kinds, players), methods=["GET"]),
        Route("/games", begin, methods=["POST"]),
        Route("/games/{name}", state),
        Route("/games/{name}", end, methods=["DELETE"]),
        *(Route(f"/games/{{name}}/{what}", change(act), methods=["POST"]) for what, act in ACTS.items()),
    ]
    return Guard(Starlette(routes=routes, exception_handlers=HANDLERS), port, origins)


def _page(kinds: Sequence[type[Game]], players: Sequence[str] | None) -> Response:
    """The page with what it must know before a game is chosen, of all that it offers."""
    return html_response(live_document(kinds, players))


ACTS: dict[str, Act] = {
    "events": lambda live, fields: live.fire(number(fields, "version"), move(fields)),
    "steps": lambda live, fields: live.step(number(fields, "version"), number(fields, "count", 1)),
    "undo": lambda live, fields: live.undo(number(fields, "version"), number(fields, "count", 1)),
}


def _heading(fields: Mapping[str, Any]) -> str:
    """Where a game is from, in words."""
    if fields.get("position") is not None:
        return "from a position"
    if fields.get("deck") is not None:
        return "from a deck"
    return f"game {number(fields, 'number', 0)} of seed {number(fields, 'seed', 0)}"


# ---------------------------------------------------------------- the server itself

IDLE = 60
"""Seconds from an answer until the next request, after which a connection is closed."""


PING = 20.0
"""Seconds from one ping of a socket to the next, and until it is closed if there is no answer."""


def configured(app: App) -> uvicorn.Config:
    """How uvicorn serves an application."""
    return uvicorn.Config(
        app,
        http=Connection,
        ws=Socket,
        ws_max_size=LARGEST_BODY,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        log_level="critical",  # clients get their errors in answers; the guard logs faults
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        timeout_keep_alive=IDLE,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_graceful_shutdown=1,
    )


def serve(
    port: int,
    ready: Callable[[str, Hall], None],
    at: ServerAddress,
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
    tables: str | None = "memory",
    more: Sequence[type[Game]] = (),
) -> None:
    """Serve until interrupted. port: 0 for any that is free. ready: called with the address, and the rooms, when the
    server accepts connections. more: games that the lobby offers as well. first: the game that the pages offer first.
    players: the names of those that may be chosen beside the policies of a game; None for the usual ones. tables: where
    the rooms are kept, as of `file_of`. at: the address to listen on, and those by which
    browsers also reach it.

    Raises DiagramError, OSError for a port that cannot be had, and StoreError for the file.
    """
    with closing(Store(file_of(tables, port))) as store, closing(listening_at(at.host, port)) as listening:
        bound = listening.getsockname()[1]
        names, hall = origins_at(at.host, bound, at.origins), Hall(store)
        config = configured(application(bound, None, first, players, hall, names, background_search, more))
        # of what asyncio logs as fatal the client is the cause, which breaks off or sends no HTTP
        logging.getLogger("asyncio").addFilter(lambda record: not record.getMessage().startswith("Fatal error"))
        ready(url_of(at.host, bound), hall)
        uvicorn.Server(config).run(sockets=[listening])
