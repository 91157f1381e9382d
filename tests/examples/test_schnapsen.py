"""The example Schnapsen against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from beside_plain import follow, play_beside
from plain_schnapsen import PlainSchnapsen

from examples.schnapsen import Schnapsen
from fsm import Move, Step
from maumau.kernels.bulk.transcripts import play_compiled
from rules.reading import Dealt

NAMES = Schnapsen.declaration.codec.notation.names
CHOSEN = ("play", "marry", "exchange", "close")


def text(move: Move | Step) -> str:
    """A move or a step as the plain program writes it."""
    return f"{move.trigger} {move.card}" if move.card else move.trigger


def play(seed: int, number: int, *, closes: bool) -> PlainSchnapsen:
    """Play a random game beside the plain program. closes: whether the stock may be closed."""
    game, dice = Schnapsen.deal(2, seed, number), Random(f"{seed} {number}")
    plain = PlainSchnapsen(NAMES(bytes(game.dealt_deck())))
    play_beside(game, plain, lambda moves: dice.choice([name for name in moves if closes or name != "close"]), text)
    assert game.outcome is not None
    assert plain.winner == game.outcome.winner
    assert list(game.outcome.scores) == [plain.points(1), plain.points(2)]
    assert game.outcome.returns == (plain.result(), -plain.result())
    return plain


def test_random_games_are_those_of_the_plain_program() -> None:
    for number in range(30):
        play(1, number, closes=number % 2 == 0)


@pytest.mark.slow
def test_hundreds_of_random_games_are_those_of_the_plain_program() -> None:
    played = [play(2, number, closes=number % 2 == 0) for number in range(400)]
    assert {abs(plain.result()) for plain in played if plain.closed_by} >= {2, 3}
    assert {abs(plain.result()) for plain in played if not plain.closed_by} >= {1, 2}
    assert any(plain.winner == plain.closed_by for plain in played)


@pytest.mark.slow
def test_compiled_games_are_those_of_the_plain_program() -> None:
    decks = [Dealt(2, bytes(Schnapsen.deck_of(2, 3, number))) for number in range(300)]
    for policy in ("random", "house"):
        for played in play_compiled(Schnapsen, decks, (policy,), 3):
            plain = PlainSchnapsen(NAMES(bytes(played.decks[0])))
            follow(played.steps, plain, CHOSEN, text)
            assert plain.winner == played.outcome.winner
            assert played.outcome.returns == (plain.result(), -plain.result())


def test_a_trick_is_told_apart_from_the_card_that_is_drawn() -> None:
    game = Schnapsen.deal(2, seed=7)
    game.run()
    told = [str(step) for step in game.history if step.trigger == "take_trick"]
    assert all(" takes the trick and draws " in text for text in told[:4])
