"""Drawing cards, one by one, and turning the discard pile when none is left."""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.maumau.actions import bound_cards, jack_is_open
from rules.maumau.matching import fitting
from rules.maumau.table import MauMauTable
from rules.maumau.turn import piles_exhausted
from rules.piles import cards_under_open_card, take_top, turn_over
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


@guard("the draw pile does not run out")
def pile_runs_out(table: MauMauTable) -> bool:
    """The last card of the draw pile is being taken, and cards lie under the open card."""
    return table.stock == 1 and cards_under_open_card(table) > 0


@guard("the draw pile is not empty, or nothing lies under the open card")
def pile_must_be_turned(table: MauMauTable) -> bool:
    """The draw pile is empty, because nothing lay under the open card when it ran out, and now something does."""
    return table.stock == 0 and cards_under_open_card(table) > 0


@effect
def turn_the_pile(table: MauMauTable) -> None:
    """Everything under the open card becomes the draw pile, its bottom card on top."""
    turn_over(table)
