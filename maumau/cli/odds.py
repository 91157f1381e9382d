"""`maumau odds`: how often the player who acts wins after each legal move of a position."""

from __future__ import annotations

import json

from fsm.registry import game_class
from maumau.agents.odds import OddsTable
from maumau.cli.chosen import chosen_policies, refusing
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify
from rules.errors import raised_as


def run(position: str, games: int, seed: int, policy: str, as_json: bool, game: str) -> None:
    """Run `maumau odds`."""
    kind = game_class(game)
    with raised_as(BadInput, "", ValueError):  # whose message says that it is about the position
        at = kind.at(position)
    with refusing():
        policies = [each.name for each in kind.declaration.seated(at.players, chosen_policies(policy), compiled=True)]
    with refusing("POSITION"):
        found = OddsTable.play_out(at, games, policies, seed, notify)
    print(json.dumps(found.record(), ensure_ascii=False) if as_json else "\n".join(found.lines()))
