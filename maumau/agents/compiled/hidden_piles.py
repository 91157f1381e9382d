"""Hidden piles in the search: the cards that a seat does not know are taken out of them, and others are dealt in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.queues import QUEUE_BYTES

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Row

LACKING = 255
"""In place of the code of a card that was taken out of a pile whose cards lie in an order."""


def take_mask(masks: Row, place: int, known: int, counts: Row, missing: Row, at: int) -> None:
    """Take the cards that are not known out of the pile at a place, counted by their codes.

    missing: at the index `at` how many were taken.
    """
    hidden = masks[place] & ~known
    masks[place] ^= hidden
    missing[at] = hidden.bit_count()
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1


def give_mask(masks: Row, place: int, missing: Row, at: int, pool: Row, dealt: int) -> int:
    """Deal as many cards of the pool as `take_mask` has taken; how many are dealt now."""
    for _ in range(missing[at]):
        masks[place] |= 1 << pool[dealt]
        dealt += 1
    return dealt


def take_queue(queues: Row, place: int, known: int, counts: Row) -> None:
    """Take the cards that are not known out of a pile whose cards lie in an order; LACKING is left in their places."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if known >> queues[index] & 1 == 0:
            counts[queues[index]] += 1
            queues[index] = LACKING


def give_queue(queues: Row, place: int, pool: Row, dealt: int) -> int:
    """Deal cards of the pool into the places where `take_queue` has left LACKING; how many are dealt now."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if queues[index] == LACKING:
            queues[index] = pool[dealt]
            dealt += 1
    return dealt
