"""One suit: two points if all tiles, the exposed ones too, are of one suit."""

from __future__ import annotations

from rules.mahjong.item import item
from rules.mahjong.tiles import suits_of


@item(2, "All tiles are of one suit.")
def one_suit(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of a whole hand, however that is split."""
    return suits_of(runs | triplets | pairs) == 1
