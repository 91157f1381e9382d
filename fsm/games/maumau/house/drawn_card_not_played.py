"""The drawn card is kept even if it fits."""

from __future__ import annotations

from fsm.games.maumau.arcs import DRAWING
from fsm.variants.edits import Means, Variant, Withdraw
from rules.maumau.game import MauMauTable, drawn_to_keep
from rules.rule import query


@query
def always_to_keep(table: MauMauTable) -> bool:
    """No drawn card may be played in this turn."""
    return True


RULE = Variant(
    "drawn-card-not-played",
    "If you cannot play, you draw a card and your turn is over.",
    (Withdraw(DRAWING, "play"), Means(drawn_to_keep, always_to_keep)),
)
