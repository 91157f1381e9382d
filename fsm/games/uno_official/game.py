"""Rounds of official UNO, stepped event by event."""

from __future__ import annotations

from fsm.games.uno.game import UnoGame
from fsm.games.uno_official import UNO_OFFICIAL
from fsm.stepping.game import Game
from rules.uno.problem import OfficialFormat

__all__ = ["UnoOfficial"]


class UnoOfficial(UnoGame, Game, declaration=UNO_OFFICIAL):
    """A round of official UNO, stepped event by event. Cards are named as in UNO: `RD`, the red draw two; `WC`, a wild.

    `player` is who acts, also one who is asked; `turn` is whose turn it is.
    """

    input_format = OfficialFormat
    house_rules = "fsm.games.uno_official.house"

    @property
    def colour(self) -> str | None:
        """The letter of the current colour; None while a wild is open for which none is named yet."""
        return self._suit_name(self.table.colour)
