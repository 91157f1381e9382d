"""The cards with an effect: skip, reverse, draw two, wild and wild draw four."""

from __future__ import annotations

from rules.rule import effect, guard, query
from rules.uno.cards import DRAW_TWOS, FIRST_WILD, REVERSES, SKIPS, WILD_DRAW_FOURS, WILDS
from rules.uno.table import ProblemUnoTable, UnoTable
from rules.uno.turn import last_card


@guard("{card} is no skip")
def skip(table: UnoTable) -> bool:
    """The card that is dropped is a skip."""
    return (SKIPS >> table.card & 1) == 1


@guard("{card} is no reverse")
def reverse(table: UnoTable) -> bool:
    """The card that is dropped is a reverse."""
    return (REVERSES >> table.card & 1) == 1


@effect
def turn_direction(table: UnoTable) -> None:
    """The turn goes round the other way."""
    table.reversed ^= 1


@guard("{card} is no draw two")
def draw_two(table: UnoTable) -> bool:
    """The card that is dropped is a draw two."""
    return (DRAW_TWOS >> table.card & 1) == 1


@effect
def add_two(table: UnoTable) -> None:
    """Two cards are due."""
    table.due = 2


@guard("{card} is no wild draw four")
def wild_draw_four(table: UnoTable) -> bool:
    """The card that is dropped is a wild draw four."""
    return (WILD_DRAW_FOURS >> table.card & 1) == 1


@effect
def add_four(table: UnoTable) -> None:
    """Four cards are due."""
    table.due = 4


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
