"""Climbing: who leads lays a set of cards, and others lay as many of a higher rank or pass, until nobody does.

The table is a `ClimbingTable`; its facts are `CLIMBING_FACTS`. Players without cards have a place (`rules.places`) and
are passed over. When the turn comes back to who laid last, this player leads; without cards the next one who has some.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import rank_of
from rules.piles import discard_pile, lay_open, trace
from rules.places import PlacesTable
from rules.rule import RuleFunction, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable
from rules.visibility import seen_by_all

NOBODY = -1


@dataclass(slots=True)
class ClimbingTable(PlacesTable):
    """The cards and facts of a climbing game."""

    is_cleared = True
    form: int = seen_by_all(-1)  # of the set that is laid
    size: int = seen_by_all(0)  # cards of the set to beat, 0 where one is led
    rank: int = seen_by_all(-1)  # its rank
    last: int = seen_by_all(NOBODY)  # who has laid it


@query
def lowest_rank(cards: int) -> int:
    """Return the rank of the lowest card of a mask."""
    return rank_of((cards & -cards).bit_length() - 1)


@query
def climbs(table: ClimbingTable, cards: int) -> bool:
    """Any set may be led; another one has as many cards as the last one, of a higher rank."""
    return table.size == 0 or (cards.bit_count() == table.size and lowest_rank(cards) > table.rank)


@query
def next_to_act(table: ClimbingTable, after: int) -> int:
    """Return the next seat after a seat that holds cards, or has laid last."""
    seat = seat_after(after, table.players)
    while table.hands[seat] == 0 and seat != table.last:
        seat = seat_after(seat, table.players)
    return seat


@guard("others are still to act")
def turn_comes_back(table: ClimbingTable) -> bool:
    """The turn comes back to who has laid last."""
    return next_to_act(table, table.player) == table.last


@effect
def next_in_climb(table: ClimbingTable) -> None:
    """The turn is over, and the next player who holds cards is in turn."""
    table.turns += 1
    table.player = next_to_act(table, table.player)


@effect
def lead_anew(table: ClimbingTable) -> None:
    """Who has laid last leads; without cards the next player who holds some."""
    table.turns += 1
    table.player = table.last
    while table.hands[table.player] == 0:
        table.player = seat_after(table.player, table.players)
    table.size, table.rank, table.last = 0, -1, NOBODY


def laying(named: RuleFunction) -> RuleFunction:
    """Return an effect: the set goes from the hand onto the discard pile. named: the query of its cards (table)."""

    @effect
    def lay_set(table):  # type: ignore[no-untyped-def]
        """The set goes from the hand onto the discard pile."""
        cards = named(table)
        table.hands[table.player] ^= cards
        table.size, table.rank, table.last = cards.bit_count(), lowest_rank(cards), table.player
        while cards != 0:
            card = (cards & -cards).bit_length() - 1
            lay_open(table, card)
            trace(table, card)
            cards &= cards - 1

    return lay_set


def leaves_one(named: RuleFunction) -> RuleFunction:
    """Return a guard: with the set that is laid only one player holds cards. named: the query of its cards (table)."""

    @guard("others hold cards")
    def one_is_left(table):  # type: ignore[no-untyped-def]
        """With the set that is laid only one player holds cards."""
        holding = 0
        for seat in range(table.players):
            holding += 1 if table.hands[seat] != 0 else 0
        return holding == 2 and table.hands[table.player] == named(table)

    return one_is_left


def set_to_beat(table: CardTable) -> list[tuple[int, int]]:
    """Return the set that is to be beaten: its cards, each with the seat that has laid it; empty in other games."""
    if not isinstance(table, ClimbingTable) or table.size == 0:
        return []
    return [(table.last, card) for card in discard_pile(table)[-table.size :]]


# ---------------------------------------------------------------- what must hold


@query
def nothing_to_beat(table: ClimbingTable) -> bool:
    """A set is led."""
    return table.size == 0 and table.rank == -1 and table.last == NOBODY


@query
def last_set_lies(table: ClimbingTable) -> bool:
    """The set to beat has the last cards that were laid, all of its rank; another player has laid it."""
    if not 0 < table.size <= table.tail - table.head - table.stock:
        return False
    for place in range(table.tail - table.size, table.tail):
        if rank_of(table.ring[place & len(table.ring) - 1]) != table.rank:
            return False
    return 0 <= table.last < table.players


@query
def others_have_laid(table: ClimbingTable) -> bool:
    """The player in turn holds cards, and has not laid the set to beat."""
    return table.hands[table.player] != 0 and table.player != table.last


@query
def next_holds_cards(before: ClimbingTable, after: ClimbingTable) -> bool:
    """The next player who holds cards is in turn, unless it is who has laid last."""
    seat = before.player
    for _ in range(before.players):
        seat = (seat + 1) % before.players
        if after.hands[seat] != 0:
            return after.player == seat
    return False
