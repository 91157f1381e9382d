"""Five cards each, however many play."""

from __future__ import annotations

from fsm.variants.edits import Means, Variant
from rules.maumau.game import cards_each
from rules.rule import query


@query
def five(players: int) -> int:
    """Cards that each player is dealt: five."""
    return 5


RULE = Variant("five-each", "Five cards each, however many play.", (Means(cards_each, five),))
