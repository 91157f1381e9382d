"""Jacks on jacks."""

from __future__ import annotations

from rules.cards import JACKS
from rules.maumau.jack import bound_cards
from rules.maumau.table import MauMauTable
from rules.rule import query


@query
def bound_cards_and_jacks(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that the open jack allows: the bound suit, and every jack."""
    return bound_cards(table) | table.hands[table.player] & JACKS
