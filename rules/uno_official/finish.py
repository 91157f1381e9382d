"""Finish: whoever lays the last card goes out; of its effects only a draw two or wild draw four is carried out."""

from __future__ import annotations

from rules.ending import WON
from rules.rule import effect, guard
from rules.uno_official.table import NOBODY, UnoOfficialTable


@guard("who laid the open card has cards left")
def out(table: UnoOfficialTable) -> bool:
    """Who laid the open card has laid the last one."""
    return table.laid_by != NOBODY and table.hands[table.laid_by] == 0


@effect
def win(table: UnoOfficialTable) -> None:
    """Who laid the last card has won."""
    table.ending = WON
    table.winner = table.laid_by
