"""Invariants and postconditions that card games share, for the checks: piles, hands, turns.

An invariant is a function of a table; a postcondition one of the tables before and after an event, where the table
before has the card and suit of the event already.
"""

from __future__ import annotations

from typing import Protocol

from rules.cards import NO_CARD
from rules.ending import NO_WINNER, OUT_OF_CARDS, RUNNING, WON, negated, sides_among
from rules.piles import Piles, cards_under_open_card
from rules.rule import RuleFunction, query
from rules.table import CardTable

NO, YES = 0, 1
"""The values of a Boolean fact."""


class Seats(Protocol):
    """The fields of every table."""

    players: int
    player: int
    ending: int
    winner: int


class SharedSeats(Seats, Protocol):
    """The fields of every table of a game that several can win together."""

    winners: int


class HandFields(Seats, Protocol):
    """The fields of a table with hands: a mask of card codes for each seat."""

    hands: list[int]


class Cards(HandFields, Piles, Protocol):
    """The fields of a table whose cards are in hands and piles, each card once."""


@query
def player_is_seated(table: Seats) -> bool:
    """The player in turn is one of the players."""
    return 0 <= table.player < table.players


@query
def game_goes_on(table: Seats) -> bool:
    """The game has no ending yet."""
    return table.ending == RUNNING


@query
def game_has_ended(table: Seats) -> bool:
    """The game has an ending."""
    return table.ending != RUNNING


@query
def winner_has_won(table: Seats) -> bool:
    """There is a winner, one of the players, exactly if the game was won."""
    if table.ending == WON:
        return 0 <= table.winner < table.players
    return table.winner == NO_WINNER


@query
def winners_have_won(table: SharedSeats) -> bool:
    """Some of the players have won exactly if the game was won, and the winner is who has won alone."""
    if table.ending != WON:
        return table.winners == 0 and table.winner == NO_WINNER
    alone = table.winner == table.winners.bit_length() - 1
    return 0 < table.winners < 1 << table.players and alone == (table.winners & table.winners - 1 == 0)


def adds_up_to_nothing(returns: RuleFunction) -> RuleFunction:
    """A query: what some players gain the others lose. returns: of a seat (table, seat)."""

    @query
    def adds_up(table):  # type: ignore[no-untyped-def]
        """What some players gain the others lose."""
        total = 0
        for seat in range(table.players):
            total += returns(table, seat)
        return total == 0

    return adds_up


def partners_have_equal_points(points: RuleFunction, sides: int) -> RuleFunction:
    """A query: partners have the same points. points: of a seat (table, seat). sides: every so many seats are one."""

    @query
    def have_equal_points(table):  # type: ignore[no-untyped-def]
        """Partners have the same points."""
        several = sides_among(table.players, sides)
        for seat in range(several, table.players):
            if points(table, seat) != points(table, seat - several):
                return False
        return True

    return have_equal_points


def each_scores(points: RuleFunction, holds: RuleFunction, in_match: bool) -> RuleFunction:
    """Return a query: every seat has the points that the rules give, in a match only where the round was won.

    points: of a seat (table, seat). holds: whether these are its points (table, seat, points).
    """

    @query
    def scores(table):  # type: ignore[no-untyped-def]
        """Every seat has the points that the rules give."""
        if in_match and table.ending != WON:
            return True
        for seat in range(table.players):
            if not holds(table, seat, points(table, seat)):
                return False
        return True

    return scores


def fewest_has_won(score: RuleFunction) -> RuleFunction:
    """A query: who alone has the fewest points has won; if several have, nobody. score: of a seat (table, seat)."""

    @query
    def has_won(table):  # type: ignore[no-untyped-def]
        """Who alone has the fewest points has won; if several have, nobody."""
        best, shared = 0, False
        for seat in range(1, table.players):
            if score(table, seat) == score(table, best):
                shared = True
            if score(table, seat) < score(table, best):
                best, shared = seat, False
        return table.ending == OUT_OF_CARDS if shared else table.ending == WON and table.winner == best

    return has_won


def most_has_won_alone(score: RuleFunction) -> RuleFunction:
    """Return a query: who alone has the most points has won; if several have, nobody. score: (table, seat)."""
    return fewest_has_won(negated(score))


def most_has_won(points: RuleFunction, sides: int = 0) -> RuleFunction:
    """Return a query: the side that alone has the most points has won; if several have, nobody.

    points: of the side of a seat (table, seat). sides: every so many seats are partners; 0 if there are none.
    """

    @query
    def has_won(table):  # type: ignore[no-untyped-def]
        """Each player of the side that alone has the most points has won, and nobody else."""
        several = sides_among(table.players, sides)
        for seat in range(table.players):
            ahead = True
            for other in range(table.players):
                if other % several != seat % several and points(table, other) >= points(table, seat):
                    ahead = False
            if (table.winners >> seat & 1 == 1) != ahead:
                return False
        return (table.ending == WON) == (table.winners != 0)

    return has_won


@query
def no_card_is_open(table: Piles) -> bool:
    """No card was turned up."""
    return table.open_card == NO_CARD


@query
def one_card_is_open(table: Piles) -> bool:
    """One card was turned up."""
    return table.open_card != NO_CARD and table.tail - table.head - table.stock == 1


