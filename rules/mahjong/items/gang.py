"""Gang: a point for each kind of tile held four times, wherever the four lie."""

from __future__ import annotations

from rules.mahjong.item import item


@item(1, "All four tiles of a kind are there, hidden, exposed or as the wait.")
def gang(fours: int, runs: int, triplets: int, pairs: int) -> int:
    """It holds once for each such kind."""
    return fours.bit_count()
