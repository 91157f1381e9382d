"""Drawing: cards that are due are taken one by one; none of them is played in the same turn."""

from __future__ import annotations

from rules.piles import take_top
from rules.rule import effect
from rules.uno.table import Table, receive


@effect
def take_card(table: Table) -> None:
    """The top card of the draw pile goes into the hand of the player in turn."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card
    table.due -= 1
