"""Games put together by chance come out alike stepped, logged and counted in machine code, in lanes and in batches."""

from __future__ import annotations

from random import Random

import pytest
from bulk_fixtures import CLASSES, Task, compare, compare_kernels
from chance_games import game_by_chance

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from mirror import Mirror  # noqa: E402

from fsm import game_of, registry  # noqa: E402
from maumau import Batch  # noqa: E402

GAMES, STEPS = 200, 150
SEEDS = [
    0,
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5)),
    *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(5, 100)),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_comes_out_as_it_is_stepped(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    declaration, random = game_by_chance(seed), Random(seed)
    kind, name, players = game_of(declaration), declaration.name, random.choice((2, 2, 3))
    monkeypatch.setitem(registry._registered, name, kind)
    monkeypatch.setitem(CLASSES, name, kind)
    some = tuple(random.choice([policy.name for policy in declaration.policies]) for _ in range(players))
    for policies in (("random",) * players, some):
        task = Task(name, players, policies, GAMES)
        assert compare(task) == compare_kernels(task) == []
    mirror, choices = Mirror(Batch(kind, players, 8, seed=seed, limit=60), [], None), np.random.default_rng(seed)
    for _ in range(STEPS):
        mirror.compare()
        mirror.step(choices)
