"""Base: every hand that wins has one point."""

from __future__ import annotations

from rules.mahjong.item import item


@item(1, "Every hand that wins has it.")
def base(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It always holds."""
    return True
