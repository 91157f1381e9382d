"""Gang: a point for each kind of tile held four times, wherever the four lie."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.tiles import FOURS
from rules.mahjong.win import Win


@item(1, "All four tiles of a kind are there, hidden, exposed or as the wait.")
def gang(win: Win) -> int:
    """It holds once for each such kind."""
    return sum((tiles & FOURS).bit_count() for tiles in win.counts)
