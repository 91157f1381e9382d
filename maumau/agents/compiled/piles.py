"""Hidden piles in worlds: the cards that a seat does not know are taken out of them, and others are dealt into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.queues import QUEUE_BYTES

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Row

LACKING = 255
"""In place of the code of a card that was taken out of a pile whose cards lie in an order."""


def take_masks(masks: Row, places: int, seat: int, known: int, counts: Row, missing: Row, first: int) -> None:
    """Take the cards that are not known out of piles, but that of `seat`, counted by their codes.

    missing: from `first` on how many were taken out of each.
    """
    for place in range(places):
        hidden = masks[place] & ~known if place != seat else 0
        masks[place] ^= hidden
        missing[first + place] = hidden.bit_count()
        while hidden != 0:
            counts[(hidden & -hidden).bit_length() - 1] += 1
            hidden &= hidden - 1


def give_masks(masks: Row, places: int, missing: Row, first: int, pool: Row, dealt: int) -> int:
    """Deal as many cards of the pool as `take_masks` has taken; how many are dealt now."""
    for place in range(places):
        for _ in range(missing[first + place]):
            masks[place] |= 1 << pool[dealt]
            dealt += 1
    return dealt


def take_queues(queues: Row, places: int, seat: int, known: int, counts: Row) -> None:
    """The same of piles whose cards lie in an order: LACKING is left in the place of each."""
    for place in range(places):
        if place != seat:
            first = place * QUEUE_BYTES + 1
            for index in range(first, first + queues[first - 1]):
                if known >> queues[index] & 1 == 0:
                    counts[queues[index]] += 1
                    queues[index] = LACKING


def give_queues(queues: Row, places: int, pool: Row, dealt: int) -> int:
    """Deal cards of the pool into the places where `take_queues` has left LACKING; how many are dealt now."""
    for place in range(places):
        first = place * QUEUE_BYTES + 1
        for index in range(first, first + queues[first - 1]):
            if queues[index] == LACKING:
                queues[index] = pool[dealt]
                dealt += 1
    return dealt
