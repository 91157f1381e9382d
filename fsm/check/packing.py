"""Packs positions into rows of integers: equal rows are equal positions."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from rules.queues import QUEUE_BYTES

PER_WORD = 7
"""Small numbers or cards in a word: 7 bytes, so that no word is negative by them."""


@dataclass(frozen=True)
class PositionLayout:
    """Where what makes a position lies in a row: words of small numbers, a word for each seat of each list, the piles.

    scalars: facts that are small numbers. lists: fields with a number or a mask for each seat. queues: piles whose
    cards lie in an order, in bytes.
    """

    scalars: tuple[Fact, ...]
    lists: tuple[str, ...]
    queues: tuple[Fact, ...]

    @classmethod
    def of(cls, game: Declaration) -> PositionLayout:
        """The layout of a game."""
        return cls(game.position_facts, game.position_lists, game.queues)

    @property
    def heads(self) -> int:
        """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
        return words(len(self.scalars) + 3)

    def width(self, players: int, cards: int) -> int:
        """Words of a row for a number of players and of cards in the deck."""
        queues = sum(words(len(fact.piles(players)) * QUEUE_BYTES) for fact in self.queues)
        return self.heads + len(self.lists) * players + queues + words(cards)


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
