"""Finish and score: the last card wins, a jack as last card doubles; and the ends without a winner."""

from __future__ import annotations

from rules.cards import JACK, points, rank_of
from rules.ending import OUT_OF_CARDS, WON
from rules.maumau.table import MauMauTable
from rules.maumau.turn import end_turn
from rules.rule import effect, guard, query


@guard("{card} is not the last card")
def last_card(table: MauMauTable) -> bool:
    """The card that is played is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def win(table: MauMauTable) -> None:
    """The player in turn has laid the last card and wins; its action is not carried out."""
    end_turn(table)
    table.ending = WON
    table.winner = table.player


@guard("the piles can give a card")
def piles_exhausted(table: MauMauTable) -> bool:
    """Neither pile can give a card: none to draw, none under the open card."""
    return table.tail - table.head == 1


@effect
def run_out_of_cards(table: MauMauTable) -> None:
    """A card must be drawn and there is none: nobody wins."""
    table.ending = OUT_OF_CARDS


@query
def score(table: MauMauTable, seat: int) -> int:
    """The points that `seat` is left with: the values in hand, doubled if the game was won with a jack."""
    doubled = 2 if table.ending == WON and rank_of(table.open_card) == JACK else 1
    return doubled * points(table.hands[seat])
