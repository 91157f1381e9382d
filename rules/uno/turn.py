"""Turns and their end: cards are laid, "Uno" is called, the turn moves on, and the last card wins."""

from __future__ import annotations

from rules.ending import OUT_OF_CARDS, WON
from rules.piles import lay_open, trace
from rules.rule import effect, guard, query
from rules.seats import seat_after, seat_before
from rules.uno.cards import NO_COLOUR, kind_of, points
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


@guard("{card} is not the last card")
def last_card(table: UnoTable) -> bool:
    """The card that is dropped is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card and table.twins[table.player] == 0


@effect
def win(table: UnoTable) -> None:
    """The player in turn has dropped the last card and wins."""
    end_turn(table)
    table.ending = WON
    table.winner = table.player


@guard("the previous player has cards left")
def previous_player_is_out(table: UnoTable) -> bool:
    """The previous player has dropped the last card, and its effect is being carried out."""
    return table.hands[previous_player(table)] == 0


@effect
def previous_player_wins(table: UnoTable) -> None:
    """The effect of the last card is carried out, as far as the draw pile goes: who dropped it wins."""
    end_turn(table)
    table.ending = WON
    table.winner = previous_player(table)


@effect
def run_out_of_cards(table: UnoTable) -> None:
    """A card must be drawn and there is none: the points are counted, and nobody has dropped all cards."""
    table.ending = OUT_OF_CARDS


@query
def score(table: UnoTable, seat: int) -> int:
    """The points that `seat` is left with."""
    return points(table.hands[seat]) + points(table.twins[seat])


@effect
def call_uno(table: UnoTable) -> None:
    """The player in turn calls, if exactly one card is left after the drop."""
    hand = table.hands[table.player]
    if hand != 0 and hand & hand - 1 == 0 and table.twins[table.player] == 0:
        table.uno_calls[table.player] += 1


@query
def calls(table: UnoTable, seat: int) -> int:
    """How many times `seat` has called."""
    return table.uno_calls[seat]
