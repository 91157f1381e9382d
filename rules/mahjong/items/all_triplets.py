"""All triplets: a point if all four melds are of equal tiles."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.rule import rule


@rule
def melds_are_equal(runs: int, triplets: int) -> bool:
    """Whether there are melds, and all are of equal tiles."""
    return runs == 0 and triplets != 0


@item(1, "All four melds are of equal tiles.")
def all_triplets(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of triplets and gangs, not of seven pairs, which have no meld."""
    return melds_are_equal(runs, triplets)
