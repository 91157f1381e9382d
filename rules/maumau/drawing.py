"""Drawing: cards are taken one by one; a card drawn because none fits may be played in the same turn."""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.maumau.actions import bound_cards, jack_is_open
from rules.maumau.matching import fitting
from rules.maumau.table import MauMauTable
from rules.maumau.turn import piles_exhausted
from rules.piles import take_top
from rules.rule import among, effect, guard, query
from rules.table import receive


@guard("neither pile can give a card")
def may_draw(table: MauMauTable) -> bool:
    """A player may draw while the piles can give a card; who cannot play must draw."""
    return not piles_exhausted(table) or playable(table) == 0


@query
def playable(table: MauMauTable) -> int:
    """The cards that the player in turn may play while no seven is active."""
    if jack_is_open(table):
        return bound_cards(table)
    return fitting(table)


@effect
def take_card(table: MauMauTable) -> None:
    """The top card of the draw pile goes into the hand of the player in turn."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card
    table.due -= 1


@query
def drawn_to_keep(table: MauMauTable) -> bool:
    """The drawn card may not be played in this turn: it was drawn as a penalty."""
    return table.punished == 1


@query
def drawn_cards(table: MauMauTable) -> int:
    """The drawn card, as a mask, if it may be played: it fits, and was not drawn as a penalty."""
    if table.drawn == NO_CARD or drawn_to_keep(table):
        return 0
    return playable(table) & 1 << table.drawn


fits_as_drawn = among(
    drawn_cards, "fits_as_drawn", "after drawing only the drawn card may be played, if it fits and is no penalty",
    "The card that is played is the one just drawn, it fits, and is no penalty.")  # fmt: skip
