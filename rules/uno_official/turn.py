"""Turns: a card is laid, the turn moves on in the direction of play, and the last card wins."""

from __future__ import annotations

from rules.asking import take_turn, turn_resumes
from rules.ending import WON
from rules.rule import effect, guard, query
from rules.uno.cards import NO_COLOUR, WILD_DRAW_FOURS
from rules.uno.turn import end_turn, move_on
from rules.uno.turn import lay_card as drop_card
from rules.uno_official.colour import colour_of
from rules.uno_official.drawing import drawing_is_over
from rules.uno_official.table import NOBODY, UnoOfficialTable, holds_colour


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


@query
def is_dishonest(table: UnoOfficialTable) -> bool:
    """The player who acts holds a card of the current colour, so that a wild draw four would be a bluff."""
    return holds_colour(table, table.player, table.colour)


@effect
def settle_guilt(table: UnoOfficialTable) -> None:
    """Who lays a wild draw four is guilty if a card of the current colour is held; that colour is remembered."""
    if WILD_DRAW_FOURS >> table.card & 1 == 1:
        table.guilty = 1 if is_dishonest(table) else 0
        table.colour_before = table.colour


@effect
def lay_card(table: UnoOfficialTable) -> None:
    """The card goes from the hand onto the discard pile; its colour is the current one."""
    drop_card(table)
    end_turn(table)
    table.colour = colour_of(table.card)
    table.laid_by = table.player
    drawing_is_over(table)


@guard("who laid the open card has cards left")
def out(table: UnoOfficialTable) -> bool:
    """Who laid the open card has laid the last one."""
    return table.laid_by != NOBODY and table.hands[table.laid_by] == 0


@effect
def win(table: UnoOfficialTable) -> None:
    """Who laid the last card has won."""
    table.ending = WON
    table.winner = table.laid_by
