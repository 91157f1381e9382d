"""Open hands: the expected results of the corpus, which an independent program has found from the rules alone."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from fsm import MauMau
from maumau.solve.hands import OpenHands, solve_open

CASES = json.loads((Path(__file__).parents[1] / "corpus" / "solve" / "expected.json").read_text())["open"]
LARGE = 1_000_000
"""Positions of decks that take seconds."""


def name_of(case: dict[str, Any]) -> str:
    return "-".join([case["name"], *case["rules"]])


def cases() -> list[Any]:
    marks = {False: [], True: [pytest.mark.slow]}
    return [pytest.param(case, id=name_of(case), marks=marks[case["positions"] > LARGE]) for case in CASES]


def solved(case: dict[str, Any]) -> OpenHands:
    kind = MauMau.with_rules(*case["rules"]).with_deck(case["deck"], each=case["each"])
    return solve_open(kind, case["players"], ["house"])


@pytest.mark.parametrize("case", cases())
def test_values_and_errors_are_those_of_an_independent_program(case: dict[str, Any]) -> None:
    found = solved(case)
    assert found.deals is not None
    assert (len(found.deals), *found.kinds[:2]) == (case["deals"], case["positions"], case["drawn"])
    assert list(found.counted(found.worth)) == case["perfect"]["won_nobody_lost"]
    assert sha256(found.by_deal.encode()).hexdigest() == case["perfect"]["sha256"]
    for name, seats in {"house_first": (0,), "house_second": (1,), "house_both": (0, 1)}.items():
        assert list(found.counted(found.following(0, *seats))) == case[name]["won_nobody_lost"]
    errors = found.positions.errors(0, found.worth)
    names = ["choices_that_matter", "house_errors"]
    names += ["errors_win_to_nobody", "errors_win_to_loss", "errors_nobody_to_loss"]
    assert list(errors.values()) == [case[name] for name in names]


@pytest.mark.parametrize("case", [case for case in CASES if case["positions"] < LARGE], ids=name_of)
def test_the_moves_of_positions_have_the_expected_values(case: dict[str, Any]) -> None:
    found = solved(case)
    for example in case["examples"]:
        game = found.kind.at(example["position"])
        side = 1 if game.player == 1 else -1
        rated = found.rated(game)
        assert {str(each.move): each.value * side for each in rated} == example["moves"]
        assert rated[0].value * side == example["value"]
        assert {str(move) for move in found.best_moves(game)} == {
            move for move, value in example["moves"].items() if value == example["value"]
        }
