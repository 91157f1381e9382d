"""Fixtures of the tests of tables."""

from itertools import count

import pytest

from maumau.play.table import room


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms deal the same cards in each run: the n-th key is the number n."""
    keys = count(1)
    monkeypatch.setattr(room, "token_hex", lambda size: f"{next(keys):0{2 * size}x}")
