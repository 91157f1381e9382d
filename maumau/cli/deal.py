"""`maumau deal`: games from a seed, as input lines."""

from __future__ import annotations

from maumau.cli.chosen import checked_players
from maumau.cli.games import check_numbers, contest_of
from maumau.cli.interrupt import BadInput
from maumau.cli.options import LARGEST


def run(players: int, seed: int, number: int, games: int, is_match: bool, game: str) -> None:
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
