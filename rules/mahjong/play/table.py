"""The table of a game of mahjong, and its deal: thirteen tiles each, the rest is the wall, and no tile is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.mahjong.tiles import COPIES, KINDS
from rules.rule import effect, query
from rules.table import FourfoldTable, deal_copies_in_turn_unopened, each_seat, ring_of
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
    melds: list[int] = seen_by_all(factory=each_seat(4))  # laid out, see rules.mahjong.play.claims

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
