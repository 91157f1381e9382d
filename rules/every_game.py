"""What is true of every game: what its programs may call besides its own rules, and what is stated of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.chance import below, draw_words, shuffle_by_words
from rules.invariants import (
    adds_up_to_nothing,
    game_goes_on,
    game_has_ended,
    partners_have_equal_points,
    player_is_seated,
    winner_has_won,
    winners_have_won,
)
from rules.piles import cards_laid, cards_taken
from rules.rule import RuleFunction
from rules.table import card_taken

OF_EVERY_GAME: tuple[RuleFunction, ...] = (
    below,
    draw_words,
    shuffle_by_words,
    cards_laid,
    cards_taken,
    card_taken,
)
"""What a program of any game may call besides the rules of the game: dice, the shuffle, and what happens to piles."""


class Stated(NamedTuple):
    """What is stated of the tables of a game. when_over: of a game that is over, or that is not; None: always."""

    description: str
    holds: RuleFunction
    when_over: bool | None = None


def stated_of_every_game(
    shares_wins: bool, returns: RuleFunction | None, points: RuleFunction, sides: int
) -> Iterator[Stated]:
    """Yield what is stated of the tables of every game.

    shares_wins: whether several can win together. returns: of a seat, if they add up to nothing. points: of a seat in a
    match. sides: of partners, if there are any.
    """
    won = winners_have_won if shares_wins else winner_has_won
    yield Stated("one of the players is in turn", player_is_seated)
    yield Stated("a game without an ending goes on", game_goes_on, when_over=False)
    yield Stated("a game that is over has an ending", game_has_ended, when_over=True)
    yield Stated("there is a winner exactly if the game was won", won)
    if returns:
        yield Stated("what some players gain the others lose", adds_up_to_nothing(returns), when_over=True)
    if sides:
        yield Stated("partners have the same points", partners_have_equal_points(points, sides), when_over=True)
