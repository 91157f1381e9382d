"""What a hand that wins is worth, worked out tile by tile from the rules: for the checks, beside the scoring items."""

from __future__ import annotations

from rules.mahjong.game import BITS, MASK, RUN, MahjongTable, copies_laid, shape_of, tile_of
from rules.mahjong.tiles import COPIES, KINDS, RANKS
from rules.rule import query, rule
from rules.table import copies_held

GROUPS_OF_THREE = 16
"""The choices of those that are laid together, of at most four kinds that are held three times."""
PAIRS = 7


@query
def worth_of_hand(table: MahjongTable, seat: int) -> int:
    """The most that the tiles of a seat are worth, in all the ways in which they are groups; 0 if they are none."""
    best = 0
    for pair in range(KINDS):
        if copies_held(table, seat, pair) >= 2:
            for chosen in range(GROUPS_OF_THREE):
                best = max(best, worth_of_groups(table, seat, pair, chosen))
    best = max(best, worth_of_pairs(table, seat))
    suits = suits_held(table, seat)
    return best + worth_of_tiles(table, seat) + 2 * (suits == 1) if best > 0 and suits <= 2 else 0


@rule
def suits_held(table: MahjongTable, seat: int) -> int:
    """How many suits the tiles of a seat are of."""
    suits = 0
    for suit in range(KINDS // RANKS):
        tiles = 0
        for tile in range(RANKS * suit, RANKS * suit + RANKS):
            tiles += copies_held(table, seat, tile) + copies_laid(table.melds[seat], tile)
        suits += tiles > 0
    return suits


@rule
def worth_of_tiles(table: MahjongTable, seat: int) -> int:
    """A point for each kind of which all four tiles are there."""
    points = 0
    for tile in range(KINDS):
        points += copies_held(table, seat, tile) + copies_laid(table.melds[seat], tile) == COPIES
    return points


@rule
def worth_of_pairs(table: MahjongTable, seat: int) -> int:
    """Seven pairs: 1 for the hand and 2 for them, 2 more if each has a 1 or a 9; 0 if the hand is something else."""
    pairs, ends = 0, True
    for tile in range(KINDS):
        held = copies_held(table, seat, tile)
        if held % 2 == 1 or copies_laid(table.melds[seat], tile) > 0:
            return 0
        pairs += held // 2
        if held > 0 and 0 < tile % RANKS < RANKS - 1:
            ends = False
    return 0 if pairs != PAIRS else 5 if ends else 3


@rule
def worth_of_groups(table: MahjongTable, seat: int, pair: int, chosen: int) -> int:
    """The groups and a pair: 1 for the hand; 1 if all groups are of equal tiles, and 2 if then all are 2, 5 or 8; 2 if
    each group and the pair has a 1 or a 9. 0 if the tiles are something else.

    chosen: of the kinds that are held three times beside the pair, which three lie together, a bit for each.
    """
    rank = pair % RANKS
    groups, runs, ends, middle = 0, 0, rank == 0 or rank == RANKS - 1, rank % 3 == 1
    place, ahead, last = 0, 0, 0
    for tile in range(KINDS):
        rank = tile % RANKS
        if rank == 0 and ahead + last > 0:
            return 0
        left = copies_held(table, seat, tile) - (2 if tile == pair else 0)
        if left >= 3:
            if chosen >> place & 1 == 1:
                left -= 3
                groups += 1
                ends = ends and (rank == 0 or rank == RANKS - 1)
                middle = middle and rank % 3 == 1
            place += 1
        left -= ahead + last
        if left < 0:
            return 0
        if left > 0:
            runs += left
            ends = ends and (rank == 0 or rank == RANKS - 3)
        ahead, last = left, ahead
    if ahead + last > 0:
        return 0
    melds = table.melds[seat]
    while melds != 0:
        rank = tile_of(melds & MASK) % RANKS
        if shape_of(melds & MASK) == RUN:
            runs += 1
            ends = ends and (rank == 0 or rank == RANKS - 3)
        else:
            groups += 1
            ends = ends and (rank == 0 or rank == RANKS - 1)
            middle = middle and rank % 3 == 1
        melds >>= BITS
    points = 1 + 2 * ends
    if runs == 0 and groups > 0:
        points += 3 if middle else 1
    return points
