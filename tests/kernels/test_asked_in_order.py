"""What is not proved to exclude each other is asked in the order of the declaration, by every engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

import numpy as np
from bulk_fixtures import differences
from mirror import Mirror

from fsm import Game
from fsm.check.properties import BasicProperty
from fsm.check.stepped import explore_stepped
from fsm.games.maumau.game import MauMau
from fsm.games.maumau.house.king_again import play_again
from fsm.variants import Arcs, SmallDeck, SplitArcs, Variant, Waive
from maumau import Batch
from maumau.kernels import bulk
from maumau.kernels.explorer.exhaustive import explore
from rules.cards import NINE, rank_of
from rules.maumau.game import lay_card
from rules.rule import guard

pytest_plugins = ["bulk_fixtures"]


@guard("{card} is not a nine of a full hand")
def nine_of_many(table: Any) -> bool:
    """A guard that reads a hand: whether it excludes another one cannot be proved."""
    return rank_of(table.card) == NINE and table.hands[table.player].bit_count() > 2


def with_nines(name: str) -> type[Game]:
    """Mau-Mau in which some nines have two actions. name: by which their rule comes before that of the game or after."""
    split = SplitArcs(
        Arcs("play", dest="await-play"), nine_of_many, "The same player again.", before=(lay_card, play_again)
    )
    rule = Variant(name, "A nine of a full hand brings another turn.", (split, Waive("the next player is in turn")))
    return MauMau.with_rules(rule, "nine-reverses")


BOTH = "another-nine", "ordered-nine"


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_stepped_games_scalar_kernels_and_lanes_play_the_same(name: str) -> None:
    kind, players, games, seed = with_nines(name), 3, 300, 7
    logged = bulk.play_dealt(players, games, seed, log=True, game=kind)
    counted = bulk.play_dealt(players, games, seed, tally=True, game=kind)
    assert differences(kind, logged, (kind.deal(players, seed, number) for number in range(games))) == []
    assert (counted.games == logged.games).all()
    assert (counted.fired, counted.used) == (logged.fired, logged.used)


@pytest.mark.slow
def test_a_batch_plays_the_same() -> None:
    mirror = Mirror(Batch(with_nines(BOTH[0]), 3, 8, seed=5, others=None, limit=300), [], None, True)
    random, nothing = np.random.default_rng(1), list[int]()
    while mirror.seen["ended"] < 20:
        mirror.compare()
        mirror.step(random, nothing)


def arcs_fired(kind: type[Game], report: Any) -> Sequence[int]:
    return [report.fired[arc] for arc in kind.declaration.arcs]


@pytest.mark.slow
def test_both_explorers_find_that_two_arcs_are_enabled() -> None:
    kind, small = with_nines(BOTH[0]), SmallDeck("DN HN DJ DQ HQ DK HK", 2, 3)
    stepped, compiled = explore_stepped(kind, small), explore(kind, small)
    assert stepped.failed[BasicProperty.ONE_ARC] == compiled.failed[BasicProperty.ONE_ARC] > 0
    assert arcs_fired(kind, stepped) == arcs_fired(kind, compiled)
