"""The seven: the next player answers with a seven or draws two cards for each seven in a row."""

from __future__ import annotations

from rules.cards import SEVEN, SEVENS, rank_of
from rules.maumau.finish import piles_exhausted
from rules.maumau.table import MauMauTable
from rules.rule import among, effect, guard, query

FOR_EACH_SEVEN = 2
"""Cards that are due for each seven in a row."""


@guard("{card} is no seven")
def seven(table: MauMauTable) -> bool:
    """The card that is played is a seven."""
    return rank_of(table.card) == SEVEN


@query
def sevens_in_hand(table: MauMauTable) -> int:
    """The sevens of the player in turn: all that may be played while a seven is active."""
    return table.hands[table.player] & SEVENS


answers_seven = among(sevens_in_hand, "answers_seven", "only another seven answers an active seven",
                      "The card that is played is a seven of the player in turn.")  # fmt: skip


@guard("neither pile can give a card")
def may_give_in(table: MauMauTable) -> bool:
    """A player may draw the penalty while the piles can give a card; who has no seven must."""
    return not piles_exhausted(table) or sevens_in_hand(table) == 0


@effect
def add_two(table: MauMauTable) -> None:
    """Two more cards are due."""
    table.due += 2


@effect
def punish(table: MauMauTable) -> None:
    """What is drawn now is a penalty: no card may be played after it."""
    table.punished = 1


@guard("not exactly one seven is active")
def one_seven(table: MauMauTable) -> bool:
    """One seven is active."""
    return table.due == FOR_EACH_SEVEN


@guard("not exactly two sevens are active")
def two_sevens(table: MauMauTable) -> bool:
    """Two sevens in a row are active."""
    return table.due == 2 * FOR_EACH_SEVEN


@guard("not exactly three sevens are active")
def three_sevens(table: MauMauTable) -> bool:
    """Three sevens in a row are active."""
    return table.due == 3 * FOR_EACH_SEVEN


@guard("not all four sevens are active")
def four_sevens(table: MauMauTable) -> bool:
    """All four sevens in a row are active."""
    return table.due == 4 * FOR_EACH_SEVEN
