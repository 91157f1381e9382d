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


def test_there_are_twenty_levels_in_the_order_of_the_course() -> None:
    assert len(LEVELS) >= 20
    units = [level.unit for level in LEVELS.values()]
    assert units == sorted(units)
    assert set(units) == set(range(1, 8))
    assert SOLUTIONS.keys() == LEVELS.keys()
