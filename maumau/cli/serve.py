"""`maumau serve`: play games in the browser."""

from __future__ import annotations

import errno
import os
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsm.registry import game_class
from maumau.cli.chosen import chosen_policies, refusing
from maumau.cli.interrupt import BadInput, one_line
from maumau.cli.output import print_message
from maumau.play.server.guard import ServerAddress

CLONE = Path(__file__).parents[2]
EXAMPLES, SETUP = CLONE / "examples", CLONE / "setup.cfg"
"""The examples of a clone, and a file by which it is one: an installed package has neither beside it."""

if TYPE_CHECKING:
    from fsm.stepping.game import Game
    from maumau.play.server.tables.hall import Hall


def run(
    port: int,
    show: bool,
    others: str | None,
    folder: str | None,
    tables: str | None,
    host: str | None,
    origins: tuple[str, ...],
    game: str,
) -> None:
    """Run `maumau serve`."""

    def ready(address: str, hall: Hall) -> None:
        print_message(f"{address} ({reach}machines to step: {address}step; Ctrl-C ends it)")
        if show:
            webbrowser.open(address)

    at = ServerAddress.of(host, origins)
    reach = "on this machine only, maumau party lets others in; " if at.is_local else ""
    serving(ready, port, others, folder, tables, at, game)


def serving(
    ready: Callable[[str, Hall], None],
    port: int,
    others: str | None,
    folder: str | None,
    tables: str | None,
    at: ServerAddress,
    game: str,
) -> None:
    """Serve until interrupted. Raises BadInput. ready, at: as `maumau.play.server.app.serve` has them; the rest is that
    of the options.
    """
    from maumau.play.server.app import serve

    more = _games_of(folder, game)
    try:
        serve(port, ready, at, game, _offered(game, others), tables, more)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadInput(f"--host: {at.host}: {reason}; use an address of this machine") from None
        raise BadInput(f"--port: {port}: {reason}; use a free port") from None
    except KeyboardInterrupt:
        return


def _games_of(folder: str | None, game: str) -> Sequence[type[Game]]:
    """The games of a folder, or of the examples in a clone, besides the one that is offered first. Raises BadInput for
    a folder without games, or with a game at fault; a warning reports one of the examples, which is left out.
    """
    from fsm.outside import games_of_folder
    from render.page.play import lobby_page

    if folder is None and not (SETUP.is_file() and EXAMPLES.is_dir()):
        return ()

    def check(kind: type[Game]) -> None:
        lobby_page([kind])

    kind = game_class(game)
    first = (kind.plain or kind).declaration.name
    with refusing("--more-games"):
        if folder is None:
            return games_of_folder(
                EXAMPLES,
                first,
                check,
                leave_out=lambda error: print_message(f"{one_line(str(error))}; this game is left out"),
            )
        games = games_of_folder(Path(folder), first, check)
    if not games:
        raise BadInput(f"--more-games: {folder}: no class is called as its file; use CrazyEights in crazy_eights.py")
    return games


def _offered(game: str, others: str | None) -> list[str] | None:
    """The players of the option. Raises BadInput for one that cannot play the game that is offered first."""
    if others is None:
        return None
    names = chosen_policies(others, "--others")
    with refusing("--others"):
        for name in names:
            game_class(game).declaration.policy(name)
    return names
