"""The example Durak against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from plain_durak import PlainDurak

from examples.durak import Durak, first_attacker
from maumau.kernels.bulk.transcripts import play_compiled
from rules.bouts import BoutTable
from rules.reading import Dealt


def names_of(deck: bytes) -> list[str]:
    """The names of the cards of a deck."""
    return Durak.declaration.codec.notation.names(deck)


def play(seed: int, number: int, shy: bool) -> None:
    """Play a random game beside the plain program. shy: whether the players say something only if they must."""
    game, dice = Durak.deal(2, seed, number), Random(f"{seed} {number}")
    plain = PlainDurak(names_of(bytes(game.dealt_deck())))
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        assert game.player == plain.seat
        assert [sorted(hand) for hand in game.hands] == [sorted(hand) for hand in plain.hands.values()]
        moves = {str(move.card or move.trigger): move for move in game.events().legal}
        assert sorted(moves) == plain.legal()
        facts = dict(field.split("=") for field in game.position(seen_by=1).split()[1:])
        lying = [facts[name].split(",") if facts[name] != "-" else [] for name in ("attacks", "defences")]
        assert lying == [plain.attacks, plain.defences]
        cards = [name for name in sorted(moves) if moves[name].card]
        name = dice.choice(cards if shy and cards else sorted(moves))
        game.fire(*moves[name])
        plain.do(name)
    assert plain.over
    assert game.outcome.winner == plain.winner()
    assert list(game.outcome.scores) == [len(plain.hands[seat]) for seat in (1, 2)]


def test_random_games_are_those_of_the_plain_program() -> None:
    for number in range(15):
        play(1, number, shy=number % 2 == 0)


@pytest.mark.slow
def test_hundreds_of_random_games_are_those_of_the_plain_program() -> None:
    for number in range(300):
        play(2, number, shy=number % 2 == 0)


@pytest.mark.slow
def test_compiled_games_are_those_of_the_plain_program() -> None:
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    decks = [Dealt(2, bytes(Durak.deck_of(2, 3, number))) for number in range(300)]
    for policy in ("random", "house"):
        for played in play_compiled(Durak, decks, (policy,), 3):
            plain = PlainDurak(names_of(bytes(played.decks[0])))
            for step in played.steps:
                if step.trigger in ("lay", "beat", "take", "done"):
                    move = str(step.card if step.trigger in ("lay", "beat") else step.trigger)
                    assert move in plain.legal()
                    plain.do(move)
            assert played.outcome.winner == plain.winner()


def test_without_a_trump_in_a_hand_player_1_attacks_first() -> None:
    card = Durak.declaration.codec.notation.card
    table = BoutTable(players=2, hands=[1 << card("7H"), 1 << card("6S"), 0, 0], trump=0)
    assert first_attacker(table) == 0
    table.trump = 2
    assert first_attacker(table) == 1
