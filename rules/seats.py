"""The seats around the table, their order, and what they hold."""

from __future__ import annotations

from rules.cards import bits
from rules.rule import query
from rules.table import CardTable


@query
def seat_after(seat: int, players: int) -> int:
    """The seat that follows `seat` clockwise; seats count from 0."""
    following = seat + 1
    return 0 if following == players else following


@query
def seat_before(seat: int, players: int) -> int:
    """The seat that `seat` follows clockwise."""
    return players - 1 if seat == 0 else seat - 1


def held(table: CardTable, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending."""
    return bits(table.hands[seat])
