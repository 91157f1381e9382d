"""A turn: a card is laid, the next player is in turn, the last card wins; the ends without a winner, and the score."""

from __future__ import annotations

from rules.cards import JACK, NO_CARD, NO_SUIT, points, rank_of
from rules.ending import OUT_OF_CARDS, WON
from rules.maumau.table import MauMauTable
from rules.piles import lay_open, trace
from rules.rule import effect, guard, query
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
