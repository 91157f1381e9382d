"""Each level is open at its beginning, and solved by an answer that is no copy of the judge's."""

from __future__ import annotations

import pytest
from levels import LEVELS, judge
from solutions import SOLUTIONS

LONG = ("rule-breaks", "rule-repair", "own-rule")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in LEVELS])
def test_a_level_is_open_at_its_beginning_and_solved_by_its_answer(name: str) -> None:
    begin = judge(name, LEVELS[name].source)
    assert not begin["passed"], begin
    answer = judge(name, SOLUTIONS[name])
    assert answer == {"passed": True, "message": "Solved."}
    assert begin["message"] != answer["message"]


@pytest.mark.parametrize(
    ("name", "text", "change", "missing"),
    [
        (
            "missing-guard",
            LEVELS["missing-guard"].source,
            ("table.coins += 1", "table.coins = min(table.coins + 1, 3)"),
            "After start, coin, push, coin, push, coin, push, coin this does not hold: a coin goes into the box.",
        ),
        (
            "missing-guard",
            LEVELS["missing-guard"].source,
            ("before=take_coin", "unless=has_room, before=take_coin"),
            "This transition is never fired: locked --coin [not has room] / take coin--> unlocked",
        ),
        (
            "state-invariant",
            LEVELS["state-invariant"].source,
            ("return True", "return table.greens <= 3"),
            "A mutant is alive: with a third phase of green.",
        ),
        (
            "kill-mutants",
            SOLUTIONS["kill-mutants"],
            ("return after.coins == 0", "return True"),
            "A mutant is alive: that takes one coin out.",
        ),
    ],
)
def test_a_wrong_answer_is_told_what_is_missing(name: str, text: str, change: tuple[str, str], missing: str) -> None:
    assert change[0] in text
    assert judge(name, text.replace(*change)) == {"passed": False, "message": missing}


def test_there_are_twenty_levels_in_the_order_of_the_course() -> None:
    assert len(LEVELS) >= 20
    units = [level.unit for level in LEVELS.values()]
    assert units == sorted(units)
    assert set(units) == set(range(1, 8))
    assert SOLUTIONS.keys() == LEVELS.keys()
