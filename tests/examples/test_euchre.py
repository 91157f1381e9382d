"""The example Euchre in lock step with OpenSpiel: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import spiel

from examples.euchre import Euchre, Table, score

NAMES = Euchre.declaration.codec.notation.names
DEALER, PASS, ALONE, TOGETHER = 3, 24, 29, 30
RANKS = "9TJQKA"
NUMBERS = {"pass_turn": PASS, "play_alone": ALONE, "play_together": TOGETHER}


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card."""
    return len(spiel.SUITS) * RANKS.index(name[0]) + spiel.SUITS.index(name[1])


def spiel_action(move: Any, turned: str) -> int:
    """OpenSpiel's number of a move or a step. turned: the card that is turned up."""
    if move.card is not None:
        return spiel_card(str(move.card))
    if move.trigger in NUMBERS:
        return NUMBERS[move.trigger]
    suit = turned[1] if move.trigger == "order_up" else str(move.suit)
    return PASS + 1 + spiel.SUITS.index(suit)


def dealt(deck: list[str]) -> Any:
    """OpenSpiel's state after the deal, in which the dealer is given the first card of each round."""
    state = spiel.new_state("euchre")
    state.apply_action(DEALER)
    for first in range(0, 20, 4):
        for place in (3, 0, 1, 2):
            state.apply_action(spiel_card(deck[first + place]))
    state.apply_action(spiel_card(deck[20]))
    return state


def play(seed: int, number: int) -> tuple[float, bool]:
    """Play a random game in lock step. Returns what player 1 gains, and whether one played alone."""
    game, dice = Euchre.deal(4, seed, number), Random(f"{seed} {number}")
    deck = NAMES(bytes(game.dealt_deck()))
    state = dealt(deck)
    spiel.play_alike(game, state, lambda move: spiel_action(move, deck[20]), dice.choice)
    assert list(game.outcome.returns) == state.returns()
    assert game.outcome.winners == ((1, 3) if state.returns()[0] > 0 else (2, 4))
    return state.returns()[0], game.table.out >= 0


def test_open_spiel_agrees() -> None:
    for number in range(30):
        play(1, number)


@pytest.mark.slow
def test_open_spiel_agrees_in_hundreds_of_games() -> None:
    played = {play(2, number) for number in range(1000)}
    assert {(abs(points), alone) for points, alone in played} >= {
        (1, False),
        (2, False),
        (1, True),
        (2, True),
        (4, True),
    }


@pytest.mark.slow
def test_open_spiel_agrees_with_the_compiled_engine() -> None:
    for played in spiel.play_compiled(Euchre, 4, 300, "random", "house"):
        deck = NAMES(bytes(played.decks[0]))
        state = dealt(deck)
        spiel.follow(played, state, lambda step, turned=deck[20]: spiel_action(step, turned))
        assert list(played.outcome.returns) == state.returns()


@pytest.mark.parametrize(
    ("tricks", "out", "points"),
    [([2, 1, 1, 1], -1, 1), ([3, 0, 2, 0], -1, 2), ([5, 0, 0, 0], 2, 4), ([4, 1, 0, 0], 2, 1), ([1, 2, 1, 1], -1, 0)],
)
def test_the_makers_score_by_their_tricks(tricks: list[int], out: int, points: int) -> None:
    table = Table(players=4, tricks=tricks, maker=0, out=out)
    assert score(table, 0) == score(table, 2) == points
    assert score(table, 1) == score(table, 3) == (0 if points else 2)
