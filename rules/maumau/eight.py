"""The eight: the next player is skipped."""

from __future__ import annotations

from rules.cards import EIGHT, rank_of
from rules.maumau.table import MauMauTable
from rules.maumau.turn import next_seat
from rules.rule import effect, guard


@guard("{card} is no eight")
def eight(table: MauMauTable) -> bool:
    """The card that is played is an eight."""
    return rank_of(table.card) == EIGHT


@effect
def skip_player(table: MauMauTable) -> None:
    """The player in turn loses the turn."""
    table.player = next_seat(table)
