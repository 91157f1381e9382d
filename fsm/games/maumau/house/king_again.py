"""Who lays a king plays again."""

from __future__ import annotations

from fsm.declaration.arcs import SmallDeck
from fsm.games.maumau.house.where import PLAIN_CARD
from fsm.variants.edits import AddDeck, Means, SplitArcs, Variant
from rules.maumau import invariants, turn
from rules.maumau.house.king import king, next_but_after_king, play_again

RULE = Variant(
    "king-again",
    "After a king you play again.",
    (
        SplitArcs(PLAIN_CARD, king, "A king: the same player has another turn.", then=(turn.lay_card, play_again)),
        Means(invariants.next_in_turn, next_but_after_king),
        AddDeck(SmallDeck("DK HK DQ HJ HE", 2, 1)),
    ),
)
