"""A run in parts loses no test and runs none twice."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selection import part


@given(st.text(), st.integers(1, 100))
def test_a_test_is_in_exactly_one_part(test: str, parts: int) -> None:
    assert sum(part(f"{number}/{parts}").has(test) for number in range(1, parts + 1)) == 1


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "-1/3", "1/0", "1/3/5", "a/b", "1/", "/3", "²/3"])
def test_what_names_no_part_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected K/N with K from 1 to N"):
        part(text)
