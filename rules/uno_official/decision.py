"""The decisions of the house: the card that counts most, wilds last, challenges by the look of one's own hand."""

from __future__ import annotations

from rules.rule import choice, guard
from rules.uno.cards import COLOUR_CARDS, FIRST_ACTION, TWENTIES, WILD_DRAW_FOURS, WILDS, highest, one_of
from rules.uno_official.asked import colour_was_held
from rules.uno_official.game import UnoOfficialTable, coloured, drawn_card, is_dishonest


@guard("no coloured card fits")
def holds_fitting_coloured_card(table: UnoOfficialTable) -> bool:
    """A coloured card of the player fits."""
    return coloured(table) != 0


@choice
def most_points(table: UnoOfficialTable) -> int:
    """The fitting coloured card that counts most; of equals one of the current colour, then the first in ASCII."""
    cards = coloured(table)
    best = highest(cards)
    equals = cards & (TWENTIES if best >= FIRST_ACTION else 0b1111 << (best & ~3))
    of_colour = equals & COLOUR_CARDS[table.colour]
    return highest(of_colour if of_colour != 0 else equals)


@guard("no wild is held")
def holds_wild(table: UnoOfficialTable) -> bool:
    """The player holds a wild."""
    return table.hands[table.player] & WILDS != 0


@choice
def a_wild(table: UnoOfficialTable) -> int:
    """A wild."""
    return highest(one_of(table.hands[table.player] & WILDS))


@guard("no wild draw four is held")
def holds_wild_draw_four(table: UnoOfficialTable) -> bool:
    """The player holds a wild draw four."""
    return table.hands[table.player] & WILD_DRAW_FOURS != 0


@choice
def a_wild_draw_four(table: UnoOfficialTable) -> int:
    """A wild draw four."""
    return highest(one_of(table.hands[table.player] & WILD_DRAW_FOURS))


@guard("the drawn card is a wild draw four, and a card of the current colour is held")
def drawn_card_is_honest(table: UnoOfficialTable) -> bool:
    """The drawn card is not a wild draw four, or an honest one."""
    return drawn_card(table) & WILD_DRAW_FOURS == 0 or not is_dishonest(table)


@choice
def the_drawn_card(table: UnoOfficialTable) -> int:
    """The drawn card."""
    return highest(drawn_card(table))


@guard("a card of the colour before is held")
def holds_none_of_colour_before(table: UnoOfficialTable) -> bool:
    """The player holds no card of the colour that was current before the wild draw four."""
    return not colour_was_held(table)
