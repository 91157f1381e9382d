"""`maumau replay`: a game as an HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from maumau.cli.games import (
    contest_of,
    index_option,
    match_option,
    number_option,
    played_game,
    target_mode,
    target_option,
)
from maumau.cli.interrupt import BadInput
from maumau.cli.modes import modes
from maumau.cli.options import Command, Format, Use, game_option, policy_option, seed_option
from maumau.cli.output import STANDARD_OUTPUT, write_output

HELP = """Write an HTML page that steps through a game of FILE: the machine, the table and the reasons.

FILE contains games in the problem's format, or records as simulate --json prints them. The page is a single file and
needs no network.

\b
Examples:
  maumau replay games.txt --game-index 2 -o replay.html --open
  maumau deal --game uno --players 4 --seed 7 | maumau replay --game uno -
  maumau simulate --json games.txt | maumau replay -
  maumau deal --match --seed 7 | maumau replay --match -
"""
PLAYED = "--policy SEATS --seed SEED --number NUMBER"
USES = (
    Use(f"{PLAYED} -o OUT IN", Format.DECKS, Format.PAGES),
    Use("-o OUT IN", Format.RECORDS, Format.PAGES),
    Use(f"--match --target TARGET {PLAYED} -o OUT IN", Format.MATCH_DECKS, Format.MATCH_PAGES),
    Use("--match -o OUT IN", Format.MATCH_RECORDS, Format.MATCH_PAGES),
)


@click.command(cls=Command, help=HELP, uses=USES)
@modes(target_mode)
@click.argument("file", default="-", metavar="[FILE|-]")
@index_option
@click.option(
    "--output",
    "-o",
    default="replay.html",
    show_default=True,
    metavar="PAGE",
    help="Where to write; - is standard output.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@policy_option
@seed_option
@number_option
@match_option
@target_option
@game_option
def replay(
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
    from render.page import replay as page_of

    contest = contest_of(game, is_match, target)
    if show and output == STANDARD_OUTPUT:
        raise BadInput("--open: expected a file to open (-o PAGE)")
    name = "standard input" if file == "-" else Path(file).name
    played = played_game(contest, file, game_index, policy, seed, number)
    page = page_of(played, f"{contest.one} {game_index} of {name}")
    write_output(output, page)
    if show:
        import webbrowser

        webbrowser.open(Path(output).resolve().as_uri())
