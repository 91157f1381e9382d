"""The call: who has one card left calls "Uno" or stays silent; the others may catch a silent player, who draws two."""

from __future__ import annotations

from rules.asking import turn_resumes
from rules.rule import effect, guard
from rules.seats import seat_after, seat_before
from rules.uno.turn import move_on
from rules.uno_official.drawing import CAUGHT
from rules.uno_official.table import UnoOfficialTable

FOR_SILENCE = 2


@effect
def count_call(table: UnoOfficialTable) -> None:
    """The player in turn calls "Uno"."""
    table.uno_calls[table.player] += 1


@effect
def ask_next(table: UnoOfficialTable) -> None:
    """The following seat in the direction of play is asked."""
    move_on(table)


@guard("all others were asked")
def another_to_ask(table: UnoOfficialTable) -> bool:
    """Another seat is left to be asked."""
    if table.reversed == 1:
        return seat_before(table.player, table.players) != table.turn
    return seat_after(table.player, table.players) != table.turn


@effect
def punish_silence(table: UnoOfficialTable) -> None:
    """The silent player must draw two cards."""
    turn_resumes(table)
    table.due = FOR_SILENCE
    table.why = CAUGHT
