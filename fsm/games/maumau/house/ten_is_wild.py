"""A ten fits every card, and every card fits a ten."""

from __future__ import annotations

from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.variants import AddDeck, Means, SmallDeck, Variant
from rules.cards import RANK_CARDS, TEN, rank_of
from rules.maumau.game import MauMauTable, bound_cards, fitting
from rules.rule import query

TENS = RANK_CARDS << 4 * TEN


@query
def fitting_with_tens(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that fit: all on an open ten, tens on every card."""
    hand = table.hands[table.player]
    return hand if rank_of(table.open_card) == TEN else fitting(table) | hand & TENS


@query
def bound_with_tens(table: MauMauTable) -> int:
    """The cards that the open jack allows, and every ten."""
    return bound_cards(table) | table.hands[table.player] & TENS


RULE = Variant(
    "ten-is-wild",
    "A ten fits every card, and every card fits a ten.",
    (
        Means(fitting, fitting_with_tens),
        Means(bound_cards, bound_with_tens),
        *BY_WHAT_MAY_BE_LAID,
        AddDeck(SmallDeck("DT HJ DS HE SQ", 2, 1)),
    ),
)
