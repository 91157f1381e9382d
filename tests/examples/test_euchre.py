"""The example Euchre in lock step with OpenSpiel: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import spiel

from examples.euchre import Euchre, Table, score
from fsm.match.transcript import Transcript
from maumau.kernels.bulk.transcripts import play_compiled
from rules.reading import Dealt

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


def dealt(pyspiel: Any, deck: list[str]) -> Any:
    """OpenSpiel's state after the deal, in which the dealer is given the first card of each round."""
    state = pyspiel.load_game("euchre").new_initial_state()
    state.apply_action(DEALER)
    for first in range(0, 20, 4):
        for place in (3, 0, 1, 2):
            state.apply_action(spiel_card(deck[first + place]))
    state.apply_action(spiel_card(deck[20]))
    return state


def play(pyspiel: Any, seed: int, number: int) -> tuple[float, bool]:
    """Play a random game in lock step. Returns what player 1 gains, and whether one played alone."""
    game, dice = Euchre.deal(4, seed, number), Random(f"{seed} {number}")
    deck = NAMES(bytes(game.dealt_deck()))
    state = dealt(pyspiel, deck)
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        assert state.current_player() == game.player - 1
        moves = {spiel_action(move, deck[20]): move for move in game.events().legal}
        assert state.legal_actions() == sorted(moves)
        action = dice.choice(sorted(moves))
        game.fire(*moves[action])
        state.apply_action(action)
    assert state.is_terminal()
    assert list(game.outcome.returns) == state.returns()
    assert game.outcome.winners == ((1, 3) if state.returns()[0] > 0 else (2, 4))
    return state.returns()[0], game.table.out >= 0


def follow(pyspiel: Any, played: Transcript) -> None:
    """A game of the compiled engine: its moves are legal in OpenSpiel, and it ends as there."""
    deck = NAMES(bytes(played.decks[0]))
    state = dealt(pyspiel, deck)
    for step in played.steps:
        if step.trigger not in ("begin", "take_trick", "count"):
            assert spiel_action(step, deck[20]) in state.legal_actions()
            state.apply_action(spiel_action(step, deck[20]))
    assert list(played.outcome.returns) == state.returns()


def test_open_spiel_agrees() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the judge needs open_spiel")
    for number in range(30):
        play(pyspiel, 1, number)


@pytest.mark.slow
def test_open_spiel_agrees_in_hundreds_of_games() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the judge needs open_spiel")
    played = {play(pyspiel, 2, number) for number in range(1000)}
    assert {(abs(points), alone) for points, alone in played} >= {
        (1, False),
        (2, False),
        (1, True),
        (2, True),
        (4, True),
    }


@pytest.mark.slow
def test_open_spiel_agrees_with_the_compiled_engine() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the judge needs open_spiel")
    decks = [Dealt(4, bytes(Euchre.deck_of(4, 11, number))) for number in range(300)]
    for policy in ("random", "house"):
        for played in play_compiled(Euchre, decks, (policy,), 11):
            follow(pyspiel, played)


@pytest.mark.parametrize(
    ("tricks", "out", "points"),
    [([2, 1, 1, 1], -1, 1), ([3, 0, 2, 0], -1, 2), ([5, 0, 0, 0], 2, 4), ([4, 1, 0, 0], 2, 1), ([1, 2, 1, 1], -1, 0)],
)
def test_the_makers_score_by_their_tricks(tricks: list[int], out: int, points: int) -> None:
    table = Table(players=4, tricks=tricks, maker=0, out=out)
    assert score(table, 0) == score(table, 2) == points
    assert score(table, 1) == score(table, 3) == (0 if points else 2)
