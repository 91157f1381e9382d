"""What an independent program has found of small decks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SOLVED = json.loads((Path(__file__).parents[1] / "corpus" / "solve" / "expected.json").read_text())


def name_of(case: dict[str, Any]) -> str:
    """The name of a deck, and the house rules with which it is played."""
    return "-".join([case["name"], *case["rules"]])
