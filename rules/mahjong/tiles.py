"""The tiles: nine ranks in three suits, four of each; and how the tiles of a suit are counted.

A tile's code is nine times its suit and its rank less one: 1D is 0, 9M is 26. How many tiles of each rank a suit has is
one number in octal: its last digit counts the ones, the digit before it the twos. 0o300000012 are 1D1D 2D 9D9D9D.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.notation import Notation
from rules.rule import rule

SUITS = "DBM"
SUIT_NAMES = ("dots", "bamboos", "characters")
RANKS = 9
COPIES = 4

TILES = Notation(
    tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, RANKS + 1)), SUITS, "suit", SUIT_NAMES, "tile"
)
KINDS = len(TILES.cards)

Counts = tuple[int, int, int]
"""The counts of each suit."""
BITS = 3
"""Bits of an octal digit."""
FOURS = 0o444444444
"""The bits that are set where a rank is there four times."""
ODD = 0o111111111
"""The bits that are set where a rank is there an odd number of times."""


SUIT_KINDS = (1 << RANKS) - 1
"""The kinds of the first suit as a mask; shifted left by nine times a suit, those of that suit."""


def rank_of(tile: int) -> int:
    """The rank of a tile, from 1."""
    return tile % RANKS + 1


def counted(tiles: Iterable[int]) -> Counts:
    """How many of each rank `tiles` have in each suit; no kind may be there more than seven times."""
    suits = [0, 0, 0]
    for tile in tiles:
        suits[tile // RANKS] += 1 << tile % RANKS * BITS
    return suits[0], suits[1], suits[2]


def with_tile(counts: Counts, tile: int) -> Counts:
    """The counts with one more tile."""
    suits = list(counts)
    suits[tile // RANKS] += 1 << tile % RANKS * BITS
    return suits[0], suits[1], suits[2]


def held(counts: Counts, tile: int) -> int:
    """How many of this kind there are."""
    return counts[tile // RANKS] >> tile % RANKS * BITS & 7


def kinds_of_ranks(*ranks: int) -> int:
    """The kinds of all suits, as a mask, that have one of these ranks."""
    return sum(1 << RANKS * suit + rank - 1 for suit in range(len(SUITS)) for rank in ranks)


@rule
def suits_of(kinds: int) -> int:
    """Of how many suits the kinds of a mask are."""
    first, second, third = kinds & SUIT_KINDS, kinds >> RANKS & SUIT_KINDS, kinds >> 2 * RANKS & SUIT_KINDS
    return (first != 0) + (second != 0) + (third != 0)


def fours_of(counts: Counts) -> int:
    """The kinds, as a mask, that are there four times."""
    fours = 0
    for suit, tiles in enumerate(counts):
        bits = tiles & FOURS
        while bits:
            fours |= 1 << suit * RANKS + (bits & -bits).bit_length() // BITS - 1
            bits &= bits - 1
    return fours


def suits_held(counts: Counts) -> int:
    """Of how many suits there are tiles."""
    return 3 - counts.count(0)
