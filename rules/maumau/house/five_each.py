"""Five cards each."""

from __future__ import annotations

from rules.rule import query


@query
def five(players: int) -> int:
    """Cards that each player is dealt: five."""
    return 5
