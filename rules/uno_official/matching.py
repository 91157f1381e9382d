"""Matching: a coloured card fits by the current colour or the symbol of the open card; wilds may always be laid."""

from __future__ import annotations

from rules.rule import among, guard, query
from rules.uno.cards import COLOUR_CARDS, FIRST_WILD, MATCHING_CARDS, NO_COLOUR, WILD_DRAW_FOURS, WILDS, one_of
from rules.uno_official.table import UnoOfficialTable


@query
def coloured(table: UnoOfficialTable) -> int:
    """The coloured cards of the player who acts that fit."""
    if table.open_card < FIRST_WILD:
        return table.hands[table.player] & MATCHING_CARDS[table.open_card]
    if table.colour == NO_COLOUR:
        return 0
    return table.hands[table.player] & COLOUR_CARDS[table.colour]


@query
def playable(table: UnoOfficialTable) -> int:
    """All cards that the player who acts may lay: one of equal wilds stands for all."""
    hand = table.hands[table.player]
    return coloured(table) | one_of(hand & WILDS) | one_of(hand & WILD_DRAW_FOURS)


may_be_laid = among(
    playable, "may_be_laid",
    "{card} must be of the current colour {colour}, have the symbol of {open_card}, or be a wild",
    "The card fits, or is a wild draw four.")  # fmt: skip


@guard("{card} does not leave one card")
def leaves_one_card(table: UnoOfficialTable) -> bool:
    """The card leaves exactly one in the hand."""
    hand = table.hands[table.player]
    return hand.bit_count() + table.twins[table.player].bit_count() == 2
