"""The game of mahjong at the table: the table and the deal, turns, melds, claims of a discarded tile, and gangs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.asking import take_turn
from rules.cards import NO_CARD
from rules.mahjong.tiles import COPIES, KINDS, MELD, RANKS, TILES, Group, GroupKind, kinds_of_ranks, meld_of
from rules.piles import lay_open, take_open, take_top, trace
from rules.rule import among, effect, guard, query, rule
from rules.table import FourfoldTable, deal_copies_in_turn_unopened, each_seat, give_copy, receive_copy, ring_of
from rules.visibility import discards_seen, seen_by_all

FEWEST_PLAYERS, MAX_PLAYERS = 2, 4
HAND_SIZES = (4, 7, 10, 13)
"""Tiles that each player may be dealt: one short of one to four groups and a pair."""
TILES_EACH = 13
DECK_SIZE = COPIES * KINDS
NOBODY = -1


@dataclass(slots=True)
class MahjongTable(FourfoldTable):
    """The tiles and facts of one game. `player` is the seat that acts, `turn` the seat whose turn it is.

    The wall is the draw pile, the discards lie on the discard pile.
    """

    turn: int = seen_by_all(0)
    melds: list[int] = seen_by_all(factory=each_seat(4))  # laid out, see rules.mahjong.game

    ring: bytearray = discards_seen(ring_of(128))

    score: int = seen_by_all(0)  # of the winner's hand
    payer: int = seen_by_all(NOBODY)  # who discarded the tile that won; all others pay if nobody did


@query
def tiles_each(players: int) -> int:
    """Tiles that each player is dealt."""
    return TILES_EACH


@effect
def deal(table: MahjongTable, deck: Sequence[int], players: int) -> None:
    """Deal a game."""
    deal_copies_in_turn_unopened(table, deck, players, TILES_EACH)


# ---------------------------------------------------------------- turns

# A tile is taken from the wall, and one is discarded.


@guard("the wall is empty")
def wall_left(table: MahjongTable) -> bool:
    """There is a tile in the wall."""
    return table.stock > 0


@effect
def take_tile(table: MahjongTable) -> None:
    """Who acts takes the top tile of the wall, and has the turn."""
    table.drawn = take_top(table)
    receive_copy(table, table.player, table.drawn)
    take_turn(table)


@query
def tiles_in_hand(table: MahjongTable) -> int:
    """The kinds, as a mask, in the hand of who acts."""
    return table.hands[table.player]


@guard("{card} is not in the hand")
def is_in_hand(table: MahjongTable) -> bool:
    """The tile is in the hand."""
    return table.hands[table.player] >> table.card & 1 == 1


@effect
def discard_tile(table: MahjongTable) -> None:
    """The tile goes from the hand on the pile."""
    give_copy(table, table.player, table.card)
    lay_open(table, table.card)
    trace(table, table.card)
    table.drawn = NO_CARD
    table.turns += 1


# ---------------------------------------------------------------- melds

# The melds that a seat has laid out are one number: a code of seven bits for each.


RUN, TRIPLET, GANG = range(3)
"""The shapes of melds. A triplet that is claimed is called a pung, a run that is claimed a chow."""
SHAPES = (GroupKind.RUN, GroupKind.TRIPLET, GroupKind.GANG)
BITS = 7
MASK = (1 << BITS) - 1
MELD_NAMES = tuple(f"{shape} of {TILES.cards[tile]}" for shape in ("run", "triplet", "gang") for tile in range(KINDS))
"""The shape and the lowest tile of each code, from 1 on; no run begins with an 8 or a 9."""


class MeldTable(Protocol):
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
def lay_meld(table: MeldTable, seat: int, shape: int, tile: int) -> None:
    """Add a meld to those of a seat."""
    table.melds[seat] |= code_of(shape, tile) << BITS * melds_laid(table.melds[seat])


@effect
def extend_triplet(table: MeldTable, seat: int, tile: int) -> None:
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


def laid_out(table: MeldTable, seat: int) -> list[tuple[int, ...]]:
    """The tiles of each meld of a seat."""
    return [group.tiles for group in groups_of(table.melds[seat])]


def lay_out(table: MeldTable, seat: int, tiles: Sequence[int]) -> None:
    """Lay out tiles as one meld. Raises ValueError if they are none."""
    meld = meld_of(tiles)
    if meld is None:
        raise ValueError(f"use {MELD}")
    lay_meld(table, seat, SHAPES.index(meld.kind), meld.tile)


# ---------------------------------------------------------------- claims of a set

# The open tile and equal ones of the hand are a pung or a gang.


@guard("{open_card} is not held twice")
def two_held(table: MahjongTable) -> bool:
    """Two tiles equal to the open one are in the hand."""
    return table.twins[table.player] >> table.open_card & 1 == 1


@guard("{open_card} is not held three times")
def three_held(table: MahjongTable) -> bool:
    """Three tiles equal to the open one are in the hand."""
    return table.triples[table.player] >> table.open_card & 1 == 1


@guard("{card} is not the open tile")
def is_open_tile(table: MahjongTable) -> bool:
    """The tile is the open one."""
    return table.card == table.open_card


@query
def pung_tiles(table: MahjongTable) -> int:
    """The open tile, as a mask, if it may be claimed as a pung."""
    return table.twins[table.player] & 1 << table.open_card


@query
def gang_claims(table: MahjongTable) -> int:
    """The open tile, as a mask, if it may be claimed as a gang: that needs a tile in the wall."""
    return table.triples[table.player] & 1 << table.open_card if table.stock > 0 else 0


@effect
def claim_pung(table: MahjongTable) -> None:
    """The open tile and two of the hand are laid out, and it is the turn of who claims it."""
    tile = take_open(table)
    for _ in range(2):
        give_copy(table, table.player, tile)
    lay_meld(table, table.player, TRIPLET, tile)
    take_turn(table)


@effect
def claim_gang(table: MahjongTable) -> None:
    """The open tile and three of the hand are laid out, and it is the turn of who claims it."""
    tile = take_open(table)
    for _ in range(3):
        give_copy(table, table.player, tile)
    lay_meld(table, table.player, GANG, tile)
    take_turn(table)


# ---------------------------------------------------------------- claims of a run

# Who is next may lay out a chow with the open tile.


RUN_STARTS = kinds_of_ranks(1, 2, 3, 4, 5, 6, 7)
"""The kinds that may be the lowest of a run."""


@query
def run_starts(table: MahjongTable) -> int:
    """The lowest tiles, as a mask, of the runs that who is asked can lay out with the open tile."""
    tile = 1 << table.open_card
    tiles = table.hands[table.player] | tile
    with_open = tile | tile >> 1 | tile >> 2
    return tiles & tiles >> 1 & tiles >> 2 & with_open & RUN_STARTS


@guard("there is no run with {open_card}")
def run_can_be_made(table: MahjongTable) -> bool:
    """A run can be made with the open tile."""
    return run_starts(table) != 0


begins_run = among(run_starts, "begins_run", "{card} is not the lowest tile of a run with {open_card}",
                   "The tile is the lowest of a run with the open tile.")  # fmt: skip


@effect
def claim_chow(table: MahjongTable) -> None:
    """The open tile and two of the hand are laid out as a run, and it is the turn of who claims it."""
    receive_copy(table, table.player, take_open(table))
    for tile in range(table.card, table.card + 3):
        give_copy(table, table.player, tile)
    lay_meld(table, table.player, RUN, table.card)
    take_turn(table)


# ---------------------------------------------------------------- gangs in one's own turn

# Four tiles of the hand, or one that joins a pung, are laid out, and another tile is taken.


@query
def gangs_in_turn(table: MahjongTable) -> int:
    """The kinds, as a mask, of which the player in turn can lay out a gang: that needs a tile in the wall."""
    if table.stock == 0:
        return 0
    added = lowest_tiles(table.melds[table.player], TRIPLET) & table.hands[table.player]
    return table.quadruples[table.player] | added


@guard("{card} is not in the hand four times")
def four_held(table: MahjongTable) -> bool:
    """Four such tiles are in the hand."""
    return table.quadruples[table.player] >> table.card & 1 == 1


@guard("{card} is neither in the hand four times nor the fourth tile of a pung that is laid out")
def joins_pung(table: MahjongTable) -> bool:
    """The tile is in the hand, and three such tiles are laid out."""
    pungs = lowest_tiles(table.melds[table.player], TRIPLET)
    return pungs & table.hands[table.player] & 1 << table.card != 0


@effect
def lay_gang(table: MahjongTable) -> None:
    """Four equal tiles of the hand are laid out."""
    for _ in range(4):
        give_copy(table, table.player, table.card)
    lay_meld(table, table.player, GANG, table.card)
    table.drawn = NO_CARD


@effect
def add_to_pung(table: MahjongTable) -> None:
    """The tile is laid to the pung: it is a gang now."""
    give_copy(table, table.player, table.card)
    extend_triplet(table, table.player, table.card)
    table.drawn = NO_CARD
