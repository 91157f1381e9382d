"""Base: every hand that wins has one point."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.win import Win


@item(1, "Every hand that wins has it.")
def base(win: Win) -> bool:
    """It always holds."""
    return True
