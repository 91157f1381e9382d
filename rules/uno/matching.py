"""Matching: a card fits by colour or by rank; a wild always fits, a wild draw four if nothing else does."""

from __future__ import annotations

from rules.rule import among, guard, query
from rules.uno.cards import COLOUR_CARDS, MATCHING_CARDS, NUMBERS, WILD_DRAW_FOURS, WILDS, one_of
from rules.uno.table import ProblemUnoTable, UnoTable


@guard("{card} is no number")
def number(table: UnoTable) -> bool:
    """The card that is dropped is a number, without an effect."""
    return (NUMBERS >> table.card & 1) == 1


@query
def with_wilds(hand: int, matching: int) -> int:
    """The cards of `hand` that fit where those of the mask `matching` do: one of equal wilds stands for all."""
    cards = hand & matching | one_of(hand & WILDS)
    return one_of(hand & WILD_DRAW_FOURS) if cards == 0 else cards


@query
def fitting(table: ProblemUnoTable) -> int:
    """The cards of the player in turn that fit the open card, which is no wild."""
    return with_wilds(table.hands[table.player], MATCHING_CARDS[table.open_card])


@query
def fitting_colour(table: ProblemUnoTable) -> int:
    """The cards of the player in turn that fit the named colour."""
    return with_wilds(table.hands[table.player], COLOUR_CARDS[table.colour])


fits = among(
    fitting, "fits",
    "{card} must match the colour or the rank of {open_card}, or be WC; WF needs that nothing else fits",
    "The card that is dropped fits the open card, which is no wild.")  # fmt: skip
fits_colour = among(
    fitting_colour, "fits_colour",
    "{card} must be of the named colour {colour}, or WC; WF needs that nothing else fits",
    "The card that is dropped fits the named colour.")  # fmt: skip
