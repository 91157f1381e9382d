"""The adapters, for tests where the libraries are installed."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def zoo() -> Any:
    from maumau.agents.adapters import zoo

    return zoo


@pytest.fixture
def gym() -> Any:
    from maumau.agents.adapters import gym

    return gym


@pytest.fixture
def spiel() -> Any:
    from maumau.agents.adapters import spiel

    return spiel
