"""What is estimated of a solution before it starts holds what it has in the end."""

from __future__ import annotations

import random

import pytest

from fsm import MauMau
from fsm.stepping.game import Game
from maumau.solve.compiled import tree
from maumau.solve.dealt import count_of, deals_of
from maumau.solve.hands import bounds_of, grow
from maumau.solve.hidden import MEMORY, HistoryTree, ends_of
from maumau.solve.positions import Positions

CARDS = ["DS", "HS", "SS", "DE", "HE", "SE", "DJ", "HJ", "DQ", "HQ", "SQ", "DK", "HK", "SK", "DT", "HT"]


def decks() -> list[type[Game]]:
    dice = random.Random(7)
    sizes = [(6, 1), (7, 1), (7, 2), (6, 2), (7, 1), (7, 2), (8, 3), (6, 1), (7, 2), (8, 2)]
    return [MauMau.with_deck(" ".join(dice.sample(CARDS, cards)), each) for cards, each in sizes]


@pytest.mark.parametrize("kind", decks(), ids=lambda kind: kind.origin[1])
def test_the_number_of_positions_is_within_its_bounds(kind: type[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.solve.hands.SURE", 64)
    positions = Positions(kind, 2)
    low, high = bounds_of(positions, MEMORY)
    positions.add_deals(deals_of(kind, 2).decks)
    grow(positions, MEMORY, None)
    assert low <= len(positions) <= high


@pytest.mark.parametrize("kind", decks(), ids=lambda kind: kind.origin[1])
def test_the_number_of_ends_is_within_its_bounds(kind: type[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.solve.hidden.SAMPLE", 40)
    low, high = ends_of(Positions(kind, 2), 0, MEMORY)
    whole = HistoryTree(Positions(kind, 2), deals_of(kind, 2), 0)
    whole.grow(MEMORY, None)
    assert low <= whole.state[tree.ENDS] <= high
    assert high < 3 * low


def test_where_all_deals_are_in_the_sample_the_size_is_exact() -> None:
    kind = MauMau.with_deck("DQ HQ DT HT", each=1)
    positions = Positions(kind, 2)
    assert bounds_of(positions, MEMORY) == (len(positions), len(positions))
    assert count_of(kind, 2) == 24
