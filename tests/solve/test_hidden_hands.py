"""Hidden hands: the expected results of the corpus, which an independent program has found from the rules alone."""

from __future__ import annotations

from typing import Any

import pytest
from solved_decks import SOLVED, name_of

from fsm import MauMau, Uno
from maumau.solve.equilibrium import Matching, by_program
from maumau.solve.hands import solve_open
from maumau.solve.hidden import solve_hidden

CASES = SOLVED["hidden"]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_values_and_sizes_are_those_of_an_independent_program(case: dict[str, Any]) -> None:
    kind = MauMau.with_rules(*case["rules"]).with_deck(case["deck"], each=case["each"])
    found = solve_hidden(kind, ["house"])
    judged = found.judge(0)
    assert found.information_sets == case["information_sets"]
    values = found.equilibrium.value, judged.first_worst, judged.second_worst, judged.both, judged.exploitability
    names = "value", "house_first_worst", "house_second_worst", "house_both", "exploitability"
    assert values == pytest.approx([case[name] for name in names], abs=1e-6)
    assert found.equilibrium.upper - found.equilibrium.lower < 1e-6


@pytest.mark.slow
def test_both_methods_find_the_same_value_within_their_bounds() -> None:
    """Linear programming and regret matching know nothing of each other."""
    found = solve_hidden(MauMau.with_deck("DQ HQ DT HT DK SK", each=1))
    matrix = found.tree.matrix(found.worth)
    exact, matching = by_program(found.seats, matrix), Matching(found.seats, matrix)
    for _ in range(200):
        matching.step()
    assert matching.found.lower - 1e-9 <= exact.value <= matching.found.upper + 1e-9
    assert matching.found.upper - matching.found.lower < 1e-6


def test_a_policy_never_gets_more_than_the_value() -> None:
    found = solve_hidden(MauMau.with_deck("DS HS DE HE DJ HJ", each=1), ["house", "random", "first-legal"])
    for number in range(3):
        judged = found.judge(number)
        assert judged.first_worst <= found.equilibrium.upper + 1e-9
        assert judged.second_worst >= found.equilibrium.lower - 1e-9
        assert judged.first_worst - 1e-9 <= judged.both <= judged.second_worst + 1e-9


def test_what_takes_more_memory_is_refused_with_its_size() -> None:
    kind = MauMau.with_deck("DQ HQ DS HS DE DJ HJ", each=2)
    with pytest.raises(ValueError, match=r"[\d,]+ to [\d,]+ ends of play, .* MB do not fit in 0 MB; allow more memory"):
        solve_hidden(kind, memory=1 << 19)


@pytest.mark.slow
def test_deals_whose_open_card_may_not_lie_open_are_left_out() -> None:
    """Of the 8! / 2! orders of a deck of UNO one in eight begins with the wild card."""
    kind = Uno.with_deck("Y1 Y1 R1 RS YR RD YD WC", each=1)
    assert len(solve_hidden(kind).tree.deals) == 17_640
    found = solve_open(kind)
    assert sum(found.counted(found.worth)) == 17_640
