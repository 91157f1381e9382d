"""How much of a game is skill, and players against chance: results that were computed by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fsm.outside import admit, read_source
from maumau.solve.hidden import random_effect, relative_skill, solve_hidden
from maumau.solve.positions import Worth, best_against

KUHN = f"{Path(__file__).parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"


def test_kuhn_poker_is_as_much_skill_as_by_hand() -> None:
    """Value -1/18. Who is told both cards never loses two chips, and bets with the better card as far as that pays.

    Told in the first seat: against a king a chip is lost in both deals, against a jack one is won in both. Against the
    queen the king always bets and the jack in one of three, the queen calls in two of three, so the king gains 5/3 and
    the jack loses 1: in all (-2 + 2 + 5/3 - 1) / 6 = 1/9.
    The same holds in the second seat, where the first one checks. Random play gains -5/12 in the first seat and -1/2
    in the second one against the best answers: with king, queen and jack these are worth 7/4, 1/4 and -3/4 to the
    second seat, and 3/2, 1/2 and -1/2 to the first one. Who always checks and folds loses a chip in each deal in which
    it is bet to, in both seats.
    """
    found = solve_hidden(admit(read_source(KUHN)), ["random", "first-legal"])
    random = Fraction(1, 2) * (Fraction(1, 9) + Fraction(1, 9))
    assert random_effect(found) == pytest.approx(float(random))
    for number, learning in enumerate((Fraction(1, 2) * (Fraction(5, 12) + Fraction(1, 2)), Fraction(1))):
        exploitability = found.judge(number).exploitability
        assert exploitability == pytest.approx(float(learning))
        assert relative_skill(exploitability, float(random)) == pytest.approx(float(learning / (learning + random)))


def test_nothing_to_learn_is_a_game_of_chance() -> None:
    assert relative_skill(0.0, 0.25) == relative_skill(0.0, 0.0) == 0.0
    assert relative_skill(0.25, 0.0) == 1.0


NOBODY, FIRST, SECOND = -1, -2, -3
"""Ends in place of positions."""


def worth_by(chances: np.ndarray, first: list[int], moves: list[int]) -> Worth:
    """Positions by the chances of all moves, for the first seat: the limit of ever more rounds."""
    worth = np.zeros(len(first) - 1)
    for _ in range(2000):
        found = Worth(worth, np.zeros(len(worth), np.int32), np.array([1, -1]))
        gains = chances * found.of(np.array(moves))
        worth = np.add.reduceat(gains, first[:-1])
    return Worth(worth, np.zeros(len(worth), np.int32), np.array([1, -1]))


@pytest.mark.parametrize("side", [1, -1])
def test_a_loss_that_is_put_off_is_a_loss(side: int) -> None:
    """Position 0 may wait or try; trying wins or leads, half of the time each, to position 2, which is lost.

    With any number of rounds the best is to wait and try in the last one, which looks like a half. In truth it is 0.
    """
    won, lost = (FIRST, SECOND) if side == 1 else (SECOND, FIRST)
    first, moves = [0, 2, 4, 5], [0, 1, won, 2, lost]
    free, chances = np.array([True, False, True]), np.array([1, 0, 0.5, 0.5, 1])
    found = best_against(
        lambda each: worth_by(each, first, moves), np.array(first), np.array(moves), free, side, chances
    )
    assert found.points == pytest.approx([0, 0, -side])


@pytest.mark.parametrize("side", [1, -1])
def test_who_can_wait_for_ever_does_not_lose(side: int) -> None:
    """Position 0 may lose at once or go to 1, from where chance leads back."""
    lost = SECOND if side == 1 else FIRST
    first, moves = [0, 2, 4], [lost, 1, 0, 0]
    chances = np.array([1, 0, 0.5, 0.5])
    found = best_against(
        lambda each: worth_by(each, first, moves),
        np.array(first),
        np.array(moves),
        np.array([True, False]),
        side,
        chances,
    )
    assert found.points == pytest.approx([0, 0])
