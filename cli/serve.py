"""`maumau serve`: play games in the browser."""

from __future__ import annotations

import os
import sys

import click

from cli.failure import BadInput
from cli.options import game_option

HELP = """Serve a page for playing games, on this machine only, until Ctrl-C.

The page offers all registered games, the one of --game first. A game starts from a seed, a pasted deck or a
position. Every legal event is a button; for every other event the page shows why it is refused.

\b
Examples:
  maumau serve --port 8000 --open
  maumau serve --game my_game.py:MyGame
"""


@click.command(help=HELP)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 for any free one."
)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@game_option
def serve(port: int, show: bool, game: str) -> None:
    """Run `maumau serve`."""
    from render.diagram import DiagramError
    from render.live.server import WebMissing
    from render.live.server import serve as serve_until_interrupted

    def ready(address: str) -> None:
        print(f"maumau: {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if show:
            import webbrowser

            webbrowser.open(address)

    try:
        serve_until_interrupted(port, ready, game)
    except (WebMissing, DiagramError) as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise BadInput(f"--port: {port}: {reason}, expected a free port") from None
    except KeyboardInterrupt:
        return
