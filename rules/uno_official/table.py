"""The table of official UNO and the deal: a wild draw four is never the opening card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.piles import TRAIL_START, trace
from rules.rule import effect, query, rule
from rules.seats import seat_after
from rules.table import dealt_in_rows, receive_twin
from rules.uno.cards import COLOUR_CARDS, NO_COLOUR, WILD_DRAW_FOURS
from rules.uno.table import CARDS_EACH, UnoTable
from rules.uno_official.colour import colour_of
from rules.visibility import follows_from, seen_by_all

NOBODY = -1


class Hands(Protocol):
    """The field of a table that holds the hands."""

    hands: list[int]


class LaidDrawFour(Hands, Protocol):
    """The fields of a table that show whether a wild draw four was honest."""

    colour_before: int
    laid_by: int


@rule
def holds_colour(table: Hands, seat: int, colour: int) -> bool:
    """Whether a seat holds a card of a colour, if it is one."""
    return colour != NO_COLOUR and table.hands[seat] & COLOUR_CARDS[colour] != 0


@query
def holds_colour_before(table: LaidDrawFour) -> int:
    """1 if who laid the wild draw four holds a card of the colour before; cards drawn for silence count as well."""
    return 1 if table.laid_by >= 0 and holds_colour(table, table.laid_by, table.colour_before) else 0


@dataclass(slots=True)
class UnoOfficialTable(UnoTable):
    """The table of official UNO: `player` is who acts, `turn` whose turn it is, `colour` the current colour.

    Nobody sees whether a player is guilty: only who laid the wild draw four knows it.
    """

    turn: int = seen_by_all(0)
    dealer: int = seen_by_all(0)  # the seat after it plays first
    colour_before: int = seen_by_all(NO_COLOUR)  # the current colour before the wild draw four
    guilty: int = follows_from(holds_colour_before)  # 1 if that card was laid although such a card was held
    laid_by: int = seen_by_all(NOBODY)  # who laid the card whose effect is not over
    why: int = seen_by_all(0)  # cards are drawn: see `rules.uno_official.drawing`


@effect
def deal(table: UnoOfficialTable, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`, of whom `table.dealer` is the dealer: seven cards in a row for each, then the
    open card; the rest is the draw pile.

    deck: the 108 card codes, the top card first.
    """
    deal_each(table, deck, players, CARDS_EACH)


@effect
def deal_each(table: UnoOfficialTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards of any deck to every player, in a row for each, and expose a card."""
    table.players = players
    for index in range(players * each):
        receive_twin(table, dealt_in_rows(index, players, each), int(deck[index]))
    expose(table, deck, players * each)
    table.player = table.turn = seat_after(table.dealer, players)


@effect
def expose(table: UnoOfficialTable, deck: Sequence[int], dealt: int) -> None:
    """Expose the card of `deck` that follows the `dealt` first ones; those after it are the draw pile.

    A wild draw four goes under the draw pile instead, and the next card is exposed.
    """
    opening = dealt
    while opening < len(deck) - 1 and WILD_DRAW_FOURS >> deck[opening] & 1 == 1:
        opening += 1
    table.open_card = table.card = deck[opening]
    table.colour = colour_of(table.open_card)
    after = len(deck) - opening - 1
    for index in range(after):
        table.ring[index] = deck[opening + 1 + index]
    for index in range(opening - dealt):
        table.ring[after + index] = deck[dealt + index]
    table.stock = table.bottom = len(deck) - dealt - 1
    table.tail = table.bottom + 1
    table.ring[table.bottom] = table.open_card
    table.trail = TRAIL_START
    trace(table, table.open_card)
