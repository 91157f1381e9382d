"""What each event of mahjong at the table does, said once more without its guards and effects."""

from __future__ import annotations

from rules.invariants import card_lies_open, piles_stay, same_order, top_card_leaves
from rules.mahjong.game import GANG, TRIPLET, MahjongTable, copies_laid, lowest_tiles, melds_laid
from rules.mahjong.invariants import is_winning, next_to_turn_acts
from rules.mahjong.tiles import KINDS, RANKS
from rules.piles import cards_under_open_card
from rules.rule import query, rule
from rules.seats import seat_after
from rules.table import copies_held


@query
def others_keep_their_tiles(before: MahjongTable, after: MahjongTable) -> bool:
    """The hands and melds of all but who acted stay as they were."""
    for seat in range(before.players):
        changed = kinds_changed(before, after, seat) != 0 or after.melds[seat] != before.melds[seat]
        if seat != before.player and changed:
            return False
    return True


@rule
def kinds_changed(before: MahjongTable, after: MahjongTable, seat: int) -> int:
    """The kinds, as a mask, of which the hand of a seat has more or fewer than before."""
    few = after.hands[seat] ^ before.hands[seat] | after.twins[seat] ^ before.twins[seat]
    return few | after.triples[seat] ^ before.triples[seat] | after.quadruples[seat] ^ before.quadruples[seat]


@query
def nothing_moves(before: MahjongTable, after: MahjongTable) -> bool:
    """All tiles stay where they were, and so does the turn."""
    seat = before.player
    same = kinds_changed(before, after, seat) == 0 and after.melds[seat] == before.melds[seat]
    return same and piles_stay(before, after) and after.turn == before.turn


@rule
def hand_changes(before: MahjongTable, after: MahjongTable, tile: int, copies: int) -> bool:
    """Whether the hand of who acted has so many more of a tile, or fewer, and is the same else."""
    if tile < 0 or kinds_changed(before, after, before.player) != 1 << tile:
        return False
    return copies_held(after, before.player, tile) - copies_held(before, before.player, tile) == copies


@rule
def open_tile_leaves(before: MahjongTable, after: MahjongTable) -> bool:
    """Whether the open tile leaves the pile, and nothing else."""
    size = before.tail - before.head
    gone = after.tail - after.head == size - 1 and after.stock == before.stock and cards_under_open_card(before) >= 0
    return gone and same_order(before, after, 0, size - 1)


@query
def tile_is_taken(before: MahjongTable, after: MahjongTable) -> bool:
    """The top tile of the wall goes into the hand of who acts, whose turn it is."""
    tile = before.ring[before.head & len(before.ring) - 1]
    moved = hand_changes(before, after, tile, 1) and top_card_leaves(before, after)
    same = after.melds[before.player] == before.melds[before.player] and after.player == before.player
    return moved and same and after.turn == before.player


@query
def tile_is_discarded(before: MahjongTable, after: MahjongTable) -> bool:
    """The tile goes from the hand on the pile, and the seat after its player is asked; the turn stays."""
    moved = hand_changes(before, after, before.card, -1) and card_lies_open(before, after)
    same = after.melds[before.player] == before.melds[before.player] and after.turn == before.turn == before.player
    return moved and same and after.player == seat_after(before.player, before.players)


@query
def meld_is_claimed(before: MahjongTable, after: MahjongTable) -> bool:
    """The open tile, discarded by another, is in one more meld of who acts, who has the turn now."""
    more = melds_laid(after.melds[before.player]) == melds_laid(before.melds[before.player]) + 1
    claimed = before.turn != before.player and after.turn == after.player == before.player
    return more and claimed and open_tile_leaves(before, after)


@rule
def laid_more(before: MahjongTable, after: MahjongTable, tile: int) -> int:
    """How many more of a tile are laid out by who acted."""
    return copies_laid(after.melds[before.player], tile) - copies_laid(before.melds[before.player], tile)


@query
def pung_is_laid(before: MahjongTable, after: MahjongTable) -> bool:
    """The open tile and two of the hand are laid out."""
    tile = before.open_card
    moved = hand_changes(before, after, tile, -2) and laid_more(before, after, tile) == 3
    return moved and before.card == tile and meld_is_claimed(before, after)


