"""The cards with an action: the seven is answered or drawn for, the eight skips, and the jack binds a suit."""

from __future__ import annotations

from rules.cards import EIGHT, JACK, NO_SUIT, OTHERS_THAN_JACKS, SEVEN, SEVENS, SUIT_CARDS, rank_of
from rules.maumau.table import MauMauTable
from rules.maumau.turn import last_card, next_seat, piles_exhausted
from rules.rule import among, effect, guard, query

FOR_EACH_SEVEN = 2
"""Cards that are due for each seven in a row."""


@guard("{card} is no seven")
def seven(table: MauMauTable) -> bool:
    """The card that is played is a seven."""
    return rank_of(table.card) == SEVEN


@query
def sevens_in_hand(table: MauMauTable) -> int:
    """The sevens of the player in turn: all that may be played while a seven is active."""
    return table.hands[table.player] & SEVENS


answers_seven = among(sevens_in_hand, "answers_seven", "only another seven answers an active seven",
                      "The card that is played is a seven of the player in turn.")  # fmt: skip


@guard("neither pile can give a card")
def may_give_in(table: MauMauTable) -> bool:
    """A player may draw the penalty while the piles can give a card; who has no seven must."""
    return not piles_exhausted(table) or sevens_in_hand(table) == 0


@effect
def add_two(table: MauMauTable) -> None:
    """Two more cards are due."""
    table.due += 2


@effect
def punish(table: MauMauTable) -> None:
    """What is drawn now is a penalty: no card may be played after it."""
    table.punished = 1


@guard("not exactly one seven is active")
def one_seven(table: MauMauTable) -> bool:
    """One seven is active."""
    return table.due == FOR_EACH_SEVEN


@guard("not exactly two sevens are active")
def two_sevens(table: MauMauTable) -> bool:
    """Two sevens in a row are active."""
    return table.due == 2 * FOR_EACH_SEVEN


@guard("not exactly three sevens are active")
def three_sevens(table: MauMauTable) -> bool:
    """Three sevens in a row are active."""
    return table.due == 3 * FOR_EACH_SEVEN


@guard("not all four sevens are active")
def four_sevens(table: MauMauTable) -> bool:
    """All four sevens in a row are active."""
    return table.due == 4 * FOR_EACH_SEVEN


@guard("{card} is no eight")
def eight(table: MauMauTable) -> bool:
    """The card that is played is an eight."""
    return rank_of(table.card) == EIGHT


@effect
def skip_player(table: MauMauTable) -> None:
    """The player in turn loses the turn."""
    table.player = next_seat(table)


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
