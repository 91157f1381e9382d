"""`maumau deal`: games from a seed, as input lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from maumau.cli.failure import BadInput
from maumau.cli.formats import Command, Format, Use
from maumau.cli.matches import check_numbers, match_option
from maumau.cli.options import LARGEST, checked_players, chosen_game, game_option, seed_option

if TYPE_CHECKING:
    from fsm.stepping.game import Game

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
    kind = chosen_game(game)
    checked_players(kind, players)
    if is_match:
        _deal_matches(kind, players, seed, number, games)
        return
    if number + games > LARGEST + 1:
        raise BadInput(f"--games: {games} games from --number {number} on, expected numbers up to {LARGEST}")
    print(games)
    for index in range(number, number + games):
        print(kind.write(players, kind.deck_of(players, seed, index)))


def _deal_matches(kind: type[Game], players: int, seed: int, number: int, matches: int) -> None:
    """Print matches, each with all decks that it may need."""
    from fsm.match.reading import write_match
    from fsm.match.setup import DECKS, deck_number

    check_numbers(number, matches)
    print(matches)
    for match in range(number, number + matches):
        decks = [kind.deck_of(players, seed, deck_number(match, index)) for index in range(DECKS)]
        print(write_match(kind, players, decks))
