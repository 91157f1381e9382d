"""Any small deck has the value that a plain solver finds, which was written from the rules alone; house rules, too."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_maumau import CARDS
from plain_solver import Hidden, Rules, deals, start, worth_of

from fsm import MauMau
from maumau.solve.hands import solve_open
from maumau.solve.hidden import solve_hidden

DECKS = st.lists(st.sampled_from(sorted(CARDS)), min_size=4, max_size=5, unique=True)
RULES = [
    "sevens-draw-3",
    "sevens-not-answered",
    "jack-on-jack",
    "drawn-card-not-played",
    "opening-without-effect",
    "king-again",
    "ace-skips",
    "heart-king-draws-five",
    "no-action-last",
    "ten-is-wild",
]
LIVELY = ["DS", "DE", "DJ", "DK", "DA", "DT", "HS", "HE", "HJ", "HK", "HA"]
"""Cards with an effect by any of the rules."""
RULED = st.lists(st.sampled_from(LIVELY), min_size=5, max_size=6, unique=True)


def check_open(deck: list[str], each: int, rules: Rules) -> None:
    found = solve_open(MauMau.with_rules(*rules).with_deck(" ".join(deck), each))
    dealt = [start(*deal, rules) for deal in deals(deck, each)]
    worth = worth_of(dealt, rules)
    values = [worth[state] for state in dealt]
    assert found.counted(found.worth) == tuple(values.count(value) for value in (1, 0, -1))


def check_hidden(deck: list[str], each: int, rules: Rules) -> None:
    kind = MauMau.with_rules(*rules).with_deck(" ".join(deck), each)
    found, plain = solve_hidden(kind), Hidden(deck, each, rules)
    assert found.information_sets == [len(sets) for sets in plain.sets]
    assert abs(found.equilibrium.value - plain.value()) < 1e-6


@pytest.mark.slow
@settings(max_examples=8)
@given(deck=DECKS)
def test_every_deal_of_a_deck_is_worth_the_same_with_open_hands(deck: list[str]) -> None:
    check_open(deck, 1, frozenset())


@pytest.mark.slow
@settings(max_examples=8)
@given(deck=DECKS)
def test_the_value_and_the_sizes_of_a_deck_are_the_same_with_hidden_hands(deck: list[str]) -> None:
    check_hidden(deck, 1, frozenset())


@pytest.mark.thorough
@settings(max_examples=20)
@given(deck=RULED, each=st.integers(1, 2), rules=st.sets(st.sampled_from([*RULES, "eights-answered"]), max_size=2))
def test_every_deal_is_worth_the_same_with_house_rules(deck: list[str], each: int, rules: set[str]) -> None:
    check_open(deck, each, frozenset(rules))


@pytest.mark.thorough
@settings(max_examples=20)
@given(deck=RULED, each=st.integers(1, 2), rules=st.sets(st.sampled_from(RULES), max_size=2))
def test_the_hidden_value_is_the_same_with_house_rules(deck: list[str], each: int, rules: set[str]) -> None:
    check_hidden(deck, each, frozenset(rules))
