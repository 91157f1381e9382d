"""The example Briscola against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from beside_plain import follow, play_beside
from plain_briscola import PlainBriscola

from examples.briscola import Briscola, Table, more_points_win
from fsm import Move
from maumau.kernels.bulk.transcripts import play_compiled
from rules.ending import OUT_OF_CARDS, WON
from rules.reading import Dealt

NAMES = Briscola.declaration.codec.notation.names


def play(players: int, seed: int, number: int) -> None:
    """Play a random game beside the plain program."""
    game, dice = Briscola.deal(players, seed, number), Random(f"{seed} {number}")
    plain = PlainBriscola(players, NAMES(bytes(game.dealt_deck())))

    def choose(moves: dict[str, Move]) -> str:
        facts = dict(field.split("=") for field in game.position(seen_by=1).split()[1:])
        assert facts["turned"] == (plain.turned if plain.turned in plain.stock else "-")
        assert [int(each) for each in facts["points"].split("/")] == list(plain.points.values())
        return dice.choice(list(moves))

    play_beside(game, plain, choose)
    assert plain.over
    assert game.outcome is not None
    assert (list(game.outcome.scores), game.outcome.winners) == plain.result()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_are_those_of_the_plain_program(players: int) -> None:
    for number in range(30):
        play(players, 1, number)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hundreds_of_random_games_are_those_of_the_plain_program(players: int) -> None:
    for number in range(300):
        play(players, 2, number)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_games_are_those_of_the_plain_program(players: int) -> None:
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    decks = [Dealt(players, bytes(Briscola.deck_of(players, 3, number))) for number in range(300)]
    for played in play_compiled(Briscola, decks, ("random",), 3):
        plain = PlainBriscola(players, NAMES(bytes(played.decks[0])))
        follow(played.steps, plain, ["play"])
        assert (list(played.outcome.scores), played.outcome.winners) == plain.result()


def test_sixty_to_sixty_is_a_tie() -> None:
    table = Table(players=4, points=[20, 35, 40, 25])
    more_points_win(table)
    assert (table.ending, table.winner, table.winners) == (OUT_OF_CARDS, -1, 0)
    table.points[0] = 21
    more_points_win(table)
    assert (table.ending, table.winners) == (WON, 0b0101)
