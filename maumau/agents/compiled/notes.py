"""The notes on a game, kept after every event from what the event shows (`maumau.agents.layout`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.agents.compiled.given import FOLLOWS, HELD, KIND, KINDS, LEFT, SHOWS_PILES, hand, shown
    from maumau.kernels.compiled.given import Row, Table

FIRST, END, SEEN, LYING, CHOSEN, LAST = range(6)
"""Indices of the notes: where the discard pile lay in the ring; the cards, as a mask, that all know, and those that lie
face up; how many events players have chosen; from LAST on the number of the event that each seat chose last.
"""


def note(table: Table, notes: Row, discarded: Row, shuffled: int) -> None:
    """Note what an event has shown. shuffled: whether it moved cards by chance."""
    first, end = table.head + table.stock, table.tail
    start, fresh = notes[END], 0
    if first != notes[FIRST] or end < start:
        start = first
        notes[LYING] = 0
        for kind in range(KINDS):
            discarded[kind] = 0
    for index in range(start, end):
        card = table.ring[index & len(table.ring) - 1]
        discarded[KIND[card]] += 1
        fresh |= 1 << card
    notes[FIRST] = first
    notes[END] = end
    if FOLLOWS:
        if SHOWS_PILES:
            fresh |= shown(table)
        follow(table, notes, first, fresh, shuffled)


def follow(table: Table, notes: Row, first: int, fresh: int, shuffled: int) -> None:
    """Follow cards. first: where the discard pile begins. fresh: the cards that were laid face up."""
    notes[LYING] |= fresh
    if shuffled:
        pile = 0
        for index in range(table.head, first):
            pile |= 1 << table.ring[index & len(table.ring) - 1]
        notes[SEEN] &= ~pile
        for seat in range(table.players):
            notes[LEFT + seat] &= ~pile
    notes[SEEN] |= fresh
    for seat in range(table.players):
        held, held_now = notes[HELD + seat], hand(table, seat)
        notes[HELD + seat] = held_now
        gone = held & ~held_now & ~fresh
        if gone != 0:
            notes[SEEN] &= ~held | fresh
            for other in range(table.players):
                notes[LEFT + other] &= ~held
            notes[LEFT + seat] |= gone
