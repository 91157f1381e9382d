"""The page of all public names: each once, and as the code says."""

from __future__ import annotations

from collections import Counter

import pytest
from public_names import PAGE, PURPOSES, docstring_of, page

import maumau

NAMES = [name for names in PURPOSES.values() for name in names.split()]


def test_every_public_name_has_one_purpose() -> None:
    assert Counter(NAMES) == Counter(maumau.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_docstring(name: str) -> None:
    assert docstring_of(name)


def test_the_page_is_current() -> None:
    """`python tests/support/public_names.py` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()
