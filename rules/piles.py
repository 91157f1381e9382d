"""The draw pile and the discard pile as one queue: cards are taken at its head and laid at its tail.

The queue is a ring buffer. Its size is a power of two; positions increase without limit and are taken modulo the size.
From `head` on come the `stock` cards of the draw pile, the next card to be taken first, then the discard pile from its
bottom card to the open card, which is the last before `tail`. Place 0 was the top of the draw pile after the deal and
place `bottom` the opening card, so `head` is the number of cards taken and `tail - bottom` of those laid. Turning the
discard pile over does not move any card: the cards under the open card become the draw pile, the bottom card on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rules.rule import effect, query, rule


class Piles(Protocol):
    """The fields of a table with piles."""

    ring: bytearray
    head: int
    stock: int
    tail: int
    bottom: int
    open_card: int
    card: int
    reshuffles: int
    trail: int


TRAIL_START = 0x811C9DC5
TRAIL_PRIME = 0x01000193
TRAIL_BITS = 0xFFFFFFFF


@effect
def trace(table: Piles, card: int) -> None:
    """Mix a laid card into the trail: FNV-1a over the card codes, with 32 bits."""
    table.trail = (table.trail ^ card) * TRAIL_PRIME & TRAIL_BITS


@effect
def deal_piles(table: Piles, deck: Sequence[int], dealt: int) -> None:
    """Expose the card of `deck` that follows the `dealt` first ones; those after it are the draw pile."""
    table.open_card = table.card = deck[dealt]
    table.stock = table.bottom = len(deck) - dealt - 1
    table.tail = table.bottom + 1
    for index in range(table.stock):
        table.ring[index] = deck[dealt + 1 + index]
    table.ring[table.bottom] = table.open_card
    table.trail = TRAIL_START
    trace(table, table.open_card)


@effect
def stack_up(table: Piles, deck: Sequence[int], dealt: int) -> None:
    """The cards of `deck` that follow the `dealt` first ones are the draw pile; no card is open."""
    table.stock = table.bottom = table.tail = len(deck) - dealt
    for index in range(table.stock):
        table.ring[index] = deck[dealt + index]
    table.trail = TRAIL_START


@effect
def turn_card_up(table: Piles) -> None:
    """The top card of the draw pile lies open."""
    card = take_top(table)
    lay_open(table, card)
    trace(table, card)


@query
def cards_under_open_card(table: Piles) -> int:
    """How many cards lie under the open card."""
    return table.tail - table.head - table.stock - 1


@query
def cards_laid(table: Piles) -> int:
    """How many cards were laid since the deal, with the opening card."""
    return table.tail - table.bottom


@query
def cards_taken(table: Piles) -> int:
    """How many cards were taken off the draw pile since the deal."""
    return table.head


@rule
def take_top(table: Piles) -> int:
    """Take the top card off the draw pile, which must not be empty, and return its code."""
    card = table.ring[table.head & len(table.ring) - 1]
    table.head += 1
    table.stock -= 1
    return card


@effect
def lay_open(table: Piles, card: int) -> None:
    """Lay `card` on the discard pile: it is the open card now."""
    table.ring[table.tail & len(table.ring) - 1] = card
    table.tail += 1
    table.open_card = card


@rule
def take_open(table: Piles) -> int:
    """Take the open card back off the discard pile, which must not be empty, and return its code.

    The card under it is the open one now; there is none if it was the only one.
    """
    card = table.open_card
    table.tail -= 1
    under = table.tail - 1 & len(table.ring) - 1
    table.open_card = table.ring[under] if table.tail > table.head + table.stock else -1
    return card


@effect
def turn_over(table: Piles) -> None:
    """Make the cards under the open card the draw pile; the draw pile must be empty."""
    table.stock = table.tail - table.head - 1
    table.reshuffles += 1


def draw_pile(table: Piles) -> bytes:
    """The codes of the draw pile, its top card first."""
    return _slots(table, table.head, table.head + table.stock)


def discard_pile(table: Piles) -> bytes:
    """The codes of the discard pile, its bottom card first and the open card last."""
    return _slots(table, table.head + table.stock, table.tail)


def _slots(table: Piles, first: int, end: int) -> bytes:
    ring, begin = table.ring, first & len(table.ring) - 1
    rest = begin + end - first - len(ring)
    return bytes(ring[begin:]) + bytes(ring[:rest]) if rest > 0 else bytes(ring[begin : begin + end - first])
