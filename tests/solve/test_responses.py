"""Best responses without the equilibrium are those that are found on the whole tree."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from examples.kuhn_poker import KuhnPoker
from fsm import MauMau, Uno
from fsm.stepping.game import Game
from maumau.solve.hidden import solve_hidden
from maumau.solve.responses import respond_to

KINDS = [
    MauMau.with_deck("DQ HQ DT HT DK", each=1),
    MauMau.with_deck("DQ HQ DS HS DE DJ HJ", each=2),
    MauMau.with_rules("eights-answered").with_deck("DS HS DE HE DJ HJ", each=1),
    Uno.with_deck("Y1 R1 RS YR RD YD", each=1),
    KuhnPoker,
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.declaration.name)
def test_they_are_those_of_the_whole_tree(kind: type[Game]) -> None:
    solved = solve_hidden(kind, ["house", "first-legal"])
    for number, policy in enumerate(solved.policies):
        found = respond_to(kind, policy)
        assert astuple(found.judged) == pytest.approx(astuple(solved.judge(number)), abs=1e-9)
        assert all(few <= all_ for few, all_ in zip(found.information_sets, solved.information_sets, strict=True))


def test_a_policy_that_rolls_dice_is_refused() -> None:
    with pytest.raises(ValueError, match="policy random rolls dice or is computed; use one with decision rules"):
        respond_to(KINDS[0], "random")


def test_a_deck_with_too_many_deals_is_refused_before_it_starts() -> None:
    with pytest.raises(ValueError, match=r"about 119,750,400 deals, more than .*; use a smaller deck"):
        respond_to(MauMau.with_deck("DQ HQ DS HS DK SJ SE HE DJ HK SK CQ", each=2), "house")
