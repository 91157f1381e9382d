"""Ones and nines: two points if every meld and every pair has a 1 or a 9 in it."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.win import Win

ENDS = frozenset({1, 9})


@item(2, "Every meld, exposed ones too, and every pair has a 1 or a 9 in it.")
def ones_and_nines(win: Win) -> bool:
    """It holds of melds and a pair, and of seven pairs."""
    return not any(ENDS.isdisjoint(group.ranks) for group in win.groups)
