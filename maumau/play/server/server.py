"""The server itself: uvicorn on the loopback address, or on another one that was asked for."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import uvicorn

from fsm.registry import DEFAULT
from maumau.play.server.address import LOOPBACK, listening_at, origins_at, url_of
from maumau.play.server.app import application
from maumau.play.server.guard import LARGEST_HEAD, Connection
from maumau.play.server.tables.hall import Hall
from maumau.play.server.tables.store import Store
from maumau.play.table.hints import background_search

COLLECTING = 20_000, 50, 100
"""Thresholds of the garbage collector by generation: each collection traverses hundreds of games with their histories,
which took up to a quarter of the server's time, and next to nothing in them is garbage that counting does not free.
"""

IDLE = 60
"""Seconds from an answer until the next request, after which a connection is closed."""


def serve(
    port: int,
    ready: Callable[[str], None],
    first: str = DEFAULT,
    players: Sequence[str] | None = (),
    tables: Path | None = None,
    host: str = LOOPBACK,
    origins: Sequence[str] = (),
) -> None:
    """Serve until interrupted. port: 0 for any that is free. ready: called with the address when the server
    accepts connections. first: the game that the page offers first. players: the names of those that may be chosen
    beside the policies of a game; None for the usual ones. tables: the file in which the tables are kept; None for
    memory. host, origins: the address to listen on, and those by which browsers reach it besides (see
    `maumau.play.server.address`).

    Raises DiagramError, OSError for a port that cannot be had, and StoreError for the file.
    """
    with closing(Store(tables)) as store, closing(listening_at(host, port)) as listening:
        bound = listening.getsockname()[1]
        names = origins_at(host, bound, origins)
        config = uvicorn.Config(
            application(bound, None, first, players, Hall(store), names, background_search),
            http=Connection,
            ws="none",
            log_level="critical",  # clients get their errors in answers; the guard logs faults
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            timeout_keep_alive=IDLE,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            timeout_graceful_shutdown=1,
        )
        logging.getLogger("asyncio").addFilter(_is_ours)
        gc.freeze()
        gc.set_threshold(*COLLECTING)
        ready(url_of(host, bound))
        uvicorn.Server(config).run(sockets=[listening])


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a message is about this program, not about a client that breaks off or sends no HTTP."""
    return not record.getMessage().startswith("Fatal error")
