"""The compiled engine against the stepped one: the same decks, the same events, the same ends, whoever plays.

python -m pytest                     some hundred decks of each kind
python -m pytest -m thorough         20,000 decks of Mau-Mau, mahjong and official UNO, 2,000 of UNO, for each number of
                                     players and mix of policies
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bulk_fixtures import Task, compare, compare_kernels

pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

pytest_plugins = ["bulk_fixtures"]

HOUSE, RANDOM, FIRST = "house", "random", "first-legal"
ALL = (HOUSE, RANDOM, FIRST)
NAMED = (HOUSE, "bluffer", "forgetful")
PLAYERS, UNO_PLAYERS = (2, 3, 4), (2, 4, 7, 10)
MIXES = ((HOUSE,), (RANDOM,), (FIRST,), ALL)
CHUNK = 500


def seated(players: int, mix: tuple[str, ...]) -> tuple[str, ...]:
    """One policy for all seats, or those of a mix in turn."""
    return mix if len(mix) == 1 else tuple(mix[seat % len(mix)] for seat in range(players))


SOME = [
    *[Task("maumau", players, (HOUSE,), 150) for players in PLAYERS],
    *[Task("uno", players, (HOUSE,), 40) for players in UNO_PLAYERS],
    *[Task("mahjong", players, (HOUSE,), 20) for players in (2, 3)],
    Task("uno-official", 5, (HOUSE,), 40),
    Task("maumau", 3, ALL, 150),
]
"""What the quick tests play: all policies of one game, and kernels that other tests need as well."""
COUNTED = [
    Task("maumau", 3, (HOUSE,), 5000),
    pytest.param(Task("uno", 7, seated(7, ALL), 500), marks=pytest.mark.thorough),
]


ALL_MIXES = [
    *[Task("maumau", players, seated(players, mix), 20_000, seed=8) for players in PLAYERS for mix in MIXES],
    *[Task("uno", players, seated(players, mix), 2000, seed=8) for players in UNO_PLAYERS for mix in MIXES],
    *[Task("mahjong", players, (HOUSE,), 20_000, seed=8) for players in PLAYERS],
    *[Task("mahjong", players, seated(players, mix), 2000, seed=8) for players in PLAYERS for mix in MIXES[1:]],
    *[Task("uno-official", players, seated(players, NAMED), 20_000, seed=8) for players in UNO_PLAYERS],
    *[Task("uno-official", players, seated(players, mix), 500, seed=8) for players in UNO_PLAYERS for mix in MIXES],
    Task("uno-official", 5, (*NAMED, RANDOM, FIRST), 500, seed=8),
]


def named(task: Task) -> str:
    return f"{task.game}-{task.players}-{'-'.join(task.policies)}-{task.first}"


def chunks(task: Task) -> Iterator[Task]:
    for first in range(0, task.games, CHUNK):
        yield task._replace(first=first, games=min(CHUNK, task.games - first))


@pytest.mark.slow
@pytest.mark.parametrize("task", [chunk for task in SOME for chunk in chunks(task)], ids=named)
def test_stepped_and_compiled_games_agree_in_everything(task: Task) -> None:
    assert compare(task) == []


@pytest.mark.parametrize("task", COUNTED, ids=named)
def test_kernels_with_and_without_a_log_agree(task: Task) -> None:
    assert compare_kernels(task) == []


@pytest.mark.thorough
@pytest.mark.parametrize("task", [chunk for task in ALL_MIXES for chunk in chunks(task)], ids=named)
def test_they_agree_for_each_number_of_players_and_each_mix(task: Task) -> None:
    assert compare(task) == []
    assert compare_kernels(task._replace(games=max(task.games, 5000))) == []
