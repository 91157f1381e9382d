"""What other players are asked: whether they accept a wild draw four or challenge its honesty, and the call."""

from __future__ import annotations

from rules.asking import turn_resumes
from rules.rule import effect, guard, query
from rules.seats import seat_after, seat_before
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno.game import add_four, add_two, move_on
from rules.uno_official.game import CAUGHT, GUILT, VICTIM, UnoOfficialTable, holds_colour

FOR_A_WRONG_CHALLENGE = 6


@guard("the wild draw four was laid honestly")
def guilty(table: UnoOfficialTable) -> bool:
    """The wild draw four was laid although a card of the colour before was held."""
    return table.guilty == 1


@guard("the open card is not a wild draw four")
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


# ---------------------------------------------------------------- calls

# Who has one card left calls "Uno" or stays silent; the others may catch a silent player, who draws two.


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
