"""Copies of searches, and pickled ones, decide as the search does."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from decisions import decisions
from random_nets import random_net

from fsm import Game, MauMau, game_class
from fsm.stepping.game import game_of
from maumau import Search

FIVE_EACH = game_class("maumau+five-each")
COPIES: list[Callable[[Search], Search]] = [copy, deepcopy, lambda search: pickle.loads(pickle.dumps(search))]
OPTIONS: list[dict[str, Any]] = [
    {"seed": 3, "others": {"house": 0.5, "random": 0.5}, "own": "first-legal"},
    {"tree": True, "infer": False, "by_deal": False, "rewards": "score"},
    {"own": random_net(MauMau.declaration, 2)},
]


def assert_alike(one: Search, other: Search, kind: type[Game]) -> None:
    """Both decide alike."""
    assert one is not other
    for game in islice(decisions(kind, 2, games=1), 3):
        assert repr(one.best(game)) == repr(other.best(game))  # NaN is not equal to itself


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("options", OPTIONS, ids=["policies", "tree", "net"])
def test_copies_decide_alike(options: dict[str, Any], copied: Callable[[Search], Search]) -> None:
    search = Search(MauMau, 2, 20, **options)
    assert_alike(search, copied(search), MauMau)
    assert_alike(search, copied(copied(search)), MauMau)


@pytest.mark.parametrize(
    "game", ["maumau+five-each", FIVE_EACH, FIVE_EACH.declaration], ids=["name", "class", "declaration"]
)
def test_searches_of_games_with_house_rules_are_pickled(game: Any) -> None:
    search = Search(game, 2, 20)
    for copied in COPIES:
        assert copied(search).game == FIVE_EACH.declaration
        assert_alike(search, copied(search), FIVE_EACH)


def test_another_process_decides_alike(tmp_path: Path) -> None:
    game = next(decisions(FIVE_EACH, 2, games=1))
    search = Search(FIVE_EACH, 2, 20, seed=4)
    (tmp_path / "search").write_bytes(pickle.dumps((search, game)))
    program = "import pickle, sys; search, game = pickle.load(sys.stdin.buffer); print(search.best(game))"
    with open(tmp_path / "search", "rb") as file:
        run = subprocess.run([sys.executable, "-c", program], stdin=file, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(search.best(game))


@pytest.mark.parametrize("name", ["maumau", "unknown"])
def test_a_search_by_a_declaration_without_a_registered_class_is_copied_but_not_pickled(name: str) -> None:
    own = game_of(replace(MauMau.with_rules("nine-reverses").declaration, name=name))
    search = Search(own.declaration, 2, 20)
    assert_alike(search, deepcopy(search), own)
    expected = f"a search for {name}: its declaration cannot be pickled; make it with the class of the game"
    with pytest.raises(TypeError, match=expected):
        pickle.dumps(search)
