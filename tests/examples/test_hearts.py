"""The example Hearts against OpenSpiel's: the same legal actions in every state, and the same points at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from examples.hearts import NOTATION, Hearts, Table, shoot_the_moon
from fsm import Step

pyspiel = pytest.importorskip("pyspiel", reason="the judge needs open_spiel")

SPIEL_SUITS, SPIEL_RANKS = "CDHS", "23456789TJQKA"
SPIEL_DIRECTIONS = (1, 3, 2, 0)
"""OpenSpiel's numbers for passing left, right and across, and for none: in the order of the games of a row."""


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * SPIEL_RANKS.index(name[0]) + SPIEL_SUITS.index(name[1])


def started(game: Hearts, number: int) -> Any:
    """OpenSpiel's state after the same deal."""
    state = pyspiel.load_game("hearts", {"qs_breaks_hearts": False}).new_initial_state()
    state.apply_action(SPIEL_DIRECTIONS[number % 4])
    for code in game.dealt_deck():
        state.apply_action(spiel_card(NOTATION.cards[code]))
    return state


def play_in_lock_step(seed: int, number: int) -> tuple[int, ...]:
    """One random game, compared in every state and at its end: its points."""
    game = Hearts.deal(4, seed, number)
    state, dice = started(game, number), Random(f"{seed} {number}")
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        moves = game.events().legal
        assert state.current_player() == game.player - 1
        assert state.legal_actions() == sorted(spiel_card(move.card or "") for move in moves)
        step: Step = game.fire(*dice.choice(moves))
        state.apply_action(spiel_card(step.card or ""))
    assert state.is_terminal()
    assert state.returns() == [26 - points for points in game.outcome.scores]
    return game.outcome.scores


def test_open_spiel_allows_the_same_actions_and_counts_the_same_points() -> None:
    for number in range(50):
        play_in_lock_step(1, number)


@pytest.mark.thorough
def test_open_spiel_agrees_in_thousands_of_games() -> None:
    for number in range(4000):
        play_in_lock_step(2, number)


@pytest.mark.parametrize(
    ("taken", "scores"),
    [([0, 26, 0, 0], [26, 0, 26, 26]), ([0, 25, 1, 0], [0, 25, 1, 0]), ([13, 13, 0, 0], [13, 13, 0, 0])],
)
def test_who_takes_all_points_has_none_and_the_others_have_26(taken: list[int], scores: list[int]) -> None:
    table = Table(players=4, points=taken)
    shoot_the_moon(table)
    assert table.points == scores
