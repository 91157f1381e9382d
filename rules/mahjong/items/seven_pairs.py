"""Seven pairs: two points for a hand that wins in this way."""

from __future__ import annotations

from rules.mahjong.item import item


@item(2, "The hand is seven pairs, of which four equal tiles are two.")
def seven_pairs(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of a split without melds."""
    return runs | triplets == 0
