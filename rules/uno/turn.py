"""A turn: a card is dropped, and the next player in the direction of play is in turn."""

from __future__ import annotations

from rules.piles import lay_open, trace
from rules.rule import effect, query
from rules.seats import seat_after, seat_before
from rules.uno.cards import NO_COLOUR, kind_of
from rules.uno.table import UnoTable


@effect
def lay_card(table: UnoTable) -> None:
    """The card that is dropped goes from the hand onto the discard pile; a colour named before is void."""
    card = 1 << table.card
    twin = table.twins[table.player] & card
    table.twins[table.player] ^= twin
    table.hands[table.player] ^= card ^ twin
    table.colour = NO_COLOUR
    lay_open(table, table.card)
    trace(table, kind_of(table.card))


@effect
def end_turn(table: UnoTable) -> None:
    """The turn is over."""
    table.turns += 1


@effect
def move_on(table: UnoTable) -> None:
    """The following seat in the direction of play is in turn."""
    if table.reversed == 1:
        table.player = seat_before(table.player, table.players)
    else:
        table.player = seat_after(table.player, table.players)


@effect
def next_player(table: UnoTable) -> None:
    """The turn is over and moves on to the following seat."""
    end_turn(table)
    move_on(table)


@query
def previous_player(table: UnoTable) -> int:
    """The seat before that of the player in turn, in the direction of play."""
    if table.reversed == 1:
        return seat_after(table.player, table.players)
    return seat_before(table.player, table.players)
