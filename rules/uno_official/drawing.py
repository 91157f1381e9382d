"""Drawing: cards are taken one by one, of one's own will, when caught, as a victim, or for guilt."""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.drawing import draw_one
from rules.piles import cards_under_open_card
from rules.rule import among, effect, guard, query
from rules.uno.cards import WILD_DRAW_FOURS, WILDS, one_of
from rules.uno_official.matching import playable
from rules.uno_official.table import UnoOfficialTable

OWN_DRAW, CAUGHT, VICTIM, GUILT = 1, 2, 3, 4
"""Why cards are drawn; 0 where none are."""


@effect
def draw_own(table: UnoOfficialTable) -> None:
    """One card is due, as the player in turn likes."""
    draw_one(table)
    table.why = OWN_DRAW


@guard("no card is drawn of one's own will")
def own_draw(table: UnoOfficialTable) -> bool:
    """The player in turn draws a card as he likes."""
    return table.why == OWN_DRAW


@guard("nobody was caught")
def caught(table: UnoOfficialTable) -> bool:
    """The player in turn draws because he was caught."""
    return table.why == CAUGHT


@guard("nobody is a victim of the open card")
def victim(table: UnoOfficialTable) -> bool:
    """The player in turn draws for the open card."""
    return table.why == VICTIM


@guard("nobody is guilty")
def guilt(table: UnoOfficialTable) -> bool:
    """Who laid the wild draw four draws, being guilty."""
    return table.why == GUILT


@guard("no card lies under the open card")
def cards_to_turn(table: UnoOfficialTable) -> bool:
    """A card lies under the open card."""
    return cards_under_open_card(table) > 0


@effect
def nothing_due(table: UnoOfficialTable) -> None:
    """No card is due any more."""
    table.due = 0


@effect
def drawing_is_over(table: UnoOfficialTable) -> None:
    """Nobody draws any more."""
    table.drawn = NO_CARD
    table.why = 0


@query
def drawn_card(table: UnoOfficialTable) -> int:
    """The card just drawn as a mask: of equal wilds the one that stands for all; none if no card was drawn."""
    if table.drawn == NO_CARD:
        return 0
    hand, drawn = table.hands[table.player], 1 << table.drawn
    if drawn & WILDS != 0:
        return one_of(hand & WILDS)
    if drawn & WILD_DRAW_FOURS != 0:
        return one_of(hand & WILD_DRAW_FOURS)
    return drawn


@guard("no card was drawn that may be laid")
def drawn_may_be_laid(table: UnoOfficialTable) -> bool:
    """A card was drawn that fits, or is a wild draw four."""
    return drawn_card(table) & playable(table) != 0


is_drawn_card = among(drawn_card, "is_drawn_card", "after drawing only the drawn card may be laid",
                      "The card is the one just drawn, or equal to it.")  # fmt: skip
