"""The examples in docstrings of agents print what they show."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("module", ["actions", "nets.net", "observed"])
def test_the_examples_print_what_they_show(module: str) -> None:
    result = doctest.testmod(import_module(f"maumau.agents.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
