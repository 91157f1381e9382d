"""The example Durak against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from beside_plain import follow, play_beside
from plain_durak import PlainDurak

from examples.durak import Durak, first_attacker
from fsm import Move
from maumau.kernels.bulk.transcripts import play_compiled
from rules.bouts import BoutTable
from rules.reading import Dealt

NAMES = Durak.declaration.codec.notation.names
LAID = "lay", "beat"
CHOSEN = *LAID, "take", "done"


def play(seed: int, number: int, shy: bool) -> None:
    """Play a random game beside the plain program. shy: whether the players say something only if they must."""
    game, dice = Durak.deal(2, seed, number), Random(f"{seed} {number}")
    plain = PlainDurak(NAMES(bytes(game.dealt_deck())))

    def choose(moves: dict[str, Move]) -> str:
        facts = dict(field.split("=") for field in game.position(seen_by=1).split()[1:])
        lying = [facts[name].split(",") if facts[name] != "-" else [] for name in ("attacks", "defences")]
        assert lying == [plain.attacks, plain.defences]
        cards = [name for name, move in moves.items() if move.card]
        return dice.choice(cards if shy and cards else list(moves))

    play_beside(game, plain, choose)
    assert plain.over
    assert game.outcome is not None
    assert game.outcome.winner == plain.winner()
    assert list(game.outcome.scores) == [len(plain.hands[seat]) for seat in (1, 2)]


@pytest.mark.parametrize(("games", "seed"), [(15, 1), pytest.param(300, 2, marks=pytest.mark.slow)])
def test_random_games_are_those_of_the_plain_program(games: int, seed: int) -> None:
    for number in range(games):
        play(seed, number, shy=number % 2 == 0)


@pytest.mark.slow
def test_compiled_games_are_those_of_the_plain_program() -> None:
    decks = [Dealt(2, bytes(Durak.deck_of(2, 3, number))) for number in range(300)]
    for policy in ("random", "house"):
        for played in play_compiled(Durak, decks, (policy,), 3):
            plain = PlainDurak(NAMES(bytes(played.decks[0])))
            follow(played.steps, plain, CHOSEN, lambda step: str(step.card) if step.trigger in LAID else step.trigger)
            assert played.outcome.winner == plain.winner()


def test_without_a_trump_in_a_hand_player_1_attacks_first() -> None:
    card = Durak.declaration.codec.notation.card
    table = BoutTable(players=2, hands=[1 << card("7H"), 1 << card("6S"), 0, 0], trump=0)
    assert first_attacker(table) == 0
    table.trump = 2
    assert first_attacker(table) == 1
