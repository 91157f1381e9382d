"""`maumau serve`: play games in the browser."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import click

from maumau.cli.interrupt import BadInput, CannotWrite
from maumau.cli.options import OTHER_PLAYERS, chosen_game, chosen_policies, game_option

HELP = """Serve pages for playing games until Ctrl-C, on this machine only unless --host is given.

The page at /play opens tables: you sit at a seat, other people and computer players at the others, and each seat
has a link of its own. The tables are kept in a file, so they are there again after a restart at the same port.

The page at / steps a game with all hands open: it offers all registered games, the one of --game first. A game starts
from a seed, a pasted deck or a position. Every legal event is a button; for every other event the page shows why it is
refused.

\b
Examples:
  maumau serve --port 8000 --open
  maumau serve --game my_game.py:MyGame
  maumau serve --players search:1000,my_player.py:choose
  maumau serve --host 192.168.1.5
  maumau serve --origin https://cards.example
"""


@click.command(help=HELP)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 for any free one."
)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--players",
    metavar="NAME[,NAME...]",
    help=f"Players that the pages offer beside the policies of a game: {OTHER_PLAYERS}. "
    "[default: search:10,search:1000,net where it can play]",
)
@click.option(
    "--tables",
    metavar="FILE",
    help="The file in which tables are kept, or 'memory'; by default one for the port in the user's state folder, and "
    "memory for port 0.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Listen at this IP address of the machine, for people at others. Without TLS: see the documentation. "
    "[default: 127.0.0.1]",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="An address by which browsers reach the server besides, through a proxy with TLS: https://cards.example.",
)
@game_option
def serve(
    port: int,
    show: bool,
    players: str | None,
    tables: str | None,
    host: str | None,
    origins: tuple[str, ...],
    game: str,
) -> None:
    """Run `maumau serve`."""
    from maumau.play.server.address import LOOPBACK, AddressError, checked_host, checked_origin
    from maumau.play.server.server import WebMissing
    from maumau.play.server.server import serve as serve_until_interrupted
    from maumau.play.server.tables.store import NotWritable, StoreError
    from render.diagram import DiagramError

    def ready(address: str) -> None:
        print(f"maumau: {address} (tables to play at: {address}play; Ctrl-C ends it)", file=sys.stderr, flush=True)
        if show:
            import webbrowser

            webbrowser.open(address)

    try:
        named = [checked_origin(origin) for origin in origins]
        at = LOOPBACK if host is None else checked_host(host, named)
        serve_until_interrupted(port, ready, game, _offered(game, players), _file(tables, port), at, named)
    except (AddressError, WebMissing, DiagramError) as error:
        raise BadInput(str(error)) from None
    except NotWritable as error:
        raise CannotWrite(f"--tables: {error}") from None
    except StoreError as error:
        raise BadInput(f"--tables: {error}") from None
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadInput(f"--host: {host}: {reason}, expected an address of this machine") from None
        raise BadInput(f"--port: {port}: {reason}, expected a free port") from None
    except KeyboardInterrupt:
        return


def _file(tables: str | None, port: int) -> Path | None:
    """The file of the tables; None for memory."""
    from maumau.play.server.tables.store import default_file

    if tables == "memory" or (tables is None and port == 0):
        return None
    return default_file(port) if tables is None else Path(tables)


def _offered(game: str, players: str | None) -> list[str] | None:
    """The players of the option. Raises BadInput for one that cannot play the game that is offered first."""
    if players is None:
        return None
    names = chosen_policies(players, "--players")
    try:
        for name in names:
            chosen_game(game).declaration.policy(name)
    except ValueError as error:
        raise BadInput(f"--players: {error}") from None
    return names
