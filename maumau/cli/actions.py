"""`maumau actions`: the numbered actions of a game, and the fields of an observation."""

from __future__ import annotations

import json

from fsm.registry import game_class
from maumau.agents.catalogue import Catalogue
from maumau.cli.chosen import checked_players, refusing


def run(players: int | None, as_json: bool, game: str) -> None:
    """Run `maumau actions`."""
    kind = game_class(game)
    players = checked_players(kind, players)
    with refusing("maumau actions"):
        found = Catalogue(kind.declaration, players)
    print(json.dumps(found.record(), ensure_ascii=False) if as_json else "\n".join(found.lines()))
