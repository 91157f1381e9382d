"""Observations without memory, and actions in factors."""

from __future__ import annotations

import pickle

import pytest
from random_nets import random_net

from fsm import MauMau, Uno, game_class
from maumau import Batch, Observed, action_space, layout
from maumau.agents.nets.net import spaces_hash


def test_an_observation_without_memory_is_the_other_one_without_what_is_known() -> None:
    whole, seen = layout(MauMau.declaration, 3), layout(MauMau.declaration, 3, memory=False)
    left_out = {field.name for field in whole.fields} - {field.name for field in seen.fields}
    assert left_out == {"known in draw pile", "known with +1", "known with +2"}
    kept = [index for field in seen.fields for index in range(whole[field.name].start, whole[field.name].end)]
    one, other = (Observed(MauMau.deal(3, seed=11), memory=memory) for memory in (True, False))
    while not one.over:
        for seat in range(3):
            line = one.observation(seat)
            assert bytes(line[index] for index in kept) == other.observation(seat) == other.clone().observation(seat)
        one.step(), other.step()
    assert spaces_hash(MauMau.declaration, 3) != spaces_hash(MauMau.declaration, 3, False)
    assert spaces_hash(Uno.declaration, 3) == spaces_hash(Uno.declaration, 3, False)  # it has copies of cards


@pytest.mark.slow
def test_a_batch_without_memory_sees_what_a_stepped_game_sees() -> None:
    batch = Batch(MauMau, 3, slots=4, seed=5, memory=False)
    width = layout(MauMau.declaration, 3, memory=False).width
    assert batch.observations.shape == batch.last_observations.shape == (4, width)
    for _ in range(25):
        for slot in range(4):
            seen = Observed(batch.game(slot), memory=False).observation(int(batch.decisions.acting[slot]))
            assert bytes(batch.observations[slot]) == seen
        batch.step(batch.masks.argmax(axis=1))
    again = pickle.loads(pickle.dumps(batch))
    assert (again.layout.memory, again.observations.tolist()) == (False, batch.observations.tolist())
    assert batch.put(0, batch.game(1)).observations[0].tolist() == batch.observations[1].tolist()
    with pytest.raises(ValueError, match="a batch with memory=False; a net reads"):
        random_net(MauMau.declaration, 3).choose(batch)


@pytest.mark.parametrize("name", ["maumau", "uno-official", "mahjong"])
def test_factors_say_what_an_action_says(name: str) -> None:
    space = action_space(game_class(name).declaration)
    assert space.factors.shape == (len(space), 3)
    assert len({tuple(row) for row in space.factors.tolist()}) == len(space)
    for action, (event, card, value) in zip(space, space.factors.tolist(), strict=True):
        assert space.triggers[event] == action.trigger
        assert (None if card < 0 else space.cards[card]) == action.card
        assert (value < 0) == (action.kind is None)
        assert value < 0 or space.values[value] == (action.kind, action.value)
