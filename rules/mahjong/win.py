"""A winning hand as the scoring items see it: all its tiles, and one way to split them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.mahjong.groups import Group
from rules.mahjong.tiles import Counts


@dataclass(frozen=True, slots=True)
class Win:
    """Fourteen tiles, and one more for each gang exposed, in one of their splits.

    counts: of all tiles, the exposed ones and the wait too. hidden, pairs: the groups of the split: four melds, less
    one for each exposed, and one pair; or seven pairs. exposed: the melds that lie open.
    """

    counts: Counts
    hidden: tuple[Group, ...]
    pairs: tuple[Group, ...]
    exposed: tuple[Group, ...] = ()

    @property
    def melds(self) -> tuple[Group, ...]:
        """The melds, hidden and exposed: four, or none with seven pairs."""
        return self.hidden + self.exposed

    @property
    def groups(self) -> tuple[Group, ...]:
        """The melds and the pairs."""
        return self.hidden + self.exposed + self.pairs
