"""Whose gain is a gain of player 1 where a game is solved, and what players gain there.

Partners of two sides gain and lose together, so that with any number of players one side gains what the other one
loses. Of three sides or more each wins for itself alone: there is no perfect play, and returns do not count, only who
wins.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from fsm.declaration.declaration import Declaration
from rules.rule import RuleFunction, query


def sides_of(game: Declaration, players: int) -> tuple[int, ...]:
    """Return for each seat 1 or -1: what its win is to the side of player 1.

    players: how many. With one player there is a second, empty seat. With more than two sides all others have -1.
    """
    several = game.scoring.sides_among(players)
    return tuple(-1 if seat % several else 1 for seat in range(players)) if players > 1 else (1, -1)


def has_two_sides(game: Declaration, players: int) -> bool:
    """Return whether what one side gains the other one loses, or there is one player alone."""
    return game.scoring.sides_among(players) <= 2


@query
def side_wins(table: Any, seat: int) -> int:
    """1 if the side of a seat has won, -1 if the other one has, else 0."""
    if table.winners == 0:
        return 0
    return 1 if table.winners >> seat & 1 == 1 else -1


@cache
def side_of_winner_wins(sides: int) -> RuleFunction:
    """Return `side_wins` for a game in which one seat wins for its side. sides: every so many seats are one."""

    @query
    def wins(table, seat):  # type: ignore[no-untyped-def]
        """1 if the side of a seat has won, -1 if the other one has, else 0."""
        if table.winner < 0:
            return 0
        return 1 if seat % sides == table.winner % sides else -1

    return wins


def as_solved(game: Declaration, players: int) -> Declaration:
    """Return a game with the returns by which it is solved. players: how many."""
    if players <= 2:
        return game
    if not has_two_sides(game, players):
        return replace(game, returns=None, zero_sum=False) if game.returns else game
    wins = side_wins if game.shares_wins else side_of_winner_wins(game.scoring.sides or players)
    return game if game.returns else replace(game, returns=wins, zero_sum=True)
