"""A hand: thirteen tiles, of which some may be exposed as melds, a gang has one tile more; and its splits that win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rules.mahjong.tiles import COPIES, KINDS, TILES, Group
from rules.notation import many

TILES_HELD = 13
MELDS = 4


class Hand(NamedTuple):
    """The codes of the hidden tiles, and the exposed melds."""

    hidden: tuple[int, ...]
    exposed: tuple[Group, ...] = ()


def melds_beside(hidden: int) -> int:
    """The number of exposed melds beside a number of hidden tiles. Raises ValueError if there is none."""
    melds, rest = divmod(TILES_HELD - hidden, 3)
    if rest or not 0 <= melds <= MELDS:
        found = many(hidden, "hidden tile")
        raise ValueError(f"{found}, expected {TILES_HELD}, or three fewer for each exposed meld")
    return melds


def check(hidden: Sequence[int], exposed: Sequence[Group]) -> None:
    """Raise ValueError with the reason if this is no hand."""
    melds = melds_beside(len(hidden))
    if len(exposed) != melds:
        found, beside = many(len(exposed), "exposed meld"), many(len(hidden), "hidden tile")
        raise ValueError(f"{found}, expected {melds or 'none'} beside {beside}")
    for tile, copies in Counter([*hidden, *(tile for meld in exposed for tile in meld.tiles)]).items():
        if not 0 <= tile < KINDS:
            raise ValueError(f"tile code {tile}, expected 0 to {KINDS - 1}")
        if copies > COPIES:
            raise ValueError(f"{TILES.cards[tile]} is there {copies} times, expected {COPIES} at most")


class Win(NamedTuple):
    """Fourteen tiles, and one more for each gang exposed, in one of their splits.

    melds: four, of which the last ones are `exposed`, or none. pairs: one beside melds, or seven.
    """

    melds: tuple[Group, ...]
    pairs: tuple[Group, ...]
    exposed: tuple[Group, ...] = ()

    @property
    def hidden(self) -> tuple[Group, ...]:
        """The melds that are not exposed."""
        return self.melds[: len(self.melds) - len(self.exposed)]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The melds and the pairs."""
        return self.melds + self.pairs
