"""Finish and score: the last card, with its effect, ends the game, and so does an empty pile when one must draw."""

from __future__ import annotations

from rules.ending import OUT_OF_CARDS, WON
from rules.rule import effect, guard, query
from rules.uno.cards import points
from rules.uno.table import UnoTable
from rules.uno.turn import end_turn, previous_player


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
