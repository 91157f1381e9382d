"""The numbered actions of a game and the fields of an observation, in lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.declaration import Declaration
from maumau.agents.actions import action_space
from maumau.agents.layout import layout


class Catalogue:
    """The actions of a game, and what a seat of so many players observes. Raises UnsupportedGame."""

    def __init__(self, game: Declaration, players: int) -> None:
        self.space, self.shape = action_space(game), layout(game, players)

    def lines(self) -> Iterator[str]:
        """Yield the actions and the fields in lines for people."""
        space, shape = self.space, self.shape
        yield f"{space.game.title}: {len(space)} actions"
        yield from (f"{number:5}  {space.text(number)}" for number in range(len(space)))
        yield f"\nAn observation with {shape.players} players: {shape.width} numbers"
        width = max(len(field.name) for field in shape.fields)
        for field in shape.fields:
            labels = "one for each card" if field.labels == space.cards else ", ".join(field.labels)
            text = field.description if field.width == 1 else f"{field.description} ({labels})"
            indices = str(field.start) if field.width == 1 else f"{field.start}-{field.end - 1}"
            yield f"{indices:>9}  {field.name:{width}}  0 to {field.high}: {text}"

    def record(self) -> dict[str, Any]:
        """Return the actions and the fields as plain data."""
        return {
            "game": self.space.game.name,
            "players": self.shape.players,
            "actions": list(map(self._action, range(len(self.space)))),
            "observation": [
                {
                    "name": field.name,
                    "start": field.start,
                    "labels": field.labels,
                    "low": 0,
                    "high": field.high,
                    "description": field.description,
                }
                for field in self.shape.fields
            ],
        }

    def _action(self, number: int) -> dict[str, Any]:
        action, value, card = self.space[number], self.space.value_text(number), self.space.card_text(number)
        named = {str(action.kind): value} if value else {}
        return {"number": number, "event": action.trigger} | ({"card": card} if card else {}) | named
