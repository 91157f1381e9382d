"""Winning: the hand and the melds laid out are groups of three and a pair, or seven pairs, of at most two suits.

The score is that of the best split, by the scoring items that also score the waits of a hand.
"""

from __future__ import annotations

from rules.ending import OUT_OF_CARDS, WON
from rules.mahjong.game import GANG, NOBODY, RUN, TRIPLET, MahjongTable, copies_laid, lowest_tiles, suits_laid
from rules.mahjong.hand import MAX_SUITS
from rules.mahjong.items import ITEMS, score_of
from rules.mahjong.tiles import KINDS, RANKS, SUIT_KINDS
from rules.piles import take_open
from rules.rule import effect, guard, query, rule
from rules.table import copies_held, give_copy, hand_size, receive_copy

SCORE = score_of(ITEMS)
PAIRS = 7
NO_SPLIT = -1


@guard("the hand does not win")
def hand_wins(table: MahjongTable) -> bool:
    """The hand of who acts wins."""
    return best_score(table, table.player) > 0


@guard("the hand does not win with {open_card}")
def wins_with_discard(table: MahjongTable) -> bool:
    """The hand of who is asked wins with the tile that was discarded."""
    receive_copy(table, table.player, table.open_card)
    wins = best_score(table, table.player) > 0
    give_copy(table, table.player, table.open_card)
    return wins


@effect
def win(table: MahjongTable) -> None:
    """Who acts wins with the tile taken: every other seat pays."""
    table.ending, table.winner = WON, table.player
    table.score, table.payer = best_score(table, table.player), NOBODY


@effect
def win_with_discard(table: MahjongTable) -> None:
    """Who is asked wins with the tile that was discarded: who discarded it pays."""
    receive_copy(table, table.player, take_open(table))
    table.ending, table.winner = WON, table.player
    table.score, table.payer = best_score(table, table.player), table.turn


@effect
def exhaust_wall(table: MahjongTable) -> None:
    """The game is over without a winner."""
    table.ending = OUT_OF_CARDS


@query
def score(table: MahjongTable, seat: int) -> int:
    """What a seat gains: the winner what the others pay."""
    if table.winner == NOBODY:
        return 0
    if seat == table.winner:
        return table.score * (1 if table.payer != NOBODY else table.players - 1)
    return -table.score if table.payer in (NOBODY, seat) else 0


# ------------------------------------------------------------------ the splits of a hand


@query
def best_score(table: MahjongTable, seat: int) -> int:
    """The most that a split of the hand of a seat, with its melds, scores; 0 if the hand does not win."""
    if not may_win(table, seat):
        return 0
    melds = table.melds[seat]
    runs, gangs = lowest_tiles(melds, RUN), lowest_tiles(melds, GANG)
    triplets, fours = lowest_tiles(melds, TRIPLET) | gangs, kinds_held_four_times(table, seat)
    best = SCORE(fours, 0, 0, table.hands[seat]) if is_seven_pairs(table, seat) else 0
    pairs = table.twins[seat]
    while pairs != 0:
        pair = pairs & -pairs
        pairs ^= pair
        whole = table.triples[seat] & ~pair
        equal = whole
        while True:
            started = runs_beside(table, seat, pair, equal)
            if started != NO_SPLIT:
                best = max(best, SCORE(fours, runs | started, triplets | equal, pair))
            if equal == 0:
                break
            equal = equal - 1 & whole
    return best


@rule
def may_win(table: MahjongTable, seat: int) -> bool:
    """Whether the tiles are of at most two suits, and the hand has one pair beside groups of three in each suit."""
    laid, suits, rests = suits_laid(table.melds[seat]), 0, 0
    for suit in range(3):
        tiles = SUIT_KINDS << RANKS * suit
        size = (table.hands[seat] & tiles).bit_count() + (table.twins[seat] & tiles).bit_count()
        size += (table.triples[seat] & tiles).bit_count() + (table.quadruples[seat] & tiles).bit_count()
        suits += size > 0 or laid >> suit & 1 == 1
        rests += (size % 3) ** 2
    one_pair_over = rests == 4
    return suits <= MAX_SUITS and (one_pair_over or is_seven_pairs(table, seat))


@rule
def is_seven_pairs(table: MahjongTable, seat: int) -> bool:
    """Whether a hand is seven pairs, of which four equal tiles are two; nothing may be laid out."""
    odd = table.hands[seat] ^ table.twins[seat] | table.triples[seat] ^ table.quadruples[seat]
    return odd == 0 and table.melds[seat] == 0 and hand_size(table, seat) == 2 * PAIRS


@rule
def runs_beside(table: MahjongTable, seat: int, pair: int, triplets: int) -> int:
    """The lowest tiles, as a mask, of the runs that a hand is without a pair and some triplets; NO_SPLIT if it is none.

    At each rank the runs that have started take their tiles first, and all that are left begin runs.
    """
    started = 0
    for suit in range(3):
        second = third = 0
        for tile in range(RANKS * suit, RANKS * suit + RANKS):
            taken = 2 * (pair >> tile & 1) + 3 * (triplets >> tile & 1) + second
            left = copies_held(table, seat, tile) - taken
            if left < 0:
                return NO_SPLIT
            second, third = third + left, left
            if left > 0:
                started |= 1 << tile
        if second != 0:
            return NO_SPLIT
    return started


@rule
def kinds_held_four_times(table: MahjongTable, seat: int) -> int:
    """The kinds, as a mask, of which a seat has all four tiles, in the hand or laid out."""
    fours = 0
    for tile in range(KINDS):
        if copies_held(table, seat, tile) + copies_laid(table.melds[seat], tile) == 4:
            fours |= 1 << tile
    return fours
