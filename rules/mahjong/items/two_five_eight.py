"""2-5-8: two points more if all four melds are of equal tiles and every tile, the pair too, is a 2, 5 or 8."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.items.all_triplets import all_triplets
from rules.mahjong.win import Win

RANKS = frozenset({2, 5, 8})


@item(2, "All four melds are of equal tiles, and they and the pair are of 2, 5 and 8.")
def two_five_eight(win: Win) -> bool:
    """It holds on top of all triplets."""
    return bool(all_triplets.times(win)) and all(RANKS.issuperset(group.ranks) for group in win.groups)
