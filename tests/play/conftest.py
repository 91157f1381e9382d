"""Fixtures of the tests of tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from maumau.play.table import room

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms deal the same cards in each run: the n-th key is the number n."""
    keys = count(1)
    monkeypatch.setattr(room, "token_hex", lambda size: f"{next(keys):0{2 * size}x}")


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A client of a server that has no room yet."""
    from starlette.testclient import TestClient

    from maumau.play.server.app import application

    with TestClient(application(8000), base_url="http://127.0.0.1:8000") as made:
        yield made
