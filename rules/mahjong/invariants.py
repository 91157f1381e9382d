"""What holds at every moment of mahjong at the table, said once more without its guards and effects."""

from __future__ import annotations

from rules.ending import OUT_OF_CARDS, WON
from rules.mahjong.game import (
    BITS,
    GANG,
    MASK,
    NOBODY,
    RUN,
    MahjongTable,
    copies_laid,
    lowest_tiles,
    melds_laid,
    shape_of,
    suits_laid,
    tile_of,
)
from rules.mahjong.tiles import COPIES, KINDS, RANKS, SUIT_KINDS
from rules.rule import query, rule
from rules.seats import seat_after
from rules.table import copies_held, hand_size

# ---------------------------------------------------------------- tiles


@rule
def size_of(table: MahjongTable, seat: int) -> int:
    """The tiles of a seat: those of the hand, and three for each meld, also for a gang."""
    return hand_size(table, seat) + 3 * melds_laid(table.melds[seat])


@query
def piles_are_sound(table: MahjongTable) -> bool:
    """The last tile of the pile is the open one; none is open if there is none."""
    size = table.tail - table.head
    if not 0 <= table.stock <= size <= len(table.ring):
        return False
    last = table.ring[table.tail - 1 & len(table.ring) - 1] if size > table.stock else -1
    return table.open_card == last


@rule
def hands_are_even_but_for(table: MahjongTable, seat: int) -> bool:
    """Whether all seats have 3m + 1 tiles, and one of them, if it is a seat, has one more."""
    size = size_of(table, 0) - (seat == 0)
    for other in range(table.players):
        if size_of(table, other) != size + (other == seat):
            return False
    return size % 3 == 1


@query
def hands_are_even(table: MahjongTable) -> bool:
    """All seats have 3m + 1 tiles."""
    return hands_are_even_but_for(table, NOBODY)


@query
def player_has_one_more(table: MahjongTable) -> bool:
    """All seats have 3m + 1 tiles, and who acts one more."""
    return hands_are_even_but_for(table, table.player)


@query
def winner_has_one_more(table: MahjongTable) -> bool:
    """All seats have 3m + 1 tiles, and the winner, if there is one, one more."""
    return hands_are_even_but_for(table, table.winner)


# ---------------------------------------------------------------- turns


@query
def turn_is_a_seat(table: MahjongTable) -> bool:
    """The turn is that of a player."""
    return 0 <= table.turn < table.players


@query
def turn_acts(table: MahjongTable) -> bool:
    """Who is in turn acts."""
    return table.player == table.turn


@query
def nothing_has_happened(table: MahjongTable) -> bool:
    """The first player is in turn, no tile lies on the pile and no meld is laid out."""
    laid = 0
    for seat in range(table.players):
        laid |= table.melds[seat]
    return table.player == 0 and table.turn == 0 and table.tail == table.head + table.stock and laid == 0


@query
def next_one_draws(table: MahjongTable) -> bool:
    """The seat after the one in turn draws, at the beginning the first one."""
    if table.tail == table.head + table.stock:
        return nothing_has_happened(table)
    return next_to_turn_acts(table)


@query
def other_is_asked(table: MahjongTable) -> bool:
    """A tile lies on the pile, and another seat than the one in turn acts."""
    return table.tail > table.head + table.stock and table.player != table.turn


@query
def next_to_turn_acts(table: MahjongTable) -> bool:
    """The seat after the one in turn acts."""
    return table.player == seat_after(table.turn, table.players)


@query
def gang_is_replaced(table: MahjongTable) -> bool:
    """There is a tile in the wall, and who acts has laid out a gang."""
    return table.stock > 0 and lowest_tiles(table.melds[table.player], GANG) != 0


@query
def nothing_is_paid(table: MahjongTable) -> bool:
    """There is no score yet, and nobody pays."""
    return table.score == 0 and table.payer == NOBODY


@query
def ended_rightly(table: MahjongTable) -> bool:
    """Who acts has won what the hand is worth, and who was in turn pays it, or all others of a winner in turn; or the
    wall is empty, nobody pays, and the next seat would draw.
    """
    if table.ending != WON:
        exhausted = table.ending == OUT_OF_CARDS and table.stock == 0
        return exhausted and nothing_is_paid(table) and next_one_draws(table)
    payer = NOBODY if table.winner == table.turn else table.turn
    paid = table.score == worth_of_hand(table, table.winner) > 0 and table.payer == payer
    return paid and table.winner == table.player and is_winning(table, table.winner, NOBODY)


# ---------------------------------------------------------------- winning, decided in another way


@query
def is_winning(table: MahjongTable, seat: int, tile: int) -> bool:
    """Whether the hand of a seat, with one tile more if it is one, wins with what is laid out."""
    if suits_of_seat(table, seat, tile) > 2:
        return False
    if table.melds[seat] == 0 and hand_size(table, seat) + (tile >= 0) == 14 and is_even(table, seat, tile):
        return True
    for pair in range(KINDS):
        if copies_held(table, seat, pair) + (pair == tile) >= 2 and is_groups(table, seat, tile, pair):
            return True
    return False


@rule
def suits_of_seat(table: MahjongTable, seat: int, tile: int) -> int:
    """Of how many suits the tiles of a seat are, with one tile more."""
    hand, suits = table.hands[seat] | (1 << tile if tile >= 0 else 0), 0
    for suit in range(3):
        suits += hand >> RANKS * suit & SUIT_KINDS != 0 or suits_laid(table.melds[seat]) >> suit & 1 == 1
    return suits


@rule
def is_even(table: MahjongTable, seat: int, tile: int) -> bool:
    """Whether every kind is held twice or four times, with one tile more."""
    for each in range(KINDS):
        if copies_held(table, seat, each) + (each == tile) & 1 == 1:
            return False
    return True


@rule
def is_groups(table: MahjongTable, seat: int, tile: int, pair: int) -> bool:
    """Whether a hand with one tile more and without a pair is groups: of three equal tiles where there are three."""
    for suit in range(3):
        second = third = 0
        for each in range(RANKS * suit, RANKS * suit + RANKS):
            left = copies_held(table, seat, each) + (each == tile) - 2 * (each == pair) - second
            if left < 0:
                return False
            runs = left % 3
            second, third = third + runs, runs
        if second != 0 or third != 0:
            return False
    return True


@query
def is_paid(table: MahjongTable, seat: int, points: int) -> bool:
    """Of a hand that won with the open tile, who discarded that pays the worth; of any other, everybody else does."""
    if table.ending != WON:
        return points == 0
    worth, is_own = worth_of_hand(table, table.winner), table.winner == table.turn
    if seat == table.winner:
        return points == (worth * (table.players - 1) if is_own else worth)
    return points == (-worth if is_own or seat == table.turn else 0)


# ---------------------------------------------------------------- what a hand that wins is worth


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
