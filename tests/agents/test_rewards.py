"""What players learn and search for: the returns that a game declares, to win, points."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest
from spiel import load_own, new_state

from examples.hearts import Hearts
from examples.leduc_poker import LeducPoker
from examples.spades import Spades
from fsm import MauMau
from maumau import Batch, Net, Search, TrainingSettings, train
from maumau.agents.nets.net import NetFileError


def finished(env: Any, action: str = "action_mask") -> float:
    """Play the first legal action to the end of a Gymnasium environment; the reward there."""
    seen, _ = env.reset(seed=7)
    for _ in count():
        seen, reward, over, _, _ = env.step(int(seen[action].argmax()))
        if over:
            return float(reward)
    raise AssertionError


def test_gymnasium_and_a_batch_give_the_chips_of_leduc_poker() -> None:
    gym = pytest.importorskip("maumau.agents.adapters.gym", reason="the adapter needs gymnasium")
    env = gym.OneSeat(LeducPoker, players=2)
    assert env.reward == "returns"
    reward = finished(env)
    assert reward == env.observed.game.outcome.returns[0] != 0
    assert finished(gym.OneSeat(LeducPoker, players=2, rewards="win")) == np.sign(reward)


def test_open_spiel_is_told_that_chips_add_up_to_nothing() -> None:
    import pyspiel

    chips, wins = (load_own(LeducPoker, 2, rewards=rewards) for rewards in (None, "win"))
    assert str(chips) != str(wins)
    state, judge = chips.new_initial_state(), new_state("leduc_poker")
    for code in (0, 5, 1, 2, 3, 4):
        state.apply_action(code)
    for code in (0, 5):
        judge.apply_action(code)
    for event, action in (("raise_bet", 2), ("call", 1), ("check", 1), ("raise_bet", 2), ("call", 1)):
        numbers = {state.action_to_string(number): number for number in state.legal_actions()}
        state.apply_action(numbers[event])
        if judge.is_chance_node():
            judge.apply_action(1)
        judge.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == judge.returns() == [7.0, -7.0]
    assert chips.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert wins.max_utility() == 1


def test_partners_win_together() -> None:
    batch = Batch(Spades, 4, 8, seed=5, rewards="win")
    random = np.random.default_rng(5)
    while not (decisions := batch.step([int(random.choice(mask.nonzero()[0])) for mask in batch.masks])).ended.any():
        pass
    rewards = decisions.rewards[decisions.ended]
    assert (rewards[:, :2] == rewards[:, 2:]).all()
    assert (abs(rewards) == 1).all()
    assert (rewards[:, 0] == -rewards[:, 1]).all()


@pytest.mark.slow
def test_a_search_looks_for_chips_and_says_how_many_a_move_gains() -> None:
    game = LeducPoker.of_deck(2, bytes((4, 0, 5, 1, 2, 3)))
    for event in ("put_ante", "check", "check", "turn_up"):
        game.fire(event)
    found = Search(LeducPoker, players=2, worlds=200).best(game)
    assert (found.move.trigger, found.values[0].share > 1) == ("raise_bet", True)
    wins = Search(LeducPoker, players=2, worlds=200, rewards="win").best(game)
    assert 0.5 < wins.values[0].share <= 1


@pytest.mark.slow
def test_a_net_names_what_it_has_learned_to_play_for() -> None:
    net = train(LeducPoker, players=2, games=3000, settings=TrainingSettings(0.5, hidden=16))
    assert net.rewards == "returns"
    assert Net.of_bytes(net.to_bytes(), LeducPoker).rewards == "returns"
    settings = TrainingSettings(0, hidden=8, rewards="win")
    assert train(Hearts, players=4, games=1200, settings=settings).rewards == "win"
    with pytest.raises(NetFileError, match="unknown rewards 'returnz'; use one of returns, win, score, match"):
        Net.of_bytes(net.to_bytes().replace(b'"rewards":"returns"', b'"rewards":"returnz"'), LeducPoker)


def test_rewards_that_there_are_not_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown rewards 'chips'; use one of win, score, match"):
        Batch(MauMau, 2, 4, rewards="chips")
