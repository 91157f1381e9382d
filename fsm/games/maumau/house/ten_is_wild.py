"""A ten fits every card, and every card fits a ten."""

from __future__ import annotations

from fsm.declaration.arcs import SmallDeck
from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.variants.edits import AddDeck, Means, Variant
from rules.maumau import jack, matching
from rules.maumau.house.ten import bound_with_tens, fitting_with_tens

RULE = Variant(
    "ten-is-wild",
    "A ten fits every card, and every card fits a ten.",
    (
        Means(matching.fitting, fitting_with_tens),
        Means(jack.bound_cards, bound_with_tens),
        *BY_WHAT_MAY_BE_LAID,
        AddDeck(SmallDeck("DT HJ DS HE SQ", 2, 1)),
    ),
)
