"""Rows of integers into which positions are packed, so that equal rows are equal positions.

A row has words of small numbers, a word for each seat of each list, then the piles whose cards lie in an order and both
piles, in bytes.
"""

from __future__ import annotations

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from rules.queues import QUEUE_BYTES

PER_WORD = 7
"""Small numbers or cards in a word: 7 bytes, so that no word is negative by them."""


def heads(game: Declaration) -> int:
    """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
    return words(len(game.position_facts) + 3)


def width(game: Declaration, players: int) -> int:
    """Words of a row for a number of players."""
    queues = sum(words(len(fact.piles(players)) * QUEUE_BYTES) for fact in game.queues)
    return heads(game) + len(game.position_lists) * players + queues + words(game.deck_size)


def extract(bits: int, mask: int) -> int:
    """The bits of a word where `mask` has some, moved down so that no gap is left between them.

    Compiled code uses an instruction of the processor instead, if it has one.
    """
    found = place = 0
    while mask != 0:
        low = mask & -mask
        found |= (bits & low != 0) << place
        place += 1
        mask &= mask - 1
    return found


def deposit(bits: int, mask: int) -> int:
    """Undo `extract`; the other bits are 0. An instruction in compiled code, too."""
    found = 0
    while mask != 0:
        found |= (mask & -mask) * (bits & 1)
        bits >>= 1
        mask &= mask - 1
    return found


def words(small: int) -> int:
    """Words of so many small numbers."""
    return (small + PER_WORD - 1) // PER_WORD


def least(fact: Fact) -> int:
    """What is added to a fact so that it is never negative: seats, cards and suits may be none, which is -1."""
    return 0 if fact.kind in ("number", "ending") else 1
