"""Melds that are laid out: runs, triplets and gangs, in the order in which they were laid out.

The melds of a seat are one integer with seven bits for each, the first one lowest: its shape and its lowest tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from rules.mahjong.groups import MELD, Group, Kind, meld_of
from rules.mahjong.tiles import KINDS, RANKS, TILES
from rules.rule import effect, query, rule

RUN, TRIPLET, GANG = range(3)
"""The shapes of melds. A triplet that is claimed is called a pung, a run that is claimed a chow."""
SHAPES = (Kind.RUN, Kind.TRIPLET, Kind.GANG)
BITS = 7
MASK = (1 << BITS) - 1
MELD_NAMES = tuple(f"{shape} of {TILES.cards[tile]}" for shape in ("run", "triplet", "gang") for tile in range(KINDS))
"""The shape and the lowest tile of each code, from 1 on; no run begins with an 8 or a 9."""


class Melds(Protocol):
    """The field of a table with melds: those of each seat."""

    melds: list[int]


@rule
def code_of(shape: int, tile: int) -> int:
    """The code of a meld; no code is 0."""
    return shape * KINDS + tile + 1


@rule
def shape_of(code: int) -> int:
    """The shape of a meld."""
    return (code - 1) // KINDS


@rule
def tile_of(code: int) -> int:
    """The lowest tile of a meld."""
    return (code - 1) % KINDS


@query
def melds_laid(melds: int) -> int:
    """How many melds are laid out."""
    return (melds.bit_length() + BITS - 1) // BITS


@effect
def lay_meld(table: Melds, seat: int, shape: int, tile: int) -> None:
    """Add a meld to those of a seat."""
    table.melds[seat] |= code_of(shape, tile) << BITS * melds_laid(table.melds[seat])


@effect
def extend_triplet(table: Melds, seat: int, tile: int) -> None:
    """Make the gang of a tile of its triplet, which the seat has laid out."""
    index, melds = 0, table.melds[seat]
    while melds != 0:
        if melds & MASK == code_of(TRIPLET, tile):
            table.melds[seat] += code_of(GANG, tile) - code_of(TRIPLET, tile) << BITS * index
        melds >>= BITS
        index += 1


@query
def lowest_tiles(melds: int, shape: int) -> int:
    """The lowest tiles, as a mask, of the melds of a shape."""
    kinds = 0
    while melds != 0:
        if shape_of(melds & MASK) == shape:
            kinds |= 1 << tile_of(melds & MASK)
        melds >>= BITS
    return kinds


@query
def suits_laid(melds: int) -> int:
    """The suits, a bit each, of the melds."""
    suits = 0
    while melds != 0:
        suits |= 1 << tile_of(melds & MASK) // RANKS
        melds >>= BITS
    return suits


@query
def copies_laid(melds: int, tile: int) -> int:
    """How often a tile is in the melds."""
    copies = 0
    while melds != 0:
        shape, first = shape_of(melds & MASK), tile_of(melds & MASK)
        if shape == RUN:
            copies += first <= tile <= first + 2
        elif first == tile:
            copies += shape + 2
        melds >>= BITS
    return copies


def groups_of(melds: int) -> Iterator[Group]:
    """The melds as groups of tiles."""
    while melds:
        yield Group(SHAPES[shape_of(melds & MASK)], tile_of(melds & MASK))
        melds >>= BITS


def laid_out(table: Melds, seat: int) -> list[tuple[int, ...]]:
    """The tiles of each meld of a seat."""
    return [group.tiles for group in groups_of(table.melds[seat])]


def lay_out(table: Melds, seat: int, tiles: Sequence[int]) -> None:
    """Lay out tiles as one meld. Raises ValueError if they are none."""
    meld = meld_of(tiles)
    if meld is None:
        raise ValueError(f"expected {MELD}")
    lay_meld(table, seat, SHAPES.index(meld.kind), meld.tile)
