"""Bids of tricks: each player says in turn how many tricks to take; the tricks that each has taken are counted.

The table is a `BidTable`, and its facts are `BID_FACTS`, beside those of a trick (`rules.tricks`). A game without bids
has a `CountedTrickTable` and `Fact("tricks", kind="counts")`. Player 1 bids first.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.rule import effect, guard, query
from rules.table import each_seat
from rules.tricks import TrickTable, taker_in_turn, tricks_of, tricks_taken
from rules.visibility import seen_by_all

NOTHING = -1
SEATS = 4
"""The most players."""


@dataclass(slots=True)
class CountedTrickTable(TrickTable):
    """The cards and facts of a game in which the tricks of each player are counted."""

    tricks: list[int] = seen_by_all(factory=each_seat(SEATS))  # that each has taken


@dataclass(slots=True)
class BidTable(CountedTrickTable):
    """The cards and facts of a game in which each player bids a number of tricks."""

    amount: int = seen_by_all(NOTHING)  # the bid that is made
    bids: list[int] = seen_by_all(factory=each_seat(SEATS))
    bidders: int = seen_by_all(0)  # how many have bid


@query
def possible_bids(table: BidTable) -> int:
    """From none up to all of the player's cards."""
    return (2 << table.hands[table.player].bit_count()) - 1


@guard("others are still to bid")
def last_bid(table: BidTable) -> bool:
    """All others have bid."""
    return table.bidders == table.players - 1


@effect
def make_bid(table: BidTable) -> None:
    """The player says how many tricks to take."""
    table.bids[table.player] = table.amount
    table.bidders += 1


@effect
def take_trick(table: CountedTrickTable) -> None:
    """Who played the best card takes the trick."""
    table.tricks[table.taker] += 1
    taker_in_turn(table)


# ---------------------------------------------------------------- what must hold


@query
def tricks_are_counted(table: CountedTrickTable) -> bool:
    """Each player has the tricks taken, by the cards that lie there."""
    for seat in range(table.players):
        if table.tricks[seat] != tricks_of(table, seat):
            return False
    return True


@query
def bids_are_in_turn(table: BidTable) -> bool:
    """The players before the one in turn have bid, none more than there are cards in the hand; the others have not."""
    for seat in range(table.players):
        most = table.hands[seat].bit_count() if seat < table.player else 0
        if not 0 <= table.bids[seat] <= most:
            return False
    return table.player == table.bidders


@query
def all_have_bid(table: BidTable) -> bool:
    """All have bid, none more than each was dealt."""
    for seat in range(table.players):
        cards = table.hands[seat].bit_count() + tricks_taken(table) + (1 if table.laid > 0 else 0)
        if not 0 <= table.bids[seat] <= cards:
            return False
    return table.bidders == table.players


@query
def bid_counts(before: BidTable, after: BidTable) -> bool:
    """The bid is that of the player, and the next one is in turn."""
    following_seat = (before.player + 1) % before.players
    return after.bids[before.player] == before.amount >= 0 and after.player == following_seat


@query
def taker_has_trick(before: CountedTrickTable, after: CountedTrickTable) -> bool:
    """The player who played the best card has one trick more."""
    return after.tricks[before.taker] == before.tricks[before.taker] + 1
