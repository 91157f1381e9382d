"""`maumau tournament`: players against each other, and their ratings."""

from __future__ import annotations

import csv
import json
import sys

from fsm.registry import game_class
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify
from maumau.study.tournament import play_tournament


def run(
    players: int | None,
    games: int,
    seed: int,
    policy: str,
    threads: int | None,
    output_format: str | None,
    as_json: bool,
    game: str,
) -> None:
    """Run `maumau tournament`."""
    kind = game_class(game)
    players = checked_players(kind, players)
    if not policy:
        raise BadInput("--policy: missing; name two or more policies")
    with refusing():
        played = play_tournament(kind, players, chosen_policies(policy), games, seed, threads, notify)
    if as_json or output_format == "json":
        print(json.dumps(played.record()))
    elif output_format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(played.rows())
    else:
        print("\n".join(played.lines()))
