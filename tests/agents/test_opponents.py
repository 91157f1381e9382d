"""Players of the seats that do not learn: in machine code, in Python for many games at once, and game by game."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsm import Game, MauMau, Uno
from maumau import Batch, Net, Observed, ObservingPolicy, Search
from maumau.agents.opponents import Opponents


class Smallest(ObservingPolicy):
    """The legal action with the smallest number."""

    def choose_actions(self, players: int, observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)


SMALLEST = Smallest("smallest")


def first(view: Any) -> Any:
    """The first legal move of the list, as `first-legal` plays."""
    return view.moves[0]


def net_of(players: int) -> Net:
    return MauMau.declaration.policy("net").nets[players]  # type: ignore[attr-defined, no-any-return]


def facts(batch: Batch) -> list[Any]:
    decisions = batch.decisions
    over = decisions.ended | decisions.truncated
    return [*(array.copy() for array in decisions), batch.last_observations[over].copy(), batch.passed_over]


def assert_alike(one: Batch, other: Batch, steps: int, seed: int = 1) -> Counter[str]:
    """Both stand alike at every decision of random learners; how many games were there."""
    random, seen = np.random.default_rng(seed), Counter[str]()
    for _ in range(steps):
        for left, right in zip(facts(one), facts(other), strict=True):
            assert np.array_equal(left, right)
        actions = (random.random(one.masks.shape) * one.masks).argmax(axis=1)
        for batch in (one, other):
            batch.step(actions)
        seen["ended"] += int(one.decisions.ended.sum())
        seen["truncated"] += int(one.decisions.truncated.sum())
    return seen


@pytest.mark.parametrize("kind", [MauMau, pytest.param(Uno, marks=pytest.mark.slow)])
@pytest.mark.parametrize("learner", [None, 2])
def test_a_function_plays_as_the_policy_that_is_compiled(kind: type[Game], learner: int | None) -> None:
    """Games that end or are cut off by the others' moves, games that follow, and games that are passed over."""
    batches = [Batch(kind, 3, 7, seed=5, others=others, learner=learner, limit=40) for others in ("first-legal", first)]
    seen = assert_alike(*batches, steps=60)
    assert min(seen["ended"], seen["truncated"]) > 5


def test_games_with_players_in_python_do_not_depend_on_slots_and_threads() -> None:
    others = {"house": 0.25, SMALLEST: 0.25, net_of(3): 0.5}
    one = Batch("maumau", 3, 8, seed=5, others=others)
    other = Batch("maumau", 3, 8, seed=5, others=others, threads=3)
    assert_alike(one, other, steps=30)
    few = Batch("maumau", 3, 4, seed=5, others=others)
    one.reset(5)
    assert np.array_equal(one.observations[:4], few.observations)


@pytest.mark.parametrize("events", [0, 4])
def test_a_batch_against_nets_is_the_stepped_game(events: int) -> None:
    """The players that were drawn for each game, stepped from its deal; nets see no events, and the learner does."""
    others = {"house": 0.5, "net": 0.5}
    batch = Batch("maumau", 3, 6, seed=9, others=others, events=events)
    opponents = Opponents(MauMau.declaration, 3, others)
    random, games = np.random.default_rng(1), {}
    for _ in range(40):
        for slot, number in enumerate(batch.decisions.numbers.tolist()):
            if number not in games:
                dealt = MauMau.deal(3, 9, number, opponents.policies(9, number))
                games[number] = stepped = Observed(dealt, events=events)
                advance(stepped, number % 3)
            stepped = games[number]
            assert stepped.seat == batch.decisions.acting[slot] == number % 3
            assert stepped.observation(stepped.seat) == batch.observations[slot].tobytes()
            assert stepped.mask() == batch.masks[slot].tobytes()
        actions = [int(random.choice(mask.nonzero()[0])) for mask in batch.masks]
        played = [games[number] for number in batch.decisions.numbers.tolist()]
        for stepped, action in zip(played, actions, strict=True):
            stepped.act(action)
            advance(stepped, stepped.game.table.number % 3)
        batch.step(actions)
        assert [stepped.over for stepped in played] == batch.decisions.ended.tolist()
    assert len(games) > 2 * batch.slots


def advance(stepped: Observed, learner: int) -> None:
    while not stepped.over and not (stepped.seat == learner and stepped.actions.chooses(stepped.game)):
        stepped.step()


def test_the_stepped_game_of_a_slot_has_its_players_and_its_past() -> None:
    batch = Batch("maumau", 3, 12, seed=5, others={"house": 0.5, first: 0.25, "search:3": 0.25}, learner=1)
    for _ in range(6):
        batch.step(batch.masks.argmax(axis=1))
        for slot in range(12):
            game = batch.game(slot)
            assert game.player - 1 == batch.decisions.acting[slot] == 0
            assert batch.actions.legal(game) == batch.masks[slot].nonzero()[0].tolist()
            assert Observed(game).observation(0) == batch.observations[slot].tobytes()
    assert {policy.name for slot in range(12) for policy in batch.game(slot).policies} == {"house", "first", "search:3"}


def test_players_are_drawn_with_their_probabilities_for_each_seat_and_game() -> None:
    """Each within five standard deviations; by machine code as in Python, for every seat on its own."""
    chances = {"house": 0.5, "random": 0.3, SMALLEST: 0.2}
    opponents, games = Opponents(MauMau.declaration, 2, chances), 4000
    drawn = [tuple(policy.name for policy in opponents.policies(7, number)) for number in range(games)]
    for name, chance in (("house", 0.5), ("random", 0.3), ("smallest", 0.2)):
        for seat in range(2):
            found = sum(names[seat] == name for names in drawn)
            assert abs(found - games * chance) < 5 * (games * chance * (1 - chance)) ** 0.5
    same = sum(one == other for one, other in drawn)
    assert abs(same - games * 0.38) < 5 * (games * 0.38 * 0.62) ** 0.5
    batch = Batch(MauMau, 2, 64, seed=7, others=chances)
    for slot, number in enumerate(batch.decisions.numbers.tolist()):
        assert tuple(policy.name for policy in batch.game(slot).policies) == drawn[number]
        assert batch._arrays.deciders[slot, 1 - number % 2] == opponents.deciders(7, number)[1 - number % 2]


