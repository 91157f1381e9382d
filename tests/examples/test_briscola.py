"""The example Briscola against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from plain_briscola import PlainBriscola

from examples.briscola import Briscola, Table, more_points_win
from maumau.kernels.bulk.transcripts import play_compiled
from rules.ending import OUT_OF_CARDS, WON
from rules.reading import Dealt


def names_of(deck: bytes) -> list[str]:
    """The names of the cards of a deck."""
    return Briscola.declaration.codec.notation.names(deck)


def play(players: int, seed: int, number: int) -> None:
    """Play a random game beside the plain program."""
    game, dice = Briscola.deal(players, seed, number), Random(f"{seed} {number}")
    plain = PlainBriscola(players, names_of(bytes(game.dealt_deck())))
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        assert game.player == plain.seat
        assert [sorted(hand) for hand in game.hands] == [sorted(hand) for hand in plain.hands.values()]
        assert sorted(str(move.card) for move in game.events().legal) == plain.legal()
        facts = dict(field.split("=") for field in game.position(seen_by=1).split()[1:])
        assert facts["turned"] == (plain.turned if plain.turned in plain.stock else "-")
        assert [int(each) for each in facts["points"].split("/")] == list(plain.points.values())
        card = dice.choice(plain.legal())
        game.play(card)
        plain.play(card)
    assert plain.over
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
        plain = PlainBriscola(players, names_of(bytes(played.decks[0])))
        for step in played.steps:
            if step.trigger == "play":
                assert str(step.card) in plain.legal()
                plain.play(str(step.card))
        assert (list(played.outcome.scores), played.outcome.winners) == plain.result()


def test_sixty_to_sixty_is_a_tie() -> None:
    table = Table(players=4, points=[20, 35, 40, 25])
    more_points_win(table)
    assert (table.ending, table.winner, table.winners) == (OUT_OF_CARDS, -1, 0)
    table.points[0] = 21
    more_points_win(table)
    assert (table.ending, table.winners) == (WON, 0b0101)
