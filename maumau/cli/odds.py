"""`maumau odds`: how often the player who acts wins after each legal move of a position."""

from __future__ import annotations

import json

from fsm.registry import game_class
from maumau.agents.odds import OddsTable
from maumau.cli.chosen import chosen_policies, game_at, refusing
from maumau.cli.output import notify


def run(position: str, games: int, seed: int, policy: str, as_json: bool, game: str) -> None:
    """Run `maumau odds`."""
    kind = game_class(game)
    with refusing("POSITION"):
        at = game_at(kind, position)
    with refusing():
        policies = [each.name for each in kind.declaration.seated(at.players, chosen_policies(policy), compiled=True)]
    with refusing("POSITION"):
        found = OddsTable.play_out(at, games, policies, seed, notify)
    print(json.dumps(found.record(), ensure_ascii=False) if as_json else "\n".join(found.lines()))
