"""A stock with a card turned up under it: its suit is trump, and it is the last card that is drawn.

The table is a `StockTable`, for tricks a `StockTrickTable`, or a `ClosableStockTable` with `closer`, a seat. It has a
pile of one card that all see, and its suit; the facts are `STOCK_FACTS`. `deal_over_turned` deals. Hands are refilled
from the stock, at last with the turned card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.cards import NO_SUIT, suit_of
from rules.piles import Piles, stack_up, take_top
from rules.rule import effect, guard, query, rule
from rules.table import CardTable, deal_hands_in_turn, each_seat
from rules.tricks import NOBODY, TrickTable
from rules.visibility import seen_by_all


class TurnedUp(Piles, Protocol):
    """The fields of a table with a card turned up under the stock. turned: the pile of this card, a mask at 0."""

    players: int
    hands: list[int]
    turned: list[int]
    trump: int


@dataclass(slots=True)
class StockTable(CardTable):
    """The cards and facts of a game with a card turned up under the stock."""

    turned: list[int] = seen_by_all(factory=each_seat(4))
    trump: int = seen_by_all(NO_SUIT)


@dataclass(slots=True)
class StockTrickTable(TrickTable):
    """The cards and facts of a game of tricks with a card turned up under the stock."""

    turned: list[int] = seen_by_all(factory=each_seat(4))


@dataclass(slots=True)
class ClosableStockTable(StockTrickTable):
    """The cards and facts of a game of tricks whose stock the leader may close, so that nobody draws any more."""

    closer: int = seen_by_all(NOBODY)


@effect
def deal_over_turned(table: StockTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn, and turn the next one up: its suit is trump."""
    deal_hands_in_turn(table, deck, players, each)
    dealt = players * each
    table.turned[0] = 1 << int(deck[dealt])
    table.trump = suit_of(int(deck[dealt]))
    stack_up(table, deck, dealt + 1)


@query
def cards_to_draw(table: TurnedUp) -> int:
    """Return how many cards can be drawn: the stock and the turned card."""
    return table.stock + table.turned[0].bit_count()


@rule
def draw_or_take_turned(table: TurnedUp, seat: int) -> None:
    """Put the top card of the stock into the hand of `seat`; where the stock is gone, the turned card, if it lies."""
    if table.stock > 0:
        table.hands[seat] |= 1 << take_top(table)
    else:
        table.hands[seat] |= table.turned[0]
        table.turned[0] = 0


@rule
def refill(table: TurnedUp, seat: int, size: int) -> None:
    """Refill the hand of `seat` to `size` cards, as long as there are cards."""
    while table.hands[seat].bit_count() < size and cards_to_draw(table) > 0:
        draw_or_take_turned(table, seat)


@effect
def each_draws(table: StockTrickTable) -> None:
    """Each player draws a card, who takes the trick first, if there are cards for all."""
    if cards_to_draw(table) >= table.players:
        for step in range(table.players):
            draw_or_take_turned(table, (table.taker + step) % table.players)


@guard("cards are left")
def nothing_left(table: StockTrickTable) -> bool:
    """Nobody has a card left, and there are not enough for all to draw."""
    return table.hands[table.taker] == 0 and cards_to_draw(table) < table.players


@effect
def exchange_turned(table: StockTrickTable) -> None:
    """The card goes under the stock, and the turned card into the hand."""
    table.hands[table.player] ^= 1 << table.card | table.turned[0]
    table.turned[0] = 1 << table.card


@guard("the stock is open")
def stock_is_shut(table: ClosableStockTable) -> bool:
    """The stock is closed, or has too few cards for all to draw."""
    return table.closer != NOBODY or cards_to_draw(table) < table.players


@effect
def close_stock(table: ClosableStockTable) -> None:
    """The player in turn closes the stock."""
    table.closer = table.player


@effect
def each_draws_if_open(table: ClosableStockTable) -> None:
    """Each player draws a card, who takes the trick first, while the stock is open."""
    if table.closer == NOBODY:
        each_draws(table)


# ---------------------------------------------------------------- what must hold


@query
def each_has_drawn_if_open(before: ClosableStockTable, after: ClosableStockTable) -> bool:
    """Each player has drawn a card, who takes the trick first; nobody once the stock is closed."""
    if before.closer == NOBODY:
        return each_has_drawn(before, after)
    for seat in range(before.players):
        if before.hands[seat] != after.hands[seat]:
            return False
    return True


@query
def turned_card_lies(table: TurnedUp) -> bool:
    """The turned card lies there as long as there is a stock, and its suit is trump."""
    card = table.turned[0]
    fits = card == 0 or suit_of(card.bit_length() - 1) == table.trump
    return fits and card.bit_count() <= 1 and (table.stock == 0 or card != 0)


@query
def turned_is_exchanged(before: StockTrickTable, after: StockTrickTable) -> bool:
    """The card lies under the stock, and the one that lay there is in the hand."""
    return after.turned[0] == 1 << before.card and after.hands[after.player] & before.turned[0] != 0


@query
def each_has_drawn(before: StockTrickTable, after: StockTrickTable) -> bool:
    """Each player has drawn a card, who takes the trick first; or there were too few for all, and nobody has."""
    gained, enough = 0, cards_to_draw(before) >= before.players
    for step in range(before.players):
        seat = (before.taker + step) % before.players
        new = after.hands[seat] & ~before.hands[seat]
        first = 1 << before.ring[before.head + step & len(before.ring) - 1] if step < before.stock else before.turned[0]
        if after.hands[seat] & before.hands[seat] != before.hands[seat] or new != (first if enough else 0):
            return False
        gained += new.bit_count()
    return cards_to_draw(after) == cards_to_draw(before) - gained
