"""The tiles: nine ranks in three suits, four of each; and how the tiles of a suit are counted.

A tile's code is nine times its suit and its rank less one: 1D is 0, 9M is 26. How many tiles of each rank a suit has is
one number in octal: its last digit counts the ones, the digit before it the twos. 0o300000012 are 1D1D 2D 9D9D9D.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.notation import Notation

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


def suits_held(counts: Counts) -> int:
    """Of how many suits there are tiles."""
    return 3 - counts.count(0)
