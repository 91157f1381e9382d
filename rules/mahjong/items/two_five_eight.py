"""2-5-8: two points more if all four melds are of equal tiles and every tile, the pair too, is a 2, 5 or 8."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.items.all_triplets import melds_are_equal
from rules.mahjong.tiles import kinds_of_ranks

TILES = kinds_of_ranks(2, 5, 8)


@item(2, "All four melds are of equal tiles, and they and the pair are of 2, 5 and 8.")
def two_five_eight(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds on top of all triplets."""
    return melds_are_equal(runs, triplets) and (triplets | pairs) & ~TILES == 0