def test_each_seat_may_have_its_own_players(tmp_path: Path) -> None:
    file = tmp_path / "last.py"
    file.write_text("def last(view):\n    return view.moves[-1]\n")
    others = ["house", {f"{file}:last": 1.0}, Search(MauMau, 3, 2)]
    batch = Batch(MauMau, 3, 4, seed=7, others=others, learner=1)
    batch.step(batch.masks.argmax(axis=1))
    assert [policy.name for policy in batch.game(0).policies] == ["house", f"{file}:last", "search:2"]


def test_slots_with_players_in_python_are_saved_cloned_set_and_pickled() -> None:
    batch = Batch("maumau", 3, 4, seed=5, others={"net": 0.5, first: 0.5}, learner=1)
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    saved = batch.save(0)
    batch.clone(1, to=2)
    assert np.array_equal(batch.observations[1], batch.observations[2])
    batch.put(3, MauMau.deal(3, seed=99))
    assert batch.decisions.acting[3] == 0
    assert batch.game(3).dealt_deck() == list(MauMau.deck_of(3, seed=99))
    house = Batch("maumau", 3, 4, seed=5, others="house", learner=1)
    house.load(1, saved)
    assert np.array_equal(house.observations[1], batch.observations[0])
    for _ in range(20):  # its players are those of the batch that plays it
        house.step(house.masks.argmax(axis=1))
        batch.step(batch.masks.argmax(axis=1))


def test_a_batch_with_nets_is_pickled() -> None:
    batch = Batch("maumau", 2, 4, seed=5, others={net_of(2): 0.5, "net": 0.5})
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    assert_alike(batch, pickle.loads(pickle.dumps(batch)), steps=10)


@pytest.mark.parametrize("others", [first, "search:3"])
def test_a_pickled_batch_goes_on_with_games_to_which_slots_were_set(others: Any) -> None:
    batch = Batch("maumau", 2, 4, seed=5, others=others)
    batch.put(1, MauMau.deal(2, seed=99))
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    assert_alike(batch, pickle.loads(pickle.dumps(batch)), steps=10)


@pytest.mark.parametrize("copied", [deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_batch_with_searches_is_copied(copied: Callable[[Batch], Batch]) -> None:
    """Games to which slots were set go on with these searches, not with others of the same name."""
    batch = Batch("maumau", 2, 4, seed=5, others={Search(MauMau, 2, 3, seed=9): 0.5, "house": 0.5})
    batch.put(1, MauMau.deal(2, seed=99))
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    assert 1 in batch._origins
    other = copied(batch)
    for slot in range(4):
        assert other.game(slot).history == batch.game(slot).history
    searches = {policy.name: policy for policy in other._opponents.asked} if other._opponents else {}
    assert all(searches.get(policy.name, policy) is policy for policy in other.game(1).policies)
    assert_alike(batch, other, steps=10)


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ("hous", r"unknown policy 'hous'.*house.*search:WORLDS.*net:FILE.*, FILE\.py:NAME, a Net or a Search"),
        ({"house": 0.5, "nets": 0.5}, r"unknown policy 'nets'"),
        ("net:none.net", r"'none\.net': no such file or directory; use a file that maumau train has written"),
        ("none.py:player", r"none\.py: no such file.*; other players are .*search:WORLDS"),
        ({"house": 0.5, "random": 0.4}, r"the probabilities add up to 0\.9; use some that add up to 1"),
        ({"house": 1.5, "random": -0.5}, r"the probability 1\.5 of 'house' is out of range; use 0 to 1"),
        ({}, r"the probabilities add up to 0"),
        (["house", "house"], r"2 policies for 3 players; use one or one for each"),
        (net_of(2), r"it has learned to play with 2 players; use a net for 3"),
    ],
)
def test_what_is_not_a_player_is_refused(others: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch("maumau", 3, 4, others=others)


def test_players_for_another_game_or_number_of_players_are_refused() -> None:
    with pytest.raises(ValueError, match="a net for maumau; use one for uno"):
        Batch("uno", 3, 4, others=net_of(3))
    with pytest.raises(ValueError, match="a search for maumau; use one for uno, and the same rules"):
        Batch("uno", 3, 4, others=Search(MauMau, 3, 2))
    with pytest.raises(ValueError, match="policy search:2: it searches with 2 players; use 3"):
        Batch("maumau", 3, 4, others=Search(MauMau, 2, 2))
    for wrong in (3, {"house": "much"}):
        with pytest.raises(TypeError):
            Batch("maumau", 3, 4, others=wrong)


def test_nets_and_searches_play_wherever_python_takes_a_policy() -> None:
    game = MauMau.deal(2, seed=7, policies=[net_of(2), Search(MauMau, 2, 4)])
    named = MauMau.deal(2, seed=7, policies=["net", "search:4"])
    game.run()
    named.run()
    assert [str(step) for step in game.history] == [str(step) for step in named.history]


def test_a_net_does_not_play_where_observations_have_no_memory() -> None:
    with pytest.raises(
        ValueError, match=r"^others: net reads observations with memory=True; use this or another player"
    ):
        Batch("maumau", 2, 8, others={"house": 0.5, "net": 0.5}, memory=False)
    assert Batch("maumau", 2, 8, others="house", memory=False).observations.shape[0] == 8
