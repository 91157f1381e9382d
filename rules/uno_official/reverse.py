"""Reverse: the direction of play turns; of two players the other one misses the turn instead, as with a skip."""

from __future__ import annotations

from rules.rule import guard
from rules.uno_official.table import UnoOfficialTable


@guard("more than two play")
def two_play(table: UnoOfficialTable) -> bool:
    """Only two play."""
    return table.players == 2
