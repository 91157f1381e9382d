"""No seven, eight or jack as the last card."""

from __future__ import annotations

from fsm.declaration.arcs import Postcondition
from fsm.games.maumau.arcs import GAME_OVER, PENALTY_PENDING
from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.variants.edits import Arcs, Check, DropArcs, Means, Variant
from rules.maumau import jack, matching, seven
from rules.maumau.house import last_card, skip_answer

RULE = Variant(
    "no-action-last",
    "A seven, eight or jack may not be your last card.",
    (
        DropArcs(Arcs("play", PENALTY_PENDING, GAME_OVER)),
        Means(matching.fitting, last_card.fitting_not_last, narrows=True),
        Means(jack.bound_cards, last_card.bound_not_last, narrows=True),
        Means(seven.sevens_in_hand, last_card.sevens_not_last, narrows=True),
        Means(skip_answer.skip_answers, last_card.answers_not_last, narrows=True, if_used=True),
        *BY_WHAT_MAY_BE_LAID,
        Check(Postcondition("the last card is no seven, eight or jack", last_card.last_card_is_allowed, ("play",))),
    ),
)
