"""`maumau actions`: the numbered actions of a game, and the fields of an observation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fsm.registry import game_class
from maumau.agents.actions import ActionSpace, UnsupportedGame, action_space
from maumau.agents.layout import ObservationLayout, layout
from maumau.cli.chosen import checked_players, refusing


def run(players: int | None, as_json: bool, game: str) -> None:
    """Run `maumau actions`."""
    kind = game_class(game)
    players = checked_players(kind, players)
    with refusing("maumau actions", UnsupportedGame):
        space, shape = action_space(kind.declaration), layout(kind.declaration, players)
    if as_json:
        print(json.dumps(_record(space, shape), ensure_ascii=False))
    else:
        print("\n".join(_listing(space, shape)))


def _listing(space: ActionSpace, shape: ObservationLayout) -> Iterator[str]:
    yield f"{space.game.title}: {len(space)} actions"
    yield from (f"{number:5}  {space.text(number)}" for number in range(len(space)))
    yield f"\nAn observation with {shape.players} players: {shape.width} numbers"
    width = max(len(field.name) for field in shape.fields)
    for field in shape.fields:
        labels = "one for each card" if field.labels == space.cards else ", ".join(field.labels)
        text = field.description if field.width == 1 else f"{field.description} ({labels})"
        indices = str(field.start) if field.width == 1 else f"{field.start}-{field.end - 1}"
        yield f"{indices:>9}  {field.name:{width}}  0 to {field.high}: {text}"


def _record(space: ActionSpace, shape: ObservationLayout) -> dict[str, Any]:
    """Actions and fields as one JSON object."""
    return {
        "game": space.game.name,
        "players": shape.players,
        "actions": [_action(space, number) for number in range(len(space))],
        "observation": [
            {
                "name": field.name,
                "start": field.start,
                "labels": field.labels,
                "low": 0,
                "high": field.high,
                "description": field.description,
            }
            for field in shape.fields
        ],
    }


def _action(space: ActionSpace, number: int) -> dict[str, Any]:
    action = space[number]
    value, card = space.value_text(number), space.card_text(number)
    named = {str(action.kind): value} if value else {}
    return {"number": number, "event": action.trigger} | ({"card": card} if card else {}) | named
