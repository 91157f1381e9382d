"""Packs positions into rows of integers: equal rows are equal positions."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Fact
from fsm.declaration.declaration import Declaration

PER_WORD = 7
"""Small numbers or cards in a word: 7 bytes, so that no word is negative by them."""


@dataclass(frozen=True)
class PositionLayout:
    """Where what makes a position lies in a row: words of small numbers, a word for each seat of each list, the piles.

    scalars: facts that are small numbers. lists: fields with a number or a mask for each seat.
    """

    scalars: tuple[Fact, ...]
    lists: tuple[str, ...]

    @classmethod
    def of(cls, game: Declaration) -> PositionLayout:
        """The layout of a game."""
        return cls(game.position_facts, game.position_lists)

    @property
    def heads(self) -> int:
        """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
        return (len(self.scalars) + 3 + PER_WORD - 1) // PER_WORD

    def width(self, players: int, cards: int) -> int:
        """Words of a row for a number of players and of cards in the deck."""
        return self.heads + len(self.lists) * players + (cards + PER_WORD - 1) // PER_WORD


def least(fact: Fact) -> int:
    """What is added to a fact so that it is never negative: seats, cards and suits may be none, which is -1."""
    return 0 if fact.kind in ("number", "ending") else 1
