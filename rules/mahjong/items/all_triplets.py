"""All triplets: a point if all four melds are of equal tiles."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.win import Win


@item(1, "All four melds are of equal tiles.")
def all_triplets(win: Win) -> bool:
    """It holds of triplets and gangs, not of seven pairs, which have no meld."""
    return bool(win.melds) and all(meld.equal for meld in win.melds)
