"""The decision rules 1 to 6 of the statement: which card a player plays, and which suit a jack binds.

Rule 6, the strongest suit among equals, follows from the card codes: the highest bit of a mask.
"""

from __future__ import annotations

from rules.cards import JACKS, NO_SUIT, OTHERS_THAN_JACKS, SUIT_CARDS, highest
from rules.maumau.game import (
    MauMauTable,
    bound_cards,
    drawn_cards,
    last_card,
    matching_cards,
    next_seat,
    sevens_in_hand,
)
from rules.rule import choice, guard


@guard("no seven in hand")
def holds_seven(table: MauMauTable) -> bool:
    """Rule 1 applies: the player can answer the seven."""
    return sevens_in_hand(table) != 0


@choice
def best_seven(table: MauMauTable) -> int:
    """Rule 1: answer with a seven, by rule 6 of the strongest suit."""
    return highest(sevens_in_hand(table))


@guard("the next player has more than one card")
def next_player_has_one_card(table: MauMauTable) -> bool:
    """Rule 4 applies: the seat directly after the player in turn has one card left."""
    hand = table.hands[next_seat(table)]
    return hand & hand - 1 == 0


@guard("no jack in hand")
def holds_jack(table: MauMauTable) -> bool:
    """The player has a jack."""
    return table.hands[table.player] & JACKS != 0


@choice
def best_jack(table: MauMauTable) -> int:
    """Rules 3 and 4: the jack of the strongest suit."""
    return highest(table.hands[table.player] & JACKS)


@guard("no fitting card but jacks")
def holds_fitting_card(table: MauMauTable) -> bool:
    """Rule 2 applies: a card other than a jack fits."""
    return table.hands[table.player] & matching_cards(table.open_card) != 0


@choice
def best_fitting_card(table: MauMauTable) -> int:
    """Rule 2: the fitting card of the highest value other than a jack, by rule 6 of the strongest suit."""
    return highest(table.hands[table.player] & matching_cards(table.open_card))


@guard("no card that the jack allows")
def holds_bound_card(table: MauMauTable) -> bool:
    """Rule 2 applies under an open jack: a card of the bound suit is there."""
    return bound_cards(table) != 0


@choice
def best_bound_card(table: MauMauTable) -> int:
    """Rule 2 under an open jack: the allowed card of the highest value, by rule 6 of the strongest suit."""
    return highest(bound_cards(table))


@guard("the drawn card does not fit, or is a jack")
def drawn_card_fits(table: MauMauTable) -> bool:
    """Rule 2 applies to the drawn card."""
    return drawn_cards(table) & OTHERS_THAN_JACKS != 0


@guard("the drawn card is not a jack, or does not fit")
def drawn_jack_fits(table: MauMauTable) -> bool:
    """Rule 3 applies to the drawn card."""
    return drawn_cards(table) & JACKS != 0


@choice
def drawn_card(table: MauMauTable) -> int:
    """The card just drawn."""
    return table.drawn


@choice
def most_frequent_suit(table: MauMauTable) -> int:
    """Rule 5: the suit of which most cards are left, jacks not counted, by rule 6 the strongest among equals.

    A jack as the last card names none.
    """
    if last_card(table):
        return NO_SUIT
    left = table.hands[table.player] & OTHERS_THAN_JACKS
    best, most = 0, -1
    for suit in range(4):
        count = (left & SUIT_CARDS << suit).bit_count()
        if count >= most:
            best, most = suit, count
    return best
