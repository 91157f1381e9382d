"""`maumau deal`: games from a seed, as input lines."""

from __future__ import annotations

import sys
from contextlib import suppress

from fsm.edge.errors import CompilationError
from maumau.cli.chosen import named_players
from maumau.cli.games import FEW, check_numbers, contest_of
from maumau.kernels.compiler.machine_code import why_no_compiler


def run(players: int | None, seed: int, number: int, games: int, is_match: bool, game: str) -> None:
    """Run `maumau deal`."""
    contest = contest_of(game, is_match)
    players = named_players(contest.kind, players)
    check_numbers(contest, number, games, "--games")
    print(games)
    if games > FEW and contest.is_plain_text and not why_no_compiler():
        from maumau.kernels.bulk.text import dealt_texts

        with suppress(CompilationError):
            for text in dealt_texts(contest.kind, players, seed, number, games):
                sys.stdout.flush()  # what was printed before, once the first games are there
                sys.stdout.buffer.write(text)
            return
    for index in range(number, number + games):
        print(contest.deal(players, seed, index))
