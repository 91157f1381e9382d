"""The table of Mau-Mau and the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.cards import DECK_SIZE, NO_SUIT
from rules.piles import deal_piles
from rules.rule import effect, query
from rules.table import CardTable, receive, ring_of
from rules.visibility import discards_seen, seen_by_all

FEWEST_PLAYERS, MAX_PLAYERS = 2, 4


@dataclass(slots=True)
class MauMauTable(CardTable):
    """The table of Mau-Mau: `due` are the cards that the seven's victim must draw, or that are drawn in this turn."""

    ring: bytearray = discards_seen(ring_of(DECK_SIZE))

    punished: int = seen_by_all(0)  # 1 while the cards drawn in this turn are a penalty
    bound_suit: int = seen_by_all(NO_SUIT)  # the suit that the open jack binds


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt: 7, 6 or 5 for 2, 3 or 4 players."""
    return 9 - players


@effect
def fill(deck: bytearray) -> None:
    """Put the whole deck, unshuffled, into `deck`."""
    for card in range(DECK_SIZE):
        deck[card] = card


@effect
def deal(table: MauMauTable, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`: cards one at a time in turn, then the open card; the rest is the draw pile.

    deck: the 32 card codes, the top card first.
    """
    table.players = players
    index = 0
    for _ in range(cards_each(players)):
        for seat in range(players):
            receive(table, seat, deck[index])
            index += 1
    deal_piles(table, deck, index)
