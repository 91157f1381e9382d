"""Games of Mau-Mau, stepped event by event."""

from __future__ import annotations

from fsm.games.maumau import MAUMAU
from fsm.stepping.game import Game

__all__ = ["MauMau"]


class MauMau(Game, declaration=MAUMAU):
    """A game of Mau-Mau, stepped event by event. Cards are named as in the problem: `CN`, the nine of clubs.

    >>> game = MauMau.parse(
    ...     "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
    ... )
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 45))
    """

    house_rules = "fsm.games.maumau.house"

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        return int(self.table.due)

    @property
    def bound_suit(self) -> str | None:
        """The letter of the suit that the open jack binds, if it binds one."""
        return self._suit_name(self.table.bound_suit)
