"""Playing on once the penalty is drawn."""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.maumau.table import Table
from rules.rule import effect, guard, query


@guard("no penalty was drawn")
def penalty_is_drawn(table: Table) -> bool:
    """The whole penalty was drawn."""
    return table.punished == 1 and table.due == 0


@effect
def spend_penalty(table: Table) -> None:
    """The penalty is paid: what was drawn are cards like any other."""
    table.drawn = NO_CARD
    table.punished = 0


@query
def penalty_is_over(before: Table, after: Table) -> bool:
    """The whole penalty was drawn, and it is over."""
    return before.punished == 1 and before.due == 0 and after.punished == 0 and after.due == 0


@query
def no_penalty_drawn(before: Table, after: Table) -> bool:
    """Who passes has drawn no penalty just now: else the player would go on."""
    return before.punished == 0
