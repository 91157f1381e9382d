"""The jack: it fits every card but a jack and an active seven, and binds a suit of its player's choice."""

from __future__ import annotations

from rules.cards import JACK, NO_SUIT, OTHERS_THAN_JACKS, SUIT_CARDS, rank_of
from rules.maumau.finish import last_card
from rules.maumau.table import MauMauTable
from rules.rule import among, effect, guard, query

ALL_SUITS = 0b1111


@guard("{card} is no jack")
def jack(table: MauMauTable) -> bool:
    """The card that is played is a jack."""
    return rank_of(table.card) == JACK


@guard("the open card is no jack")
def jack_is_open(table: MauMauTable) -> bool:
    """The open card is a jack."""
    return rank_of(table.open_card) == JACK


@query
def suits_to_name(table: MauMauTable) -> int:
    """The suits, as a mask, of which one is named with the card that is played; none but for a jack, not the last."""
    return ALL_SUITS if jack(table) and not last_card(table) else 0


@effect
def bind_suit(table: MauMauTable) -> None:
    """The named suit binds as long as the jack lies open."""
    table.bound_suit = table.suit


@query
def bound_cards(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that the open jack allows: the bound suit, no jack.

    A jack as the opening card binds no suit: it allows every card but a jack.
    """
    hand = table.hands[table.player] & OTHERS_THAN_JACKS
    if table.bound_suit == NO_SUIT:
        return hand
    return hand & SUIT_CARDS << table.bound_suit


fits_bound_suit = among(
    bound_cards, "fits_bound_suit", "under the open {open_card} a card must be of suit {bound_suit}, and no jack",
    "The open jack allows the card that is played.")  # fmt: skip
