"""The example Scopa against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from beside_plain import follow, play_beside
from plain_scopa import PlainScopa

from examples.scopa import Scopa
from maumau.kernels.bulk.transcripts import play_compiled
from rules.reading import Dealt

NAMES = Scopa.declaration.codec.notation.names


def play(players: int, seed: int, number: int) -> PlainScopa:
    """Play a random game beside the plain program."""
    game, dice = Scopa.deal(players, seed, number), Random(f"{seed} {number}")
    plain = PlainScopa(players, NAMES(bytes(game.dealt_deck())))
    play_beside(game, plain, lambda moves: dice.choice(list(moves)))
    assert plain.over
    assert game.outcome is not None
    scores = plain.scores()
    best = [seat for seat, points in enumerate(scores, 1) if points == max(scores)]
    assert list(game.outcome.scores) == scores
    assert game.outcome.winners == (tuple(best) if len(best) == (2 if players == 4 else 1) else ())
    return plain


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_are_those_of_the_plain_program(players: int) -> None:
    for number in range(10):
        play(players, 1, number)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hundreds_of_random_games_are_those_of_the_plain_program(players: int) -> None:
    played = [play(players, 2, number) for number in range(200)]
    assert sum(sum(plain.sweeps.values()) for plain in played) > 50


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_games_are_those_of_the_plain_program(players: int) -> None:
    decks = [Dealt(players, bytes(Scopa.deck_of(players, 3, number))) for number in range(200)]
    for policy in ("random", "house"):
        for played in play_compiled(Scopa, decks, (policy,), 3):
            plain = PlainScopa(players, NAMES(bytes(played.decks[0])))
            follow(played.steps, plain, ["play", "take"])
            assert list(played.outcome.scores) == plain.scores()


def test_a_card_of_the_value_goes_before_a_set() -> None:
    game = Scopa.parse("2 7D KC 2C 2S KS KB 7C 3D 4C AD " + " ".join(
        name for name in Scopa.declaration.codec.notation.cards
        if name not in ["7D", "KC", "2C", "2S", "KS", "KB", "7C", "3D", "4C", "AD"]
    ))  # fmt: skip
    game.step()
    game.play("7D")
    assert [str(move.card) for move in game.events().legal] == ["7C"]
