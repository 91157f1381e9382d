"""The atlas of house rules: what it compares, its sums, and the page that it writes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("llvmlite")

from benchmarks import atlas
from benchmarks.atlas_page import change, heat_map, shown, write_page
from fsm import game_class

OFFICIAL = game_class("uno-official")


def test_the_comparisons_are_the_rules_the_profiles_and_the_allowed_pairs() -> None:
    found = list(atlas.cells(1000, 100))
    singles = {rules for rules, _, rounds in found if rounds == 1000}
    pairs = {rules for rules, _, rounds in found if len(rules) == 2}
    assert (len(singles), len(pairs)) == (13, 43)
    assert {players for rules, players, _ in found if rules == ("jump-in",)} == set(range(2, 11))


@pytest.mark.parametrize(
    ("value", "reach", "text"), [(3.14159, 0.004, "+3.142"), (-12.7, 0.3, "-12.7"), (12.7, 3, "+13"), (0.2, 0, "+0")]
)
def test_a_change_has_as_many_digits_as_its_interval_allows(value: float, reach: float, text: str) -> None:
    assert shown(value, reach) == text


def test_a_change_is_relative_or_in_points() -> None:
    row = {"old": 40.0, "difference": 2.0, "reach": 1.0}
    assert change(row, relative=True) == (5.0, 2.5)
    assert change({"old": 0.5, "difference": 0.02, "reach": 0.01}, relative=False) == (2.0, 1.0)


def test_a_heat_map_has_a_row_for_each_rule() -> None:
    map = heat_map("A < B", ["one", "two"], ["length"], {("one", "length"): (2.0, "+2")})
    assert (map.count("+2"), map.count(">two<"), "A &lt; B" in map) == (1, 1, True)


@pytest.mark.slow
def test_the_sums_are_those_of_stepped_rounds() -> None:
    cell = atlas.compared(["stack-draw-two"], players=3, rounds=20)
    kind, turns, longest = OFFICIAL.with_rules("stack-draw-two"), 0, []
    for number in range(20):
        game = kind.deal(3, seed=atlas.SEED, number=number)
        game.run()
        turns += game.table.turns
        chains = [0]
        for step in game.history:
            if step.trigger == "play":
                chains.append(chains[-1] + 1 if str(step.source) == "answer-pending" else 0)
        longest.append(max(chains) + 1 if max(chains) else 0)
    assert cell["sums"]["turns"][0] == turns
    assert cell["chains"] == {str(length): longest.count(length) for length in longest}


def test_a_page_is_written_from_what_was_found(tmp_path: Path) -> None:
    rules = [*(("stack-draw-two",), ("stack-draws",), ("jump-in",)), ("stack-draws", "jump-in")]
    names = ("turns", "first", "drawn", "turned", "endless", "points")
    found = [
        {"rules": list(each), "players": players, "rounds": 10, "changed": 5, "chains": {"0": 8, "3": 2},
         "sums": {name: [50.0, 40.0, 10.0, 14.0] for name in names}}
        for each, players in product(rules, range(2, 11))
    ]  # fmt: skip
    tables = {name: atlas.effects(found, name) for name in names}
    write_page(tmp_path / "uno-atlas.md", found, tables, {"turns": 42.0, "first": 0.5, "rounds": 10}, 10, 10)
    text = (tmp_path / "uno-atlas.md").read_text()
    assert "**jump-in**: with 2 players" in text
    assert "| 34 % | 20.0 % |" in text
    assert len(list(tmp_path.glob("*.svg"))) == 4