@query
def all_hold_cards(table: HandFields) -> bool:
    """Every player holds a card."""
    for seat in range(table.players):
        if table.hands[seat] == 0:
            return False
    return True


@query
def nothing_due(table: CardTable) -> bool:
    """No card is due."""
    return table.due == 0


@query
def hands_are_equal(table: HandFields) -> bool:
    """All players hold equally many cards."""
    for seat in range(table.players):
        if table.hands[seat].bit_count() != table.hands[0].bit_count():
            return False
    return True


@query
def all_cards(table: Cards) -> int:
    """All cards of the game as a mask."""
    cards = 0
    ring, last = table.ring, len(table.ring) - 1
    for place in range(table.head, table.tail):
        cards |= 1 << ring[place & last]
    for seat in range(table.players):
        cards |= table.hands[seat]
    return cards


@query
def only_open_card_lies(table: Piles) -> bool:
    """The open card is the only one on the discard pile."""
    return cards_under_open_card(table) == 0


@query
def starter_lies(table: CardTable) -> bool:
    """The first player is in turn, all hold equally many cards, and only the starter lies on the discard pile."""
    return table.player == 0 and hands_are_equal(table) and only_open_card_lies(table)


@query
def card_in_piles(table: Piles, place: int) -> int:
    """The card at `place` of both piles, counted from the top of the draw pile to the open card."""
    return table.ring[table.head + place & len(table.ring) - 1]


@query
def piles_are_sound(table: Piles) -> bool:
    """The draw pile has no negative size, and the last card of the discard pile is the open one."""
    size = table.tail - table.head
    return 0 <= table.stock < size <= len(table.ring) and card_in_piles(table, size - 1) == table.open_card


@query
def same_player(before: CardTable, after: CardTable) -> bool:
    """The same player is in turn, in the same turn."""
    return after.player == before.player and after.turns == before.turns


@query
def due_stays(before: CardTable, after: CardTable) -> bool:
    """As many cards are due as before."""
    return after.due == before.due


@query
def other_hands_stay(before: HandFields, after: HandFields) -> bool:
    """The hands of all but the player who was in turn stay as they were."""
    for seat in range(before.players):
        if seat != before.player and after.hands[seat] != before.hands[seat]:
            return False
    return True


@query
def same_order(before: Piles, after: Piles, skipped: int, cards: int) -> bool:
    """Whether the first `cards` of both piles are those that were `skipped` places further before, in order."""
    was, ring, last = before.ring, after.ring, len(after.ring) - 1
    ahead = before.head + skipped - after.head
    for place in range(after.head, after.head + cards):
        if ring[place & last] != was[place + ahead & last]:
            return False
    return True


@query
def piles_stay(before: Piles, after: Piles) -> bool:
    """Both piles are unchanged."""
    size = before.tail - before.head
    same = after.tail - after.head == size and after.stock == before.stock and after.open_card == before.open_card
    return same and same_order(before, after, 0, size)


@query
def top_card_leaves(before: Piles, after: Piles) -> bool:
    """The top card of the draw pile is removed, and the piles are else unchanged."""
    size = before.tail - before.head
    gone = after.tail - after.head == size - 1 and after.stock == before.stock - 1
    return gone and after.open_card == before.open_card and same_order(before, after, 1, size - 1)


@query
def card_lies_open(before: Piles, after: Piles) -> bool:
    """The card of the event is the open card, on top of the previous one, and the piles are else unchanged."""
    size = before.tail - before.head
    laid = after.tail - after.head == size + 1 and after.stock == before.stock and after.open_card == before.card
    return laid and card_in_piles(after, size) == before.card and same_order(before, after, 0, size)


@query
def all_under_open_card_turned(before: Piles, after: Piles) -> bool:
    """All cards under the open card are the draw pile, in the same order; this counts as one reshuffle."""
    size = before.tail - before.head
    turned = after.tail - after.head == size and after.stock == size - 1 and after.open_card == before.open_card
    return turned and after.reshuffles == before.reshuffles + 1 and same_order(before, after, 0, size)


@query
def nothing_moves(before: Cards, after: Cards) -> bool:
    """All cards stay where they were."""
    same = after.hands[before.player] == before.hands[before.player]
    return same and other_hands_stay(before, after) and piles_stay(before, after)


@query
def card_is_laid(before: Cards, after: Cards) -> bool:
    """The card goes from the hand of the player in turn onto the open card, and no other card moves."""
    hand = before.hands[before.player]
    gone = hand - after.hands[before.player] == 1 << before.card and hand >> before.card & 1 == 1
    return gone and other_hands_stay(before, after) and card_lies_open(before, after)


@query
def top_card_is_taken(before: Cards, after: Cards) -> bool:
    """The top card of the draw pile goes into the hand of the player who was in turn, and no other card moves."""
    hand = before.hands[before.player] | 1 << card_in_piles(before, 0)
    taken = after.hands[before.player] == hand
    return taken and other_hands_stay(before, after) and top_card_leaves(before, after)


@query
def nothing_left_to_turn(before: Piles, after: Piles) -> bool:
    """The draw pile is not left empty while cards lie under the open card."""
    return after.stock > 0 or cards_under_open_card(after) == 0
