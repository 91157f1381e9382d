"""Turns: the turn moves on in the direction of play, and what held in the turn before is over."""

from __future__ import annotations

from rules.asking import take_turn, turn_resumes
from rules.rule import effect, guard
from rules.uno.cards import NO_COLOUR
from rules.uno.turn import move_on
from rules.uno_official.drawing import drawing_is_over
from rules.uno_official.table import NOBODY, UnoOfficialTable


@effect
def forget(table: UnoOfficialTable) -> None:
    """The effect of the last card and all drawing are over."""
    drawing_is_over(table)
    table.laid_by = NOBODY
    table.guilty = 0
    table.colour_before = NO_COLOUR


@effect
def victim_in_turn(table: UnoOfficialTable) -> None:
    """The following seat, which the open card is laid against, is in turn."""
    move_on(table)
    take_turn(table)


@effect
def next_player(table: UnoOfficialTable) -> None:
    """The following seat is in turn, and a new turn begins."""
    forget(table)
    victim_in_turn(table)


@effect
def same_player(table: UnoOfficialTable) -> None:
    """The player in turn acts again, and a new turn begins."""
    forget(table)
    turn_resumes(table)


@effect
def dealer_in_turn(table: UnoOfficialTable) -> None:
    """The dealer is in turn."""
    table.player = table.dealer
    take_turn(table)


@guard("more than two play")
def two_play(table: UnoOfficialTable) -> bool:
    """Only two play."""
    return table.players == 2
