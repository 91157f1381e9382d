"""The current colour: that of the open card or, if it is a wild, the one named; a wild's player names it afterwards."""

from __future__ import annotations

from typing import Protocol

from rules.rule import choice, effect, guard, query
from rules.uno.actions import ALL_COLOURS
from rules.uno.cards import COLOUR_CARDS, FIRST_ACTION, FIRST_WILD, NO_COLOUR

COLOURS_OF_CARDS = (
    *(card & 3 if card < FIRST_ACTION else (card - FIRST_ACTION) // 3 for card in range(FIRST_WILD)),
    *(NO_COLOUR for _ in range(8)),
)
"""The colour of each card code; none for wilds."""
FIRST_NAMED = 1
"""Red: of colours that are equally frequent, the first in the order red, green, blue, yellow is named."""


class Colouring(Protocol):
    """The fields of a table that naming a colour needs."""

    player: int
    hands: list[int]
    twins: list[int]
    suit: int
    colour: int
    laid_by: int


@query
def colour_of(card: int) -> int:
    """The colour of a card; none for a wild."""
    return COLOURS_OF_CARDS[card]


@query
def colours(table: Colouring) -> int:
    """The colours that may be named, as a mask: all four."""
    return ALL_COLOURS


@guard("a card was laid")
def no_card_laid(table: Colouring) -> bool:
    """No card was laid yet: the wild was turned up by the deal."""
    return table.laid_by < 0


@effect
def set_colour(table: Colouring) -> None:
    """The named colour is the current one."""
    table.colour = table.suit


@choice
def most_frequent_colour(table: Colouring) -> int:
    """The colour of most cards in the hand, wilds not counted; of equals the first of red, green, blue, yellow."""
    hand, twins = table.hands[table.player], table.twins[table.player]
    best, most = FIRST_NAMED, -1
    for index in range(4):
        colour = FIRST_NAMED + index & 3
        count = (hand & COLOUR_CARDS[colour]).bit_count() + (twins & COLOUR_CARDS[colour]).bit_count()
        if count > most:
            best, most = colour, count
    return best
