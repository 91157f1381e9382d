"""An ace skips the next player."""

from __future__ import annotations

from fsm.declaration.arcs import SmallDeck
from fsm.games.maumau.arcs import SKIP_PENDING
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants.edits import AddDeck, Means, SplitArcs, Variant
from rules.maumau import invariants
from rules.maumau.house.ace import ace, card_does_not_skip, eight_or_ace_is_open

AN_ACE = "An ace: the next player is skipped."

RULE = Variant(
    "ace-skips",
    "Aces skip, as eights do.",
    (
        SplitArcs(PLAIN_CARD, ace, AN_ACE, dest=SKIP_PENDING),
        SplitArcs(PLAIN_OPENING, ace, AN_ACE, dest=SKIP_PENDING),
        Means(invariants.eight_is_open, eight_or_ace_is_open),
        Means(invariants.card_has_no_action, card_does_not_skip),
        AddDeck(SmallDeck("DA HA DQ DJ HQ", 2, 1)),
    ),
)
