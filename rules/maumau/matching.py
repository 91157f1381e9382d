"""Matching: a card fits the open card by suit or by rank, and a jack fits every card but a jack."""

from __future__ import annotations

from rules.cards import JACKS, OTHERS_THAN_JACKS, RANK_CARDS, SUIT_CARDS, suit_of
from rules.maumau.table import MauMauTable
from rules.rule import among, query


@query
def matching_cards(card: int) -> int:
    """The cards of the suit or the rank of `card`, jacks left out."""
    return (SUIT_CARDS << suit_of(card) | RANK_CARDS << (card & ~3)) & OTHERS_THAN_JACKS


@query
def fitting(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that fit the open card, which is no jack."""
    return table.hands[table.player] & (matching_cards(table.open_card) | JACKS)


fits = among(fitting, "fits", "{card} fits neither the suit nor the rank of {open_card}",
             "The card that is played fits the open card, which is no jack.")  # fmt: skip
