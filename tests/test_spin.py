"""Positions and events of Mau-Mau, counted by SPIN in a model that was written from the rules."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest

from benchmarks.explorer import spin_built, spin_explored
from fsm import MauMau
from fsm.check import explore_stepped
from fsm.declaration.arcs import SmallDeck

pytestmark = pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="needs spin and gcc")


@pytest.mark.slow
@pytest.mark.parametrize(
    "small", [MauMau.declaration.small_decks[0], SmallDeck("DQ HS DE DJ", 3, 1), SmallDeck("DS HS SS DQ CJ", 2, 2)]
)
def test_spin_counts_the_same_positions_and_events(small: SmallDeck, tmp_path: Path) -> None:
    counted, report = spin_explored(spin_built(small, tmp_path)), explore_stepped(MauMau, small)
    dealt = sum(1 for _ in permutations(small.cards.split()))
    assert report.failures == []
    assert counted.positions == report.positions
    assert counted.events - dealt - 1 == report.events
