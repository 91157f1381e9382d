"""A card is laid; its effect waits for the call. Whether a wild draw four is honest is settled at once."""

from __future__ import annotations

from rules.rule import effect, query
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno.turn import end_turn
from rules.uno.turn import lay_card as drop_card
from rules.uno_official.colour import colour_of
from rules.uno_official.drawing import drawing_is_over
from rules.uno_official.table import UnoOfficialTable, holds_colour


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
