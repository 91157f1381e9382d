"""The adapters, for tests where the libraries are installed."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def zoo() -> Any:
    pytest.importorskip("pettingzoo", reason="the adapter needs pettingzoo")
    from maumau.agents.adapters import zoo

    return zoo


@pytest.fixture
def gym() -> Any:
    pytest.importorskip("gymnasium", reason="the adapter needs gymnasium")
    from maumau.agents.adapters import gym

    return gym


@pytest.fixture
def spiel() -> Any:
    pytest.importorskip("pyspiel", reason="the adapter needs open_spiel")
    from maumau.agents.adapters import spiel

    return spiel
