"""The drawn card is kept even if it fits."""

from __future__ import annotations

from fsm.games.maumau.arcs import DRAWING
from fsm.variants.edits import Means, Variant, Withdraw
from rules.maumau import drawing
from rules.maumau.house.drawn_card import always_to_keep

RULE = Variant(
    "drawn-card-not-played",
    "If you cannot play, you draw a card and your turn is over.",
    (Withdraw(DRAWING, "play"), Means(drawing.drawn_to_keep, always_to_keep)),
)