@query
def gang_is_laid(before: MahjongTable, after: MahjongTable) -> bool:
    """Four equal tiles are laid out: the open one and three of the hand, four of the hand, or one and a pung."""
    tile, more = before.card, laid_more(before, after, before.card)
    is_gang = lowest_tiles(after.melds[before.player], GANG) >> tile & 1 == 1
    if before.turn != before.player:
        claimed = before.card == before.open_card and meld_is_claimed(before, after)
        return is_gang and claimed and more == 4 and hand_changes(before, after, tile, -3)
    if not (is_gang and piles_stay(before, after) and after.turn == after.player == before.player):
        return False
    was_pung = lowest_tiles(before.melds[before.player], TRIPLET) >> tile & 1 == 1
    laid = melds_laid(after.melds[before.player]) - melds_laid(before.melds[before.player])
    if was_pung:
        return laid == 0 and more == 1 and hand_changes(before, after, tile, -1)
    return laid == 1 and more == 4 and hand_changes(before, after, tile, -4)


@query
def run_is_laid(before: MahjongTable, after: MahjongTable) -> bool:
    """The open tile and two of the hand are laid out as a run of one suit, by the seat after the one in turn."""
    first, tile = before.card, before.open_card
    if not (first <= tile <= first + 2 and first % RANKS <= RANKS - 3 and next_to_turn_acts(before)):
        return False
    for each in range(KINDS):
        in_run = first <= each <= first + 2
        fewer = copies_held(before, before.player, each) - copies_held(after, before.player, each)
        if fewer != (in_run and each != tile) or laid_more(before, after, each) != in_run:
            return False
    return meld_is_claimed(before, after)


@query
def who_acts_wins(before: MahjongTable, after: MahjongTable) -> bool:
    """Who acts has won: with the tiles of the hand in turn, else with the open one."""
    if before.turn == before.player:
        moved = nothing_moves(before, after)
    else:
        moved = hand_changes(before, after, before.open_card, 1) and open_tile_leaves(before, after)
    return moved and after.winner == before.player and after.turn == before.turn


@query
def next_seat_is_asked(before: MahjongTable, after: MahjongTable) -> bool:
    """The following seat acts, or, if that is in turn, the one after it."""
    following = seat_after(before.player, before.players)
    if following == before.turn:
        following = seat_after(before.turn, before.players)
    return after.player == following


@query
def same_player(before: MahjongTable, after: MahjongTable) -> bool:
    """The same seat acts."""
    return after.player == before.player


@rule
def last_is_asked(before: MahjongTable) -> bool:
    """Whether the seat that acts is the one before the seat in turn."""
    return seat_after(before.player, before.players) == before.turn


@query
def another_was_left(before: MahjongTable, after: MahjongTable) -> bool:
    """Who was asked is not the last one before the seat in turn."""
    return not last_is_asked(before)


@query
def could_win(before: MahjongTable, after: MahjongTable) -> bool:
    """Who declines to win could have won with the open tile."""
    return is_winning(before, before.player, before.open_card)


@query
def could_not_win(before: MahjongTable, after: MahjongTable) -> bool:
    """Who is passed over could not have won with the open tile."""
    return not could_win(before, after)


@query
def could_claim_run(before: MahjongTable, after: MahjongTable) -> bool:
    """Who declines a chow has two tiles that are a run with the open one."""
    tile = before.open_card
    for first in range(tile - 2, tile + 1):
        found = 0
        for each in range(first, first + 3):
            same_suit = 0 <= each < KINDS and each // RANKS == tile // RANKS
            found += same_suit and (each == tile or copies_held(before, before.player, each) > 0)
        if found == 3:
            return True
    return False


@query
def could_not_claim_run(before: MahjongTable, after: MahjongTable) -> bool:
    """Who is passed over has no two tiles that are a run with the open one."""
    return not could_claim_run(before, after)


@query
def could_claim_set(before: MahjongTable, after: MahjongTable) -> bool:
    """Who declines a set has two tiles equal to the open one."""
    return copies_held(before, before.player, before.open_card) >= 2


@query
def could_not_claim_set(before: MahjongTable, after: MahjongTable) -> bool:
    """Who is passed over has at most one tile equal to the open one."""
    return copies_held(before, before.player, before.open_card) < 2


@query
def could_win_or_claim_set(before: MahjongTable, after: MahjongTable) -> bool:
    """Who declines could have won, if nobody is left to be asked for that, or could have claimed a set."""
    return could_win(before, after) if last_is_asked(before) else could_claim_set(before, after)


@query
def could_not_win_or_claim_set(before: MahjongTable, after: MahjongTable) -> bool:
    """Who is passed over could not have won, if nobody is left to be asked for that, or not have claimed a set."""
    return not could_win_or_claim_set(before, after)
