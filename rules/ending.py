"""How games end: the codes in tables and results."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from rules.rule import RuleFunction, effect, query, rule

NO_WINNER = -1


class Ending(IntEnum):
    """The end of a game; RUNNING while there is none."""

    RUNNING = 0
    WON = 1
    OUT_OF_CARDS = 2
    ENDLESS = 3

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


RUNNING, WON, OUT_OF_CARDS, ENDLESS = map(int, Ending)
"""The same as plain integers, for rule functions."""


class Shared(Protocol):
    """The fields of the table of a game that several can win together. winners: a mask of seats."""

    ending: int
    winner: int
    winners: int


@rule
def win_together(table: Shared, winners: int) -> None:
    """The seats of a mask have won; who has won alone is the winner."""
    table.ending, table.winners = WON, winners
    if winners & winners - 1 == 0:
        table.winner = winners.bit_length() - 1


@query
def sides_among(players: int, sides: int) -> int:
    """Return how many sides some players form: `sides`, or as many as players where each plays alone.

    sides: every so many seats are partners; 0 if there are none. With a number of players that is not a multiple of it
    each plays alone.
    """
    return sides if sides > 0 and players % sides == 0 else players


def most_win(points: RuleFunction, sides: int = 0) -> RuleFunction:
    """Return an effect: the side with the most points wins; if several have as many, nobody does.

    points: of the side of a seat, a query (table, seat). sides: every so many seats are partners; 0 if there are none.
    Each plays alone with a number of players that cannot form so many equal sides.
    The table has the field `winners`.
    """

    @effect
    def most_points_win(table):  # type: ignore[no-untyped-def]
        """The side with the most points wins; if several have as many, nobody does."""
        best, shared, several = 0, False, sides_among(table.players, sides)
        for side in range(1, several):
            if points(table, side) == points(table, best):
                shared = True
            if points(table, side) > points(table, best):
                best, shared = side, False
        winners = 0
        for seat in range(table.players):
            if seat % several == best:
                winners |= 1 << seat
        table.ending = OUT_OF_CARDS
        if not shared:
            win_together(table, winners)

    return most_points_win


def ahead_by(points: RuleFunction) -> RuleFunction:
    """Return a query (table, seat): the points by which a seat is ahead of the next one: returns of two sides.

    points: of a seat, or of its side, a query (table, seat).
    """

    @query
    def points_ahead(table, seat):  # type: ignore[no-untyped-def]
        """The points by which a seat is ahead of the next one."""
        return points(table, seat) - points(table, (seat + 1) % table.players)

    return points_ahead


def fewest_win(score: RuleFunction, name: str = "fewest_win") -> RuleFunction:
    """An effect: the fewest points win; if several have as few, nobody does.

    score: the points of a seat, a query (table, seat). name: that of the effect.
    """

    @effect
    def win(table):  # type: ignore[no-untyped-def]
        """The fewest points win; if several have as few, nobody does."""
        fewest = score(table, 0)
        for seat in range(1, table.players):
            fewest = min(fewest, score(table, seat))
        winners = 0
        for seat in range(table.players):
            if score(table, seat) == fewest:
                winners += 1
                table.winner = seat
        table.ending = WON
        if winners > 1:
            table.ending = OUT_OF_CARDS
            table.winner = NO_WINNER

    win.__name__ = name
    return win


def most_wins_alone(score: RuleFunction, name: str) -> RuleFunction:
    """Return an effect: who alone has the most points wins; if several have as many, nobody does.

    score: the points of a seat, a query (table, seat). name: that of the effect. Of partners see `most_win`.
    """
    return fewest_win(negated(score), name)


def negated(points: RuleFunction) -> RuleFunction:
    """Return a query (table, seat): the points of a seat as a loss. points: a query (table, seat)."""

    @query
    def loss(table, seat):  # type: ignore[no-untyped-def]
        """The points of a seat, as a loss."""
        return -points(table, seat)

    return loss
