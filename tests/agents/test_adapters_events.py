"""Environments that show the last events, and what their agents see while another one acts."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import pytest
from all_games import GAMES

from fsm import Game, MauMau
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import np
from maumau import Observed, layout

by_game = pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)


def check_all_seats(kind: type[Game], events: int, decisions: int, limit: int = 1000) -> None:
    """Compare what each seat sees in a batch of one slot with what it sees in the stepped game."""
    from maumau.agents.adapters.single import BatchedOne, SteppedOne

    players, random = kind.declaration.codec.most, np.random.default_rng(1)
    batched = BatchedOne(kind, players, None, None, limit, Reward.WIN, events)
    stepped = SteppedOne(kind, players, None, None, limit, events)
    batched.start(7)
    stepped.start(7, batched.number)
    for _ in range(decisions):
        for seat in range(players):
            assert batched.observation(seat).tolist() == stepped.observation(seat).tolist()
        if batched.over or batched.truncated:
            batched.following()
            stepped.start(7, batched.number)
            continue
        action = int(random.choice(np.flatnonzero(batched.mask())))
        batched.act(action)
        stepped.act(action)


@pytest.mark.parametrize("events", [0, 4])
def test_a_seat_sees_while_others_act_what_it_sees_in_the_stepped_game(events: int) -> None:
    check_all_seats(MauMau, events, 200)
    check_all_seats(MauMau, events, 60, limit=15)


@pytest.mark.slow
@by_game
@pytest.mark.parametrize("events", [0, 4])
def test_a_seat_of_any_game_sees_while_others_act_what_it_sees_in_the_stepped_game(
    kind: type[Game], events: int
) -> None:
    check_all_seats(kind, events, 60)


def test_observations_step_no_game(zoo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    from maumau.agents.adapters.single import SteppedOne

    def refuse(*_: Any) -> None:
        raise AssertionError("a game is stepped")

    env = zoo.CardGameAEC("maumau", players=3, events=2)
    monkeypatch.setattr(SteppedOne, "start", refuse)
    env.reset(seed=7)
    for _ in range(20):
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.filterwarnings("ignore:Observation")  # is no array, but a dict, as in the games of PettingZoo
def test_the_checkers_find_no_fault_with_events(gym: Any, zoo: Any, flat: bool) -> None:
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the ranges of the spaces
        check_env(gym.OneSeat("maumau", players=3, flat=flat, events=3), skip_render_check=True)
    api_test(zoo.CardGameAEC("maumau", players=3, flat=flat, events=3), num_cycles=60)
    seed_test(lambda: zoo.CardGameAEC("maumau", players=3, flat=flat, events=3), num_cycles=30)


def test_one_seat_shows_the_events_of_its_game(gym: Any) -> None:
    flat, both = (gym.OneSeat("maumau", players=3, flat=flat, events=4) for flat in (True, False))
    assert flat.layout == both.layout == layout(MauMau.declaration, 3, events=4)
    (seen, info), (seen_too, _) = flat.reset(seed=7), both.reset(seed=7)
    ended = False
    while not ended:
        assert flat.observation_space.contains(seen)
        assert both.observation_space.contains(seen_too)
        assert seen.tolist() == seen_too["observation"].tolist()
        assert bytes(seen) == Observed(flat.observed.game.clone(), events=4).observation(0)
        action = int(info["action_mask"].argmax())
        seen, _, ended, _, info = flat.step(action)
        seen_too = both.step(action)[0]
    assert flat.layout.past(seen).shape[0] == 4
    assert flat.layout.past(seen).any()


def test_the_first_numbers_are_those_without_events(gym: Any, zoo: Any) -> None:
    for make in (gym.OneSeat, zoo.CardGameAEC):
        plain, longer = make("maumau", players=3), make("maumau", players=3, events=3)
        plain.reset(seed=7), longer.reset(seed=7)
        width = plain.layout.width
        assert longer._seen(0)["observation"][:width].tolist() == plain._seen(0)["observation"].tolist()
        assert longer.layout.width > width == make("maumau", players=3, events=0).layout.width


def test_nets_play_against_a_seat_that_sees_events(gym: Any) -> None:
    """Nets read observations without events, and play the same games."""
    plain, longer = (gym.OneSeat("maumau", players=2, others="net", events=events) for events in (0, 2))
    assert type(longer._one) is type(plain._one)
    (seen, _), (other, _) = plain.reset(seed=7), longer.reset(seed=7)
    ended = False
    while not ended:
        assert other["observation"][: plain.layout.width].tolist() == seen["observation"].tolist()
        action = int(seen["action_mask"].argmax())
        (seen, *paid, _), (other, *paid_too, _) = plain.step(action), longer.step(action)
        assert paid == paid_too
        ended = paid[1]


def test_numbers_of_events_that_cannot_be_are_refused(gym: Any, zoo: Any) -> None:
    for make in (gym.OneSeat, gym.ManyGames, zoo.CardGameAEC):
        for wrong in (-1, 1001):
            with pytest.raises(ValueError, match=f"events: {wrong} is out of range; use 0 to 1,000"):
                make("maumau", players=3, events=wrong)
        with pytest.raises(ValueError, match=r"events: 1208925.* is out of range"):
            make("maumau", players=3, events=2**80)
        for wrong in (2.5, "3", None, True):
            with pytest.raises(TypeError, match="events: "):
                make("maumau", players=3, events=wrong)


def test_gymnasium_makes_environments_with_events_by_name() -> None:
    """In a process that imports nothing but Gymnasium."""
    pytest.importorskip("gymnasium", reason="the adapter needs gymnasium")
    code = """
import gymnasium
where = "maumau.agents.adapters.gym:maumau/MauMau-v0"
env = gymnasium.make(where, players=3, events=8)
seen, info = env.reset(seed=1)
print(env.unwrapped.layout.past(seen["observation"]).shape)
envs = gymnasium.make_vec(where, num_envs=4, players=3, events=8, flat=True)
print(envs.unwrapped.layout.past(envs.reset(seed=1)[0]).shape)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(8, 42)\n(4, 8, 42)\n"
