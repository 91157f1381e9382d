"""Playing on once the penalty is drawn."""

from __future__ import annotations

from rules.cards import NO_CARD, SEVEN, rank_of
from rules.maumau.seven import FOR_EACH_SEVEN
from rules.maumau.table import MauMauTable
from rules.piles import cards_under_open_card
from rules.rule import effect, guard, query


@guard("no penalty was drawn")
def penalty_is_drawn(table: MauMauTable) -> bool:
    """The whole penalty was drawn."""
    return table.punished == 1 and table.due == 0


@effect
def spend_penalty(table: MauMauTable) -> None:
    """The penalty is paid: what was drawn are cards like any other."""
    table.drawn = NO_CARD
    table.punished = 0


@query
def least_penalty(table: MauMauTable) -> int:
    """How many cards the open card alone makes due, 0 if it makes none due."""
    return FOR_EACH_SEVEN if rank_of(table.open_card) == SEVEN else 0


@query
def penalty_was_drawn(table: MauMauTable) -> bool:
    """The open card made cards due, and the player in turn holds them and a card from before."""
    least = least_penalty(table)
    return 0 < least < table.hands[table.player].bit_count()


@query
def no_pile_to_turn(table: MauMauTable) -> bool:
    """The draw pile is not left empty while cards lie under the open card."""
    return table.stock > 0 or cards_under_open_card(table) == 0


@query
def penalty_is_over(before: MauMauTable, after: MauMauTable) -> bool:
    """The whole penalty was drawn, and it is over."""
    return before.punished == 1 and before.due == 0 and after.punished == 0 and after.due == 0


@query
def no_penalty_drawn(before: MauMauTable, after: MauMauTable) -> bool:
    """Who passes has drawn no penalty just now: else the player would go on."""
    return before.punished == 0
