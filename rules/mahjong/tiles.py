"""The tiles: nine ranks in three suits, four of each; how the tiles of a suit are counted; and groups of tiles.

A tile's code is nine times its suit and its rank less one: 1D is 0, 9M is 26. How many tiles of each rank a suit has is
one number in octal: its last digit counts the ones, the digit before it the twos. 0o300000012 are 1D1D 2D 9D9D9D.
A run, a triplet or a gang is a meld, and there are pairs; exposed tiles are cut into melds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


class GroupKind(StrEnum):
    """What a group is."""

    PAIR = "pair"
    RUN = "run"
    TRIPLET = "triplet"
    GANG = "gang"


OFFSETS = {GroupKind.PAIR: (0, 0), GroupKind.RUN: (0, 1, 2), GroupKind.TRIPLET: (0, 0, 0), GroupKind.GANG: (0, 0, 0, 0)}
"""How far each tile of a group is from its first one."""
MELDS = {OFFSETS[kind]: kind for kind in (GroupKind.RUN, GroupKind.TRIPLET, GroupKind.GANG)}
SIZES = (4, 3)
"""How many tiles an exposed meld may have."""
MELD = "three equal, four equal or three in a row of one suit"


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that stand together: their kind and the lowest tile."""

    kind: GroupKind
    tile: int

    @property
    def tiles(self) -> tuple[int, ...]:
        """The codes of the tiles, the lowest first."""
        return tuple(self.tile + offset for offset in OFFSETS[self.kind])

    @property
    def equal(self) -> bool:
        """Whether all its tiles are equal."""
        return self.kind is not GroupKind.RUN

    def __str__(self) -> str:
        return "".join(TILES.names(self.tiles))


def meld_of(tiles: Sequence[int]) -> Group | None:
    """The meld that `tiles`, in any order, are, if they are one."""
    first = min(tiles)
    kind = MELDS.get(tuple(sorted(tile - first for tile in tiles)))
    if kind is None or (kind is GroupKind.RUN and rank_of(first) > RANKS - 2):
        return None
    return Group(kind, first)


def meld_kinds(melds: Sequence[Group]) -> tuple[int, int]:
    """The lowest tiles of the runs, and the kinds of the melds of equal tiles, as masks."""
    runs = triplets = 0
    for meld in melds:
        if meld.equal:
            triplets |= 1 << meld.tile
        else:
            runs |= 1 << meld.tile
    return runs, triplets


def cuts(tiles: Sequence[int]) -> Iterator[tuple[Group, ...]]:
    """Every way to cut `tiles`, as they lie, into melds; the longest first meld first."""
    if not tiles:
        yield ()
    for size in SIZES:
        if len(tiles) >= size and (meld := meld_of(tiles[:size])):
            for rest in cuts(tiles[size:]):
                yield (meld, *rest)


def exposed_melds(tiles: Sequence[int], number: int) -> tuple[Group, ...]:
    """The first way to cut `tiles` into `number` melds, or into another number if there is no such way.

    Where there are two ways (1D1D1D1D2D3D4D4D4D4D), both have a run without a 1 and without a 9, so they score alike.
    Raises ValueError, which names the tile where no meld begins.
    """
    found = list(cuts(tiles))
    if not found:
        index = _no_meld(tiles)
        names = "".join(TILES.names(tiles[index : index + max(SIZES)]))
        raise ValueError(f"exposed tile {index + 1}: no meld begins with {names}; use {MELD}")
    return next((melds for melds in found if len(melds) == number), found[0])


def _no_meld(tiles: Sequence[int]) -> int:
    """The farthest index up to which `tiles` can be cut into melds."""
    reached = {0}
    for index in range(len(tiles)):
        if index in reached:
            parts = (tiles[index : index + size] for size in SIZES)
            reached |= {index + len(part) for part in parts if meld_of(part)}
    return max(reached)
