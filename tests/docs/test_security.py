"""SECURITY.md names tests and files of tests: all of them are there, and no promise is without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| promise")]


def test_every_promise_names_what_shows_it() -> None:
    assert len(PROMISES) > 25
    for promise in PROMISES:
        assert re.search(r"`(tests/\S+|[Tt]est\w+)`", promise.split(" | ")[-1]), promise


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([Tt]est_?\w+)`", TEXT))))
def test_a_test_that_is_named_is_there(name: str) -> None:
    defined = re.compile(rf"^ *(def|class) {name}\b", re.MULTILINE)
    assert any(defined.search(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[^`]*)`", TEXT))))
def test_a_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()
