"""`maumau deal`: games from a seed, as input lines."""

from __future__ import annotations

import click

from maumau.cli.games import check_numbers, contest_of, match_option
from maumau.cli.interrupt import BadInput
from maumau.cli.options import LARGEST, Command, Format, Use, checked_players, game_option, seed_option

HELP = """Print the dealt games of a seed as input for simulate.

Game NUMBER of SEED is always the same deck, on every machine. A match has 1024 decks: those of the games from 1024
times its number on.

\b
Example:
  maumau deal --players 3 --seed 7 --games 5 | maumau simulate
"""
DEALT = "--players COUNT --seed SEED --number NUMBER --games GAMES"
USES = (Use(DEALT, writes=Format.DECKS), Use(f"--match {DEALT}", writes=Format.MATCH_DECKS))


@click.command(cls=Command, help=HELP, uses=USES)
@click.option("--players", type=int, required=True, help="Players in each game.")
@seed_option
@click.option("--number", type=click.IntRange(0, LARGEST), default=0, help="The number of the first game, from 0.")
@click.option(
    "--games", type=click.IntRange(0), default=1, show_default=True, help="The number of games, or of matches."
)
@match_option
@game_option
def deal(players: int, seed: int, number: int, games: int, is_match: bool, game: str) -> None:
    """Run `maumau deal`."""
    contest = contest_of(game, is_match)
    checked_players(contest.kind, players)
    if is_match:
        check_numbers(contest, number, games)
    elif number + games > contest.numbers:
        raise BadInput(f"--games: {games} games from --number {number} on, expected numbers up to {LARGEST}")
    print(games)
    for index in range(number, number + games):
        print(contest.write(players, contest.deck_of(players, seed, index)))
