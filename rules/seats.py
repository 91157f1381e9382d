"""The seats around the table, and their order."""

from __future__ import annotations

from rules.rule import query


@query
def seat_after(seat: int, players: int) -> int:
    """The seat that follows `seat` clockwise; seats count from 0."""
    following = seat + 1
    return 0 if following == players else following


@query
def seat_before(seat: int, players: int) -> int:
    """The seat that `seat` follows clockwise."""
    return players - 1 if seat == 0 else seat - 1
