"""The invariants and postconditions of mahjong at the table, said once more without its guards and effects."""

from __future__ import annotations

from rules.ending import OUT_OF_CARDS, WON
from rules.invariants import card_lies_open, piles_stay, same_order, top_card_leaves
from rules.mahjong.play.melds import GANG, TRIPLET, copies_laid, lowest_tiles, melds_laid, suits_laid
from rules.mahjong.play.table import NOBODY, MahjongTable
from rules.mahjong.play.winning import best_score
from rules.mahjong.tiles import COPIES, KINDS, RANKS, SUIT_KINDS
from rules.piles import cards_under_open_card
from rules.rule import query, rule
from rules.seats import seat_after
from rules.table import copies_held, hand_size

# ---------------------------------------------------------------- tiles


@rule
def copies_of(table: MahjongTable, seat: int, tile: int) -> int:
    """How often a seat has a tile, in the hand or laid out."""
    return copies_held(table, seat, tile) + copies_laid(table.melds[seat], tile)


@rule
def copies_on_piles(table: MahjongTable, tile: int) -> int:
    """How often a tile is in the wall or on the pile."""
    copies = 0
    for index in range(table.head, table.tail):
        copies += table.ring[index & len(table.ring) - 1] == tile
    return copies


@rule
def copies(table: MahjongTable, tile: int) -> int:
    """How often a tile is there at all."""
    found = copies_on_piles(table, tile)
    for seat in range(table.players):
        found += copies_of(table, seat, tile)
    return found


@rule
def size_of(table: MahjongTable, seat: int) -> int:
    """The tiles of a seat: those of the hand, and three for each meld, also for a gang."""
    return hand_size(table, seat) + 3 * melds_laid(table.melds[seat])


@query
def no_tile_too_often(table: MahjongTable) -> bool:
    """No tile is there more than four times."""
    for tile in range(KINDS):
        if copies(table, tile) > COPIES:
            return False
    return True


@query
def copies_are_nested(table: MahjongTable) -> bool:
    """What is held twice is held once, and so on."""
    for seat in range(table.players):
        more = table.quadruples[seat] & ~table.triples[seat] | table.triples[seat] & ~table.twins[seat]
        if more | table.twins[seat] & ~table.hands[seat] != 0:
            return False
    return True


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
    paid = table.score == best_score(table, table.winner) > 0 and table.payer == payer
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


# ---------------------------------------------------------------- what events do


@query
def tiles_are_conserved(before: MahjongTable, after: MahjongTable) -> bool:
    """Every tile is there as often as before."""
    for tile in range(KINDS):
        if copies(before, tile) != copies(after, tile):
            return False
    return True


@query
def others_keep_their_tiles(before: MahjongTable, after: MahjongTable) -> bool:
    """The hands and melds of all but who acted stay as they were."""
    for seat in range(before.players):
        if seat != before.player and not hand_stays(before, after, seat):
            return False
        if seat != before.player and after.melds[seat] != before.melds[seat]:
            return False
    return True


@rule
def hand_stays(before: MahjongTable, after: MahjongTable, seat: int) -> bool:
    """Whether the hand of a seat stays."""
    same = after.hands[seat] == before.hands[seat] and after.twins[seat] == before.twins[seat]
    return same and after.triples[seat] == before.triples[seat] and after.quadruples[seat] == before.quadruples[seat]


@query
def nothing_moves(before: MahjongTable, after: MahjongTable) -> bool:
    """All tiles stay where they were, and so does the turn."""
    seat = before.player
    same = hand_stays(before, after, seat) and after.melds[seat] == before.melds[seat]
    return same and piles_stay(before, after) and after.turn == before.turn


@rule
def hand_changes(before: MahjongTable, after: MahjongTable, tile: int, copies: int) -> bool:
    """Whether the hand of who acted has so many more of a tile, or fewer, and is the same else."""
    for each in range(KINDS):
        more = copies_held(after, before.player, each) - copies_held(before, before.player, each)
        if more != (copies if each == tile else 0):
            return False
    return True


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
