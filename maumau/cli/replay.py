"""`maumau replay`: a game as an HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from maumau.cli.games import contest_of, played_game
from maumau.cli.interrupt import BadInput
from maumau.cli.output import STANDARD_OUTPUT, write_output
from render.page import replay


def run(
    file: str,
    game_index: int,
    output: str,
    show: bool,
    policy: str,
    seed: int,
    number: int,
    is_match: bool,
    target: int | None,
    game: str,
) -> None:
    """Run `maumau replay`."""
    contest = contest_of(game, is_match, target)
    if show and output == STANDARD_OUTPUT:
        raise BadInput("--open: expected a file to open (-o PAGE)")
    name = "standard input" if file == "-" else Path(file).name
    played = played_game(contest, file, game_index, policy, seed, number)
    page = replay(played, f"{contest.one} {game_index} of {name}")
    write_output(output, page)
    if show:
        webbrowser.open(Path(output).resolve().as_uri())
