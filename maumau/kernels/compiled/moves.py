"""A move as one number: the index of its offer, and its card and value, where -1 stands for none."""

from __future__ import annotations

BITS = 8
"""The bits of a card or a value, which are 1 more than their codes: a mask of them has 64 bits."""
NAMED = (1 << BITS) - 1


def move_word(offer: int, card: int, value: int) -> int:
    """Return the number of a move."""
    return offer << 2 * BITS | card + 1 << BITS | value + 1


def offer_of(move: int) -> int:
    """Return the index of the offer of a move among those of its phase."""
    return move >> 2 * BITS


def card_of(move: int) -> int:
    """Return the card code of a move, -1 for none."""
    return (move >> BITS & NAMED) - 1


def value_of(move: int) -> int:
    """Return the value code of a move, -1 for none."""
    return (move & NAMED) - 1


def without_value(move: int) -> int:
    """Return the number of a move with the same card that names no value."""
    return move & ~NAMED
