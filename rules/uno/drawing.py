"""Drawing: cards that are due are taken one by one; none of them is played in the same turn."""

from __future__ import annotations

from rules.piles import take_top
from rules.rule import effect
from rules.table import receive_twin
from rules.uno.table import UnoTable


@effect
def take_card(table: UnoTable) -> None:
    """The top card of the draw pile goes into the hand of the player in turn."""
    card = take_top(table)
    receive_twin(table, table.player, card)
    table.drawn = card
    table.due -= 1
