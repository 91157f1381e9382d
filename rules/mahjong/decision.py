"""The house policy of mahjong: it clears one suit, wins, claims what is of the others, and keeps what may combine."""

from __future__ import annotations

from rules.mahjong.game import MahjongTable, gang_claims, gangs_in_turn, run_starts, suits_laid
from rules.mahjong.tiles import RANKS, SUIT_KINDS
from rules.rule import choice, guard, query, rule

NO_SUIT = -1
MIDDLE = RANKS // 2
"""The rank 5, counted from 0."""
PAIR_WORTH, NEXT_WORTH, NEAR_WORTH = 4, 2, 1
"""What a tile is worth if it is held twice, and for each kind one and two ranks away that is held."""


# ---------------------------------------------------------------- the unwanted suit


@query
def unwanted_suit(table: MahjongTable) -> int:
    """The suit that who acts clears: of those without a meld the one with the fewest tiles in the hand, of equal ones
    the last; none if melds of all suits are laid out.
    """
    laid = suits_laid(table.melds[table.player])
    suit, fewest = NO_SUIT, 0
    for each in range(3):
        if laid >> each & 1 == 0:
            tiles = tiles_of_suit(table, each)
            if suit == NO_SUIT or tiles <= fewest:
                suit, fewest = each, tiles
    return suit


@rule
def tiles_of_suit(table: MahjongTable, suit: int) -> int:
    """How many tiles of a suit are in the hand of who acts."""
    kinds = SUIT_KINDS << RANKS * suit
    pairs = (table.hands[table.player] & kinds).bit_count() + (table.twins[table.player] & kinds).bit_count()
    others = (table.triples[table.player] & kinds).bit_count() + (table.quadruples[table.player] & kinds).bit_count()
    return pairs + others


@query
def unwanted_kinds(table: MahjongTable) -> int:
    """All kinds, as a mask, of the unwanted suit."""
    suit = unwanted_suit(table)
    return 0 if suit == NO_SUIT else SUIT_KINDS << RANKS * suit


@rule
def open_tile_is_wanted(table: MahjongTable) -> bool:
    """Whether the open tile is not of the unwanted suit."""
    return unwanted_kinds(table) >> table.open_card & 1 == 0


# ---------------------------------------------------------------- claims


@guard("no gang of a wanted suit")
def gang_is_wanted(table: MahjongTable) -> bool:
    """A gang can be laid out that is not of the unwanted suit."""
    return gangs_in_turn(table) & ~unwanted_kinds(table) != 0


@choice
def first_wanted_gang(table: MahjongTable) -> int:
    """The first tile of which a gang is laid out."""
    return lowest(gangs_in_turn(table) & ~unwanted_kinds(table))


@guard("the tile is not wanted as a gang")
def claim_of_gang_is_wanted(table: MahjongTable) -> bool:
    """A gang can be claimed, and the tile is not of the unwanted suit."""
    return gang_claims(table) != 0 and open_tile_is_wanted(table)


@guard("the tile is not wanted as a pung")
def claim_of_pung_is_wanted(table: MahjongTable) -> bool:
    """No gang can be claimed, and the tile is not of the unwanted suit."""
    return gang_claims(table) == 0 and open_tile_is_wanted(table)


@choice
def open_tile(table: MahjongTable) -> int:
    """The open tile."""
    return table.open_card


@guard("the tile is not wanted in a run")
def claim_of_run_is_wanted(table: MahjongTable) -> bool:
    """The tile is not of the unwanted suit, of which none is in the hand, and no tile equal to it is there."""
    hand, unwanted, tile = table.hands[table.player], unwanted_kinds(table), 1 << table.open_card
    return hand & (unwanted | tile) == 0 and unwanted & tile == 0


@choice
def lowest_run(table: MahjongTable) -> int:
    """The lowest tile of the lowest run."""
    return lowest(run_starts(table))


# ---------------------------------------------------------------- discards


@guard("no tile of the unwanted suit is held")
def unwanted_is_held(table: MahjongTable) -> bool:
    """A tile of the unwanted suit is in the hand."""
    return table.hands[table.player] & unwanted_kinds(table) != 0


@choice
def least_unwanted(table: MahjongTable) -> int:
    """The tile of the unwanted suit that is worth least."""
    return worth_least(table, table.hands[table.player] & unwanted_kinds(table))


@choice
def least_of_hand(table: MahjongTable) -> int:
    """The tile that is worth least."""
    return worth_least(table, table.hands[table.player])


@query
def worth(table: MahjongTable, tile: int) -> int:
    """What a tile of the hand is worth: as a pair, and for the kinds beside it that are held."""
    rank = tile % RANKS
    kinds = table.hands[table.player] >> tile - rank & SUIT_KINDS
    beside = (kinds & (1 << rank << 1 | 1 << rank >> 1)).bit_count()
    near = (kinds & (1 << rank << 2 | 1 << rank >> 2)).bit_count()
    return PAIR_WORTH * (table.twins[table.player] >> tile & 1) + NEXT_WORTH * beside + NEAR_WORTH * near


@rule
def worth_least(table: MahjongTable, kinds: int) -> int:
    """Of the kinds of a mask the one worth least, of equal ones the one farthest from 5, of these the first."""
    best, least = -1, 0
    while kinds != 0:
        tile = lowest(kinds)
        kinds &= kinds - 1
        costs = RANKS * worth(table, tile) - abs(tile % RANKS - MIDDLE)
        if best < 0 or costs < least:
            best, least = tile, costs
    return best


@rule
def lowest(kinds: int) -> int:
    """The first kind of a mask, which is not empty."""
    return (kinds & -kinds).bit_length() - 1
