"""`maumau dataset`: the decisions of players, as a file for learners."""

from __future__ import annotations

import os
from pathlib import Path

from fsm.registry import game_class
from maumau.agents.datasets import CARD, write_dataset, writer_of
from maumau.cli.chosen import check_seats, checked_players, chosen_policies, refusing
from maumau.cli.interrupt import CannotWrite, one_line
from maumau.cli.output import check_output, report_written, writing
from rules.notation import many


def run(
    players: int | None,
    games: int,
    seed: int,
    number: int,
    policy: str,
    rewards: str | None,
    output: str,
    game: str,
) -> None:
    """Run `maumau dataset`."""
    with refusing("--output"):
        replaces = writer_of(Path(output)).replaces
    output = str(Path(output))  # a folder may be named with a slash
    if not replaces and os.path.lexists(output):
        raise CannotWrite(f"{one_line(output)}: exists already; name a folder that does not exist")
    for file in (output, f"{output}{CARD}"):
        check_output(file)
    kind = game_class(game)
    players, policies = checked_players(kind, players), chosen_policies(policy)
    check_seats(kind, {players}, policies, compiled=False)
    with writing(output), refusing("maumau dataset"):
        card = write_dataset(output, kind, players, games, policies=policies, seed=seed, first=number, rewards=rewards)
    for file in (output, f"{output}{CARD}"):
        report_written(file)
    cut = f", of which {card.truncated:,} were broken off" if card.truncated else ""
    print(f"{output}: {many(card.rows, 'decision')} of {many(games, 'game')}{cut}")
