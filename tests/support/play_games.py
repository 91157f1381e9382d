"""Tables for tests: who sits there, and small programs that play."""

from __future__ import annotations

from typing import Any

from fsm import Game, register
from maumau.play.table import Computer, Person, Setup


def seated(kind: type[Game], players: int, people: int = 1, policy: str = "random", **fields: Any) -> Setup:
    """A table of a game, which is registered: people first, then computer players."""
    kind = register(kind)
    names = ("Ann", "Bob", "Cem", "Dana")
    seats = [Person(names[place]) if place < people else Computer(policy) for place in range(players)]
    return Setup(game=kind.declaration.name, seats=tuple(seats), **fields)
