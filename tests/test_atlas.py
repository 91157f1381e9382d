"""The atlas of house rules: what it compares, its sums, and the page that it writes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from benchmarks import atlas, atlas_random
from benchmarks.atlas_measures import MEASURES
from benchmarks.atlas_page import FIGURES, change, heat_map, shown, write_page
from benchmarks.atlas_skill import searched
from fsm import Game, game_class
from maumau import bulk

OFFICIAL = game_class("uno-official")


def test_the_comparisons_are_the_rules_the_profiles_and_the_allowed_pairs() -> None:
    found = list(atlas.tasks(3_000_000, 100, 50))
    plain = [task for task in found if not task.worlds]
    assert ({len(task.rules) for task in plain}, len({task.rules for task in plain})) == ({1, 2}, 13 + 43)
    jumping = [task for task in plain if task.rules == ("jump-in",)]
    assert {task.players for task in jumping} == set(range(2, 11))
    assert {task.first for task in jumping if task.players == 4} == {0, 1_000_000, 2_000_000}
    assert {task.rounds for task in found if task.worlds} == {50, 25}
    searched = [task for task in atlas.tasks(10, 10, 250) if task.worlds]
    assert {task.first for task in searched if task.rules[0] not in atlas.LONG} == {0, 100, 200}
    assert {task.first for task in searched if task.rules[0] in atlas.LONG} == set(range(0, 250, 25))
    assert len(set(found)) == len(found)


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


def test_the_sums_of_a_figure() -> None:
    assert atlas.sums_of(np.array([3, 1, 4]), np.array([1, 1, 5], np.uint8)) == [3, 8, 7, 1, 5]


def stepped(kind: type[Game], number: int) -> dict[str, int]:
    """Of a round that is stepped the turns, how far the winner was behind at the end of a turn, and its chains."""
    game = kind.deal(3, seed=atlas.SEED, number=number)
    behind, chains = [0, 0, 0], [0]
    while game.outcome is None:
        turn, sizes = game.table.turn, [len(hand) for hand in game.hands]
        step = game.step()
        if {"next_player", "same_player"} & {effect.__name__ for effect in step.arc.before}:
            behind[turn] = max(behind[turn], sizes[turn] - min(sizes))
        if step.trigger == "play" and step.card and step.card[1] == "D":
            chains[-1] += 1
        elif step.trigger == "accept" or str(step.dest) == "await-play":
            chains.append(0)
    return {
        "turns": game.table.turns,
        "behind": behind[game.table.winner],
        "longest": max(chains),
        "chains": sum(length > 1 for length in chains),
    }


@pytest.mark.slow
def test_the_sums_are_those_of_stepped_rounds() -> None:
    cell = atlas.compared(atlas.Task(("stack-draw-two",), 3, 0, 30))
    kinds = OFFICIAL.with_rules("stack-draw-two"), OFFICIAL
    after, before = ([stepped(kind, number) for number in range(30)] for kind in kinds)
    for name in ("turns", "behind", "longest", "chains"):
        assert cell["sums"][name][:2] == [30, sum(each[name] for each in after)], name
    for name in ("turns", "behind"):
        assert cell["sums"][name][2] == sum(each[name] for each in before), name
    assert sum(cell["lengths"]) == 30


@pytest.mark.slow
def test_what_is_measured_changes_no_round() -> None:
    for rules in ((), ("family-uno",)):
        kind = OFFICIAL.with_rules(*rules)
        plain, noted = (bulk.play_dealt(4, 2000, 1, game=each) for each in (kind, kind.with_rules(MEASURES)))
        won = plain.games["winner"] >= 0
        assert (plain.games[won] == noted.games[won]).all()


@pytest.mark.slow
def test_who_searches_plays_each_round_once() -> None:
    won = searched(OFFICIAL, 2, 9, 2, seed=3)
    again = [
        OFFICIAL.deal(2, 3, number, ["search:2", "house"] if number < 4 else ["house", "search:2"]).run().winner
        for number in range(9)
    ]
    assert won.tolist() == [winner == (1 if number < 4 else 2) for number, winner in enumerate(again)]


@pytest.mark.slow
def test_two_random_players_need_as_many_turns_by_other_code() -> None:
    """The rules on the box, written apart from the declaration."""
    box = atlas_random.Program(**dict.fromkeys(atlas_random.STEPS, True))
    found = atlas_random.measured(box, 3000)
    turns = bulk.play_dealt(2, 50_000, 1, policies=["random-legal-card"], game=OFFICIAL).games["turns"].mean()
    assert abs(found["turns"] - turns) < 2 * found["reach"] + 1


def test_a_page_is_written_from_what_was_found(tmp_path: Path) -> None:
    rules = [("stack-draw-two",), ("stack-draws",), ("jump-in",), ("stack-draws", "jump-in")]
    names = [figure.name for figure in FIGURES] + ["behind", "chains"]
    found = [
        {"rules": each, "players": players, "changed": 5, "lengths": [8, 0, 0, 2],
         "sums": {name: [10, 50, 40, 10, 14] for name in names if players < 5 or name != "search"}}
        for each, players in product(rules, range(2, 11))
    ]  # fmt: skip
    write_page(tmp_path / "uno-atlas.md", atlas.joined(found), atlas.effects, ["what else"])
    text = (tmp_path / "uno-atlas.md").read_text()
    assert "**jump-in**: rounds are 25 % longer;" in text
    assert "| stack-draws | 4 | 80 | 0 | 0 | 20 | 0 | 0 | 0 | 3 |" in text
    assert "what else" in text
    assert len(list(tmp_path.glob("*.svg"))) == 4


def test_blocks_of_rounds_are_added_up() -> None:
    blocks = [{"rules": ["a"], "players": 2, "changed": 2, "sums": {"turns": [5, 9, 8, 1, 1]}, "lengths": [5]}] * 2
    (cell,) = atlas.joined(blocks)
    assert (cell["sums"], cell["changed"], cell["lengths"]) == ({"turns": [10, 18, 16, 2, 2]}, 4, [5])
