"""The wall: its top tile is taken at the beginning of a turn, and in place of a gang."""

from __future__ import annotations

from rules.asking import take_turn
from rules.mahjong.play.table import MahjongTable
from rules.piles import take_top
from rules.rule import effect, guard
from rules.table import receive_copy


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
