"""The call: who drops down to one card calls "Uno"."""

from __future__ import annotations

from rules.rule import effect, query
from rules.uno.table import UnoTable


@effect
def call_uno(table: UnoTable) -> None:
    """The player in turn calls, if exactly one card is left after the drop."""
    hand = table.hands[table.player]
    if hand != 0 and hand & hand - 1 == 0 and table.twins[table.player] == 0:
        table.uno_calls[table.player] += 1


@query
def calls(table: UnoTable, seat: int) -> int:
    """How many times `seat` has called."""
    return table.uno_calls[seat]
