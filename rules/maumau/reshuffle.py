"""The reshuffle: when the last card of the draw pile is taken, the cards under the open card are turned over."""

from __future__ import annotations

from rules.maumau.table import MauMauTable
from rules.piles import cards_under_open_card, turn_over
from rules.rule import effect, guard


@guard("the draw pile does not run out")
def pile_runs_out(table: MauMauTable) -> bool:
    """The last card of the draw pile is being taken, and cards lie under the open card."""
    return table.stock == 1 and cards_under_open_card(table) > 0


@guard("the draw pile is not empty, or nothing lies under the open card")
def pile_must_be_turned(table: MauMauTable) -> bool:
    """The draw pile is empty, because nothing lay under the open card when it ran out, and now something does."""
    return table.stock == 0 and cards_under_open_card(table) > 0


@effect
def turn_the_pile(table: MauMauTable) -> None:
    """Everything under the open card becomes the draw pile, its bottom card on top."""
    turn_over(table)
