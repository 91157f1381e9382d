"""A winning hand in one of its splits."""

from __future__ import annotations

from typing import NamedTuple

from rules.mahjong.groups import Group


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
