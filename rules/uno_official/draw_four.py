"""The wild draw four: the next player accepts it, or challenges its honesty."""

from __future__ import annotations

from rules.rule import effect, guard, query
from rules.uno.actions import add_four, add_two
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno_official.drawing import GUILT, VICTIM
from rules.uno_official.table import UnoOfficialTable, holds_colour

FOR_A_WRONG_CHALLENGE = 6


@guard("the wild draw four was laid honestly")
def guilty(table: UnoOfficialTable) -> bool:
    """The wild draw four was laid although a card of the colour before was held."""
    return table.guilty == 1


@guard("the open card is no wild draw four")
def draw_four_is_open(table: UnoOfficialTable) -> bool:
    """The open card is a wild draw four."""
    return (WILD_DRAW_FOURS >> table.open_card & 1) == 1


@effect
def victim_draws_two(table: UnoOfficialTable) -> None:
    """Two cards are due from the player in turn."""
    add_two(table)
    table.why = VICTIM


@effect
def victim_draws_four(table: UnoOfficialTable) -> None:
    """Four cards are due from the player in turn."""
    add_four(table)
    table.why = VICTIM


@effect
def victim_draws_six(table: UnoOfficialTable) -> None:
    """Six cards are due from the player in turn: the four of the card, and two for the wrong challenge."""
    table.due = FOR_A_WRONG_CHALLENGE
    table.why = VICTIM


@effect
def offender_draws_four(table: UnoOfficialTable) -> None:
    """Four cards are due from who laid the wild draw four; it stays the turn of the challenger."""
    add_four(table)
    table.why = GUILT
    table.player = table.laid_by


@query
def colour_was_held(table: UnoOfficialTable) -> bool:
    """The player who acts holds a card of the colour before."""
    return holds_colour(table, table.player, table.colour_before)
