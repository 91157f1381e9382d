"""Games put together by chance come out alike stepped, logged and counted in machine code, in lanes and in batches."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from bulk_fixtures import Task, compare, compare_kernels
from chance_games import game_by_chance
from mirror import Mirror

from fsm import Declaration, Game
from maumau import Batch

pytest_plugins = ["bulk_fixtures"]
GAMES, STEPS = 200, 150
SEEDS = [
    0,
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5)),
    *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(5, 100)),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_comes_out_as_it_is_stepped(seed: int, registered: Callable[[Declaration], type[Game]]) -> None:
    declaration, random = game_by_chance(seed), Random(seed)
    kind, players = registered(declaration), random.choice((2, 2, 3))
    some = tuple(random.choice([policy.name for policy in declaration.policies]) for _ in range(players))
    for policies in (("random",) * players, some):
        task = Task(declaration.name, players, policies, GAMES)
        assert compare(task) == compare_kernels(task) == []
    mirror, choices = Mirror(Batch(kind, players, 8, seed=seed, limit=60), [], None), np.random.default_rng(seed)
    for _ in range(STEPS):
        mirror.compare()
        mirror.step(choices)
