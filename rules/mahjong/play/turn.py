"""A turn: a tile is taken from the wall, and one is discarded."""

from __future__ import annotations

from rules.asking import take_turn
from rules.cards import NO_CARD
from rules.mahjong.play.claims import MahjongTable
from rules.piles import lay_open, take_top, trace
from rules.rule import effect, guard, query
from rules.table import give_copy, receive_copy


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
