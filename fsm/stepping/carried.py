"""What a round of a match takes over from the round before it, such as places: the facts that are `carried`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import as_int
from rules.notation import many, shown

Carried: TypeAlias = Mapping[str, int | Sequence[int]]
"""What is carried, by the name of the field: a number, or one for each seat."""
NOTHING_CARRIED: Carried = {}
"""What a game takes over that is the first round, or no round."""


def carry(game: Declaration, table: Any, carried: Carried) -> None:
    """Put what is carried on the table of a round that is dealt.

    Raises TypeError or ValueError for what the game does not carry.
    """
    for name, value in carried.items():
        if name not in game.carried:
            raise ValueError(f"carried: {shown(name)} is not carried; use {' or '.join(game.carried) or 'nothing'}")
        field = getattr(table, name)
        if isinstance(field, int):
            setattr(table, name, as_int(f"carried: {name}", value))  # type: ignore[arg-type]  # it refuses a list
        elif isinstance(value, Sequence) and not isinstance(value, str) and len(value) == table.players:
            field[: table.players] = [as_int(f"carried: {name}", each) for each in value]
        else:
            raise ValueError(f"carried: {name} is {shown(value)}; use a list of {many(table.players, 'number')}")
