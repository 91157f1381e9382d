"""The examples Kuhn poker and Leduc poker in lock step with OpenSpiel: chance, legal actions, what is seen, returns."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import spiel

from examples.kuhn_poker import KuhnPoker
from examples.leduc_poker import LeducPoker
from fsm import Game
from maumau import information_state

KINDS: dict[str, type[Game]] = {"kuhn_poker": KuhnPoker, "leduc_poker": LeducPoker}
"""The games by OpenSpiel's names."""
ACTIONS = {
    "kuhn_poker": {"check": 0, "fold": 0, "bet": 1, "call": 1},
    "leduc_poker": {"fold": 0, "check": 1, "call": 1, "raise_bet": 2},
}
"""OpenSpiel's numbers of the events that players choose."""
Seen = dict[tuple[int, str], str]

each = pytest.mark.parametrize("name", KINDS)


def dealt(name: str, deck: bytes) -> Any:
    """OpenSpiel's state after the deal, where each player has a card of the deck."""
    state = spiel.new_state(name)
    for code in deck[:2]:
        assert state.is_chance_node()
        state.apply_action(code)
    return state


def turn_up(state: Any, deck: bytes) -> bytes:
    """Turn up the card in the middle, and return it; each card that is left may come."""
    assert [code for code, _ in state.chance_outcomes()] == sorted(deck[2:])
    state.apply_action(deck[2])
    return deck[2:3]


def compare_seen(state: Any, game: Game, theirs: Seen, ours: Seen) -> None:
    """What a player has seen is the same here exactly if it is the same there."""
    for seat in range(2):
        one, other = state.information_state_string(seat), information_state(game, seat + 1)
        assert theirs.setdefault((seat, one), other) == other
        assert ours.setdefault((seat, other), one) == one


def play(name: str, seed: int, number: int, theirs: Seen, ours: Seen) -> float:
    """Play a random game in lock step, and compare every state; what the first player gains."""
    game, dice = KINDS[name].deal(2, seed, number), Random(f"{seed} {number}")
    deck = bytes(game.dealt_deck())
    state, turned = dealt(name, deck), list[bytes]()
    spiel.play_alike(
        game,
        state,
        lambda move: ACTIONS[name][move.trigger],
        dice.choice,
        lambda: compare_seen(state, game, theirs, ours),
        lambda: turned.append(turn_up(state, deck)),
    )
    forced = [step.trigger for step in game.history if step.trigger not in ACTIONS[name]]
    assert forced == ["put_ante", *["turn_up"] * len(turned)]
    assert game.outcome.returns == tuple(state.returns())
    best = max(state.returns())
    assert game.outcome.winners == tuple(seat for seat, won in enumerate(state.returns(), 1) if won == best)
    return game.outcome.returns[0]


@each
@pytest.mark.parametrize(("games", "seed"), [(200, 1), pytest.param(10_000, 2, marks=pytest.mark.thorough)])
def test_open_spiel_agrees_in_random_games(name: str, games: int, seed: int) -> None:
    theirs: Seen = {}
    ours: Seen = {}
    assert len({play(name, seed, number, theirs, ours) for number in range(games)}) > 3


@pytest.mark.slow
@each
@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_open_spiel_agrees_with_the_compiled_engine(name: str, games: int) -> None:
    for played in spiel.play_compiled(KINDS[name], 2, games, "random"):
        deck = bytes(played.decks[0])
        state = dealt(name, deck)
        spiel.follow(
            played, state, lambda step: ACTIONS[name][step.trigger], lambda state=state, deck=deck: turn_up(state, deck)
        )
        assert played.outcome.returns == tuple(state.returns())


def test_equal_ranks_split_the_stakes() -> None:
    game = LeducPoker.of_deck(2, bytes((0, 1, 2, 3, 4, 5)))
    for event in ("put_ante", "check", "raise_bet", "call", "turn_up", "check", "check"):
        game.fire(event)
    outcome = game.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.winners, outcome.returns) == (None, (1, 2), (0.0, 0.0))
    assert outcome.ranking == ((1, 2),)
    assert str(outcome) == "players 1 and 2 won, scores 0 0"
