"""No seven, eight or jack as the last card."""

from __future__ import annotations

from fsm.games.maumau.arcs import GAME_OVER, PENALTY_PENDING
from fsm.games.maumau.house.eights_answered import answers_skip, skip_answers
from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.variants import Arcs, Check, DropArcs, Means, Postcondition, Refuse, Variant
from rules.cards import EIGHT, JACKS, RANK_CARDS, SEVENS
from rules.ending import WON
from rules.maumau.game import (
    MauMauTable,
    answers_seven,
    bound_cards,
    fits,
    fits_bound_suit,
    fitting,
    sevens_in_hand,
)
from rules.rule import Reason, query

BARRED = SEVENS | JACKS | RANK_CARDS << 4 * EIGHT
"""The cards that may not be the last one."""


@query
def unless_barred(table: MauMauTable, cards: int) -> int:
    """`cards`, of which none if the only card in hand may not be the last one."""
    hand = table.hands[table.player]
    return 0 if hand & hand - 1 == 0 and hand & BARRED != 0 else cards


@query
def fitting_not_last(table: MauMauTable) -> int:
    """The fitting cards that may be laid."""
    return unless_barred(table, fitting(table))


@query
def bound_not_last(table: MauMauTable) -> int:
    """The cards that the open jack allows and that may be laid."""
    return unless_barred(table, bound_cards(table))


@query
def sevens_not_last(table: MauMauTable) -> int:
    """The sevens that answer a seven and may be laid."""
    return unless_barred(table, sevens_in_hand(table))


@query
def answers_not_last(table: MauMauTable) -> int:
    """The cards that pass a skip on and may be laid."""
    return unless_barred(table, skip_answers(table))


@query
def barred_as_last(table: MauMauTable) -> int:
    """The cards that may not be the last one, where only one is left."""
    hand = table.hands[table.player]
    return BARRED if hand & hand - 1 == 0 else 0


NOT_LAST = (Reason("a seven, eight or jack may not be the last card", barred_as_last),)


@query
def last_card_is_allowed(before: MauMauTable, after: MauMauTable) -> bool:
    """The last card is not a seven, eight or jack."""
    return after.ending != WON or BARRED >> after.open_card & 1 == 0


RULE = Variant(
    "no-action-last",
    "A seven, eight or jack may not be your last card.",
    (
        DropArcs(Arcs("play", PENALTY_PENDING, GAME_OVER)),
        Means(fitting, fitting_not_last, narrows=True),
        Means(bound_cards, bound_not_last, narrows=True),
        Means(sevens_in_hand, sevens_not_last, narrows=True),
        Means(skip_answers, answers_not_last, narrows=True, if_used=True),
        *BY_WHAT_MAY_BE_LAID,
        Refuse(fits, NOT_LAST),
        Refuse(fits_bound_suit, NOT_LAST),
        Refuse(answers_seven, NOT_LAST),
        Refuse(answers_skip, NOT_LAST, if_used=True),
        Check(Postcondition("the last card is not a seven, eight or jack", last_card_is_allowed, ("play",))),
    ),
)
