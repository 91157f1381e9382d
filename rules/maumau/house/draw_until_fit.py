"""Drawing until a card fits."""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.maumau.drawing import drawn_cards, drawn_to_keep
from rules.maumau.table import MauMauTable
from rules.rule import guard, query


@guard("the drawn card fits, or no card was drawn for want of one")
def draws_on(table: MauMauTable) -> bool:
    """A card was drawn because none fits, and it does not fit."""
    return table.due == 0 and table.drawn != NO_CARD and not drawn_to_keep(table) and drawn_cards(table) == 0


@guard("the drawn card fits and must be played")
def may_not_play(table: MauMauTable) -> bool:
    """No drawn card may be played."""
    return drawn_cards(table) == 0


@query
def drawn_one_by_one(table: MauMauTable) -> bool:
    """One card is due, or one was drawn and none is due."""
    return table.due == 1 or (table.due == 0 and table.drawn != NO_CARD)


@query
def nothing_drawn_fits(before: MauMauTable, after: MauMauTable) -> bool:
    """Who passes has drawn nothing that may be played, nor has more to draw."""
    return before.drawn == NO_CARD or drawn_to_keep(before)
