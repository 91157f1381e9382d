"""Each player turns over the cards of a pile of its own, face down and in order; the middle goes under a pile.

The table is an `OwnPilesTable` for two players, and its fact is `Fact("own", kind="queues")`. `deal_own_piles` deals.
The cards in the middle lie in the place of a discard pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.cards import NO_CARD
from rules.piles import TRAIL_START, lay_open, trace
from rules.queues import put_last, queue_card, queue_size, queues, take_first
from rules.rule import effect, guard, query, rule
from rules.table import CardTable

SEATS = 2


@dataclass(slots=True)
class OwnPilesTable(CardTable):
    """The cards and facts of a game of own piles, which nobody sees."""

    own: bytearray = field(default_factory=queues(SEATS))


@effect
def deal_own_piles(table: OwnPilesTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal the deck one card at a time, each card under those dealt before."""
    table.players = players
    table.trail = TRAIL_START
    for index in range(len(deck)):
        put_last(table.own, index % players, deck[index])


@query
def cards_of_pile(table: OwnPilesTable, seat: int) -> int:
    """The cards that a seat has."""
    return queue_size(table.own, seat)


@query
def top_of_pile(table: OwnPilesTable) -> int:
    """The card that the player in turn turns next; there must be one."""
    return queue_card(table.own, table.player, 0)


@guard("the other player has a card")
def other_has_none(table: OwnPilesTable) -> bool:
    """The other player has no card."""
    return queue_size(table.own, 1 - table.player) == 0


@rule
def turn_up(table: OwnPilesTable) -> int:
    """Turn the top card of the own pile face up into the middle, and return its code."""
    card = take_first(table.own, table.player)
    lay_open(table, card)
    trace(table, card)
    return card


@effect
def take_pile(table: OwnPilesTable) -> None:
    """The cards in the middle go under the own pile, the first one on top."""
    for place in range(table.head, table.tail):
        put_last(table.own, table.player, table.ring[place & len(table.ring) - 1])
    table.head = table.tail
    table.open_card = table.card = NO_CARD
    table.due = 0


# ---------------------------------------------------------------- what must hold


@query
def piles_are_dealt(table: OwnPilesTable) -> bool:
    """The piles are equally high, except for a card that is left over, and nothing lies in the middle."""
    more = queue_size(table.own, 0) - queue_size(table.own, 1)
    return 0 <= more <= 1 and table.head == table.tail and table.player == 0


@query
def has_card(table: OwnPilesTable) -> bool:
    """The player in turn has a card."""
    return queue_size(table.own, table.player) > 0


@query
def winner_has_all(table: OwnPilesTable) -> bool:
    """Who has won has all cards: none lies in the middle, and the other player has none."""
    return table.winner < 0 or (table.head == table.tail and queue_size(table.own, 1 - table.winner) == 0)


@query
def top_card_is_open(before: OwnPilesTable, after: OwnPilesTable) -> bool:
    """The card that was on the top of the pile is the open one, and the next one lies there."""
    size = queue_size(after.own, before.player)
    follows = size == 0 or queue_card(after.own, before.player, 0) == queue_card(before.own, before.player, 1)
    return after.open_card == queue_card(before.own, before.player, 0) and follows


@query
def middle_lies_under(before: OwnPilesTable, after: OwnPilesTable) -> bool:
    """The pile is as it was down to where the cards of the middle begin, in the order in which they were turned."""
    size, seat = queue_size(before.own, before.player), before.player
    for depth in range(size):
        if queue_card(after.own, seat, depth) != queue_card(before.own, seat, depth):
            return False
    for place in range(before.head, before.tail):
        if queue_card(after.own, seat, size + place - before.head) != before.ring[place & len(before.ring) - 1]:
            return False
    return after.head == after.tail
