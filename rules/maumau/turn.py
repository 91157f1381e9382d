"""A turn: a card is laid, and the next player is in turn."""

from __future__ import annotations

from rules.cards import NO_CARD, NO_SUIT
from rules.maumau.table import MauMauTable
from rules.piles import lay_open, trace
from rules.rule import effect, query
from rules.seats import seat_after


@effect
def lay_card(table: MauMauTable) -> None:
    """The card that is played goes from the hand onto the discard pile; a jack under it does not bind any more."""
    table.hands[table.player] ^= 1 << table.card
    table.bound_suit = NO_SUIT
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def end_turn(table: MauMauTable) -> None:
    """The turn is over: what was drawn in it is a card like any other."""
    table.drawn = NO_CARD
    table.punished = 0
    table.turns += 1


@query
def next_seat(table: MauMauTable) -> int:
    """The seat whose turn comes after that of the player in turn."""
    return seat_after(table.player, table.players)


@effect
def next_player(table: MauMauTable) -> None:
    """The turn moves on to the following seat."""
    end_turn(table)
    table.player = next_seat(table)
