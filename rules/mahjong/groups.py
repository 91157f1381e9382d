"""Groups of tiles: a run, a triplet or a gang is a meld, and there are pairs; how exposed tiles are cut into melds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rules.mahjong.tiles import RANKS, TILES, rank_of


class Kind(StrEnum):
    """What a group is."""

    PAIR = "pair"
    RUN = "run"
    TRIPLET = "triplet"
    GANG = "gang"


OFFSETS = {Kind.PAIR: (0, 0), Kind.RUN: (0, 1, 2), Kind.TRIPLET: (0, 0, 0), Kind.GANG: (0, 0, 0, 0)}
"""How far each tile of a group is from its first one."""
MELDS = {OFFSETS[kind]: kind for kind in (Kind.RUN, Kind.TRIPLET, Kind.GANG)}
SIZES = (4, 3)
"""How many tiles an exposed meld may have."""
MELD = "three equal, four equal or three in a row of one suit"


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that stand together: their kind, the lowest tile, and the ranks of all."""

    kind: Kind
    tile: int
    ranks: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", tuple(rank_of(tile) for tile in self.tiles))

    @property
    def tiles(self) -> tuple[int, ...]:
        """The codes of the tiles, the lowest first."""
        return tuple(self.tile + offset for offset in OFFSETS[self.kind])

    @property
    def equal(self) -> bool:
        """Whether all its tiles are equal."""
        return self.kind is not Kind.RUN

    def __str__(self) -> str:
        return "".join(TILES.names(self.tiles))


def meld_of(tiles: Sequence[int]) -> Group | None:
    """The meld that `tiles`, in any order, are, if they are one."""
    first = min(tiles)
    kind = MELDS.get(tuple(sorted(tile - first for tile in tiles)))
    if kind is None or (kind is Kind.RUN and rank_of(first) > RANKS - 2):
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
        raise ValueError(f"exposed tile {index + 1}: {names} begins no meld, expected {MELD}")
    return next((melds for melds in found if len(melds) == number), found[0])


def _no_meld(tiles: Sequence[int]) -> int:
    """The farthest index up to which `tiles` can be cut into melds."""
    reached = {0}
    for index in range(len(tiles)):
        if index in reached:
            parts = (tiles[index : index + size] for size in SIZES)
            reached |= {index + len(part) for part in parts if meld_of(part)}
    return max(reached)
