"""Before the first trick each player passes three cards to another one, in a direction that changes with each game.

The table is a `PassingTable`, and its fact is `Fact("direction")`. The cards that are passed lie face down, in the
place of a draw pile, in the order of the seats, until all have passed theirs. Four play; in small decks each player
passes all cards, if there are fewer than three.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.piles import take_top
from rules.rule import effect, guard, query
from rules.tricks import TrickTable
from rules.visibility import seen_by_all

LEFT, ACROSS, RIGHT, NONE = 1, 2, 3, 0
"""How many seats further on the cards go that are passed."""
DIRECTIONS = (LEFT, RIGHT, ACROSS, NONE)
"""The directions of the games of a row, which come again and again."""
PASSED = 3
"""Cards that each player passes."""


@dataclass(slots=True)
class PassingTable(TrickTable):
    """The cards and facts of a game of tricks in which cards are passed first."""

    direction: int = seen_by_all(NONE)


@guard("no cards are passed in this game")
def cards_are_passed(table: PassingTable) -> bool:
    """Cards are passed in this game."""
    return DIRECTIONS[table.number & 3] != NONE


@query
def passed_by_each(table: PassingTable) -> int:
    """How many cards each player passes: three, in small decks all that each was dealt."""
    cards = table.stock
    for seat in range(table.players):
        cards += table.hands[seat].bit_count()
    return min(PASSED, cards // table.players)


@guard("more cards are to be passed")
def last_of_player(table: PassingTable) -> bool:
    """With this card the player in turn has passed three."""
    each = passed_by_each(table)
    return table.stock % each == each - 1


@guard("others are to pass cards")
def last_player(table: PassingTable) -> bool:
    """The player in turn is the last one."""
    return table.player == table.players - 1


@effect
def set_direction(table: PassingTable) -> None:
    """The number of the game says to whom cards are passed."""
    table.direction = DIRECTIONS[table.number & 3]


@effect
def lay_aside(table: PassingTable) -> None:
    """The card is laid aside, face down."""
    table.hands[table.player] ^= 1 << table.card
    table.ring[table.tail & len(table.ring) - 1] = table.card
    table.tail += 1
    table.stock += 1
    table.bottom = table.tail


@effect
def exchange(table: PassingTable) -> None:
    """Everybody takes up the cards that were passed to him."""
    each = table.stock // table.players
    for place in range(table.stock):
        seat = (place // each + table.direction) % table.players
        table.hands[seat] |= 1 << take_top(table)
    table.head = 0
    table.tail = 0
    table.bottom = 0


# ---------------------------------------------------------------- what must hold


@query
def direction_is_known(table: PassingTable) -> bool:
    """Cards are passed to one of the other seats, or not at all."""
    return 0 <= table.direction < table.players


@query
def nothing_is_passed(table: PassingTable) -> bool:
    """The first player is in turn, no card is laid aside, and no direction is set."""
    return table.player == 0 and table.stock == 0 and table.direction == NONE


@query
def passed_by(table: PassingTable, seat: int) -> int:
    """How many cards a seat has laid aside, of as many as each was dealt."""
    cards = table.stock
    for other in range(table.players):
        cards += table.hands[other].bit_count()
    return cards // table.players - table.hands[seat].bit_count()


@query
def cards_to_pass(table: PassingTable) -> int:
    """How many cards each player passes: three, or all of a smaller hand."""
    return min(PASSED, passed_by(table, 0) + table.hands[0].bit_count())


@query
def passing_goes_on(table: PassingTable) -> bool:
    """Those before the player in turn have laid aside all that they pass, those after nothing."""
    for seat in range(table.players):
        passed = passed_by(table, seat)
        if passed != (cards_to_pass(table) if seat < table.player else 0) and seat != table.player:
            return False
    return table.direction != NONE and 0 <= passed_by(table, table.player) < cards_to_pass(table)


@query
def all_have_passed(table: PassingTable) -> bool:
    """All have laid aside what they pass, and the last player is in turn."""
    last = table.player == table.players - 1
    return last and table.direction != NONE and passed_by(table, 0) == cards_to_pass(table)
