"""Ones and nines: two points if every meld and every pair has a 1 or a 9 in it."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.tiles import kinds_of_ranks

ENDS = kinds_of_ranks(1, 9)
RUNS_WITH_ENDS = kinds_of_ranks(1, 7)
"""The lowest tiles of the runs 1-2-3 and 7-8-9."""


@item(2, "Every meld, exposed ones too, and every pair has a 1 or a 9 in it.")
def ones_and_nines(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of melds and a pair, and of seven pairs."""
    return runs & ~RUNS_WITH_ENDS == 0 and (triplets | pairs) & ~ENDS == 0
