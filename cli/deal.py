"""`maumau deal`: games from a seed, as input lines."""

from __future__ import annotations

import click

from cli.failure import BadInput
from cli.options import LARGEST, checked_players, chosen_game, game_option, seed_option

HELP = """Print the dealt games of a seed as input for simulate.

Game NUMBER of SEED is always the same deck, on every machine.

\b
Example:
  maumau deal --players 3 --seed 7 --games 5 | maumau simulate
"""


@click.command(help=HELP)
@click.option("--players", type=int, required=True, help="Players in each game.")
@seed_option
@click.option("--number", type=click.IntRange(0, LARGEST), default=0, help="The number of the first game, from 0.")
@click.option("--games", type=click.IntRange(0), default=1, show_default=True, help="The number of games.")
@game_option
def deal(players: int, seed: int, number: int, games: int, game: str) -> None:
    """Run `maumau deal`."""
    kind = chosen_game(game)
    checked_players(kind, players)
    if number + games > LARGEST + 1:
        raise BadInput(f"--games: {games} games from --number {number} on, expected numbers up to {LARGEST}")
    print(games)
    for place in range(number, number + games):
        print(kind.write(players, kind.deck_of(players, seed, place)))
