"""Any small deck has the value that a plain solver finds, which was written from the rules alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_maumau import CARDS
from plain_solver import Hidden, deals, start, worth_of

from fsm import MauMau
from maumau.solve.hands import solve_open
from maumau.solve.hidden import solve_hidden

DECKS = st.lists(st.sampled_from(sorted(CARDS)), min_size=4, max_size=5, unique=True)


@pytest.mark.slow
@settings(max_examples=8)
@given(deck=DECKS)
def test_every_deal_of_a_deck_is_worth_the_same_with_open_hands(deck: list[str]) -> None:
    found = solve_open(MauMau.with_deck(" ".join(deck), each=1))
    dealt = [start(*deal) for deal in deals(deck, 1)]
    worth = worth_of(dealt)
    values = [worth[state] for state in dealt]
    assert found.counted(found.worth) == tuple(values.count(value) for value in (1, 0, -1))


@pytest.mark.slow
@settings(max_examples=8)
@given(deck=DECKS)
def test_the_value_and_the_sizes_of_a_deck_are_the_same_with_hidden_hands(deck: list[str]) -> None:
    found, plain = solve_hidden(MauMau.with_deck(" ".join(deck), each=1)), Hidden(deck, 1)
    assert found.information_sets == [len(sets) for sets in plain.sets]
    assert abs(found.equilibrium.value - plain.value()) < 1e-6
