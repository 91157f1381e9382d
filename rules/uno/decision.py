"""The decision rules of the statement: drop the card with the most points, name the colours in turn.

Among equal points the first in the alphabet is chosen. This follows from the card codes: the highest bit of a mask.
"""

from __future__ import annotations

from rules.rule import choice, guard
from rules.uno.cards import NO_COLOUR, highest
from rules.uno.game import ProblemUnoTable, fitting, fitting_colour, names_colour


@guard("no card fits the open card")
def holds_fitting_card(table: ProblemUnoTable) -> bool:
    """A card of the player in turn fits the open card."""
    return fitting(table) != 0


@guard("no card fits the named colour")
def holds_fitting_colour(table: ProblemUnoTable) -> bool:
    """A card of the player in turn fits the named colour."""
    return fitting_colour(table) != 0


@choice
def most_points(table: ProblemUnoTable) -> int:
    """The fitting card with the most points, the first in the alphabet among equals."""
    return highest(fitting(table))


@choice
def most_points_of_colour(table: ProblemUnoTable) -> int:
    """The card that fits the named colour with the most points, the first in the alphabet among equals."""
    return highest(fitting_colour(table))


@choice
def next_colour(table: ProblemUnoTable) -> int:
    """Red, green, blue, yellow, red again: the colour after those that the player has named; none but with a wild."""
    if names_colour(table):
        return table.wilds[table.player] + 1 & 3
    return NO_COLOUR
