"""Piles whose cards lie in an order, beside the draw pile and the discard pile: cards are put and taken at either end.

A field of a table holds some of them, one for each seat or one in the middle: `own: bytearray =
seen_by_all(factory=queues(2))`. Of each it has QUEUE_BYTES bytes: how many cards there are, then their codes, the top
card first, then zeros. So equal piles are equal bytes. Such a field is a fact of the kind `queues`, or `queue` in the
middle.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.rule import effect, query, rule

QUEUE_BYTES = 64
"""Bytes of a pile: a deck in which every card appears once has at most 63."""


def queues(count: int) -> Callable[[], bytearray]:
    """The default of a field with so many ordered piles: empty ones."""
    return lambda: bytearray(count * QUEUE_BYTES)


@query
def queue_size(piles: bytearray, place: int) -> int:
    """How many cards a pile has."""
    return piles[place * QUEUE_BYTES]


@query
def queue_card(piles: bytearray, place: int, depth: int) -> int:
    """The card that lies in a pile so deep, the top one at 0; the pile must have as many."""
    return piles[place * QUEUE_BYTES + 1 + depth]


@query
def queue_cards(piles: bytearray, place: int) -> int:
    """The cards of a pile, as a mask."""
    cards = 0
    for depth in range(piles[place * QUEUE_BYTES]):
        cards |= 1 << piles[place * QUEUE_BYTES + 1 + depth]
    return cards


@effect
def put_last(piles: bytearray, place: int, card: int) -> None:
    """Put a card under a pile."""
    first = place * QUEUE_BYTES
    piles[first] += 1
    piles[first + piles[first]] = card


@effect
def put_first(piles: bytearray, place: int, card: int) -> None:
    """Put a card on a pile."""
    first = place * QUEUE_BYTES
    for index in range(first + piles[first], first, -1):
        piles[index + 1] = piles[index]
    piles[first] += 1
    piles[first + 1] = card


@rule
def take_first(piles: bytearray, place: int) -> int:
    """Take the top card off a pile, which must not be empty, and return its code."""
    first = place * QUEUE_BYTES
    card, last = piles[first + 1], first + piles[first]
    for index in range(first + 1, last):
        piles[index] = piles[index + 1]
    piles[last] = 0
    piles[first] -= 1
    return card


@rule
def take_last(piles: bytearray, place: int) -> int:
    """Take the bottom card off a pile, which must not be empty, and return its code."""
    first = place * QUEUE_BYTES
    last = first + piles[first]
    card = piles[last]
    piles[last] = 0
    piles[first] -= 1
    return card
