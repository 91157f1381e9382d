"""The king of hearts: the next player draws five."""

from __future__ import annotations

from fsm.declaration.arcs import SmallDeck
from fsm.games.maumau.arcs import PENALTY_PENDING
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants.edits import AddDeck, Means, SplitArcs, Variant
from rules.maumau import chain, invariants, seven, turn
from rules.maumau.house import heart_king
from rules.maumau.house.king import plays_again
from rules.maumau.house.play_on import least_penalty

A_HEART_KING = "The king of hearts: the next player draws five cards."

RULE = Variant(
    "heart-king-draws-five",
    "After the king of hearts the next player draws five cards.",
    (
        SplitArcs(PLAIN_CARD, heart_king.heart_king, A_HEART_KING, dest=PENALTY_PENDING,
                  before=((turn.next_player, (heart_king.add_five,)),)),
        SplitArcs(PLAIN_OPENING, heart_king.heart_king, A_HEART_KING, dest=PENALTY_PENDING,
                  then=(heart_king.add_five,)),
        Means(plays_again, heart_king.king_of_another_suit, if_used=True),
        Means(seven.sevens_in_hand, heart_king.answers_to_seven_only),
        Means(chain.one_seven, heart_king.one_seven_or_heart_king),
        Means(invariants.penalty_is_due, heart_king.penalty_or_five_due),
        Means(invariants.drawn_as_penalty, heart_king.drawn_as_penalty_or_five),
        Means(least_penalty, heart_king.at_least_five, if_used=True),
        Means(invariants.seven_makes_two_due, heart_king.makes_five_due),
        AddDeck(SmallDeck("HK HQ HJ DQ HN", 2, 1)),
    ),
)  # fmt: skip
