"""The wild: it always fits, and its player names the colour that the next card must have."""

from __future__ import annotations

from rules.rule import effect, guard, query
from rules.uno.cards import FIRST_WILD, WILDS
from rules.uno.finish import last_card
from rules.uno.table import ProblemUnoTable, UnoTable

ALL_COLOURS = 0b1111


@guard("{card} is no wild")
def wild(table: UnoTable) -> bool:
    """The card that is dropped is a wild, and no wild draw four."""
    return (WILDS >> table.card & 1) == 1


@guard("the open card is no wild")
def wild_is_open(table: UnoTable) -> bool:
    """The open card is a wild or a wild draw four, so the named colour counts."""
    return table.open_card >= FIRST_WILD


@query
def names_colour(table: ProblemUnoTable) -> bool:
    """With the card that is dropped a colour is named: with a wild or a wild draw four, unless it is the last card."""
    return table.card >= FIRST_WILD and not last_card(table)


@query
def colours_to_name(table: ProblemUnoTable) -> int:
    """The colours, as a mask, of which one is named with the card that is dropped."""
    return ALL_COLOURS if names_colour(table) else 0


@effect
def name_colour(table: ProblemUnoTable) -> None:
    """The named colour holds until the next card is dropped."""
    table.colour = table.suit
    table.wilds[table.player] += 1
