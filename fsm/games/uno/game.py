"""Games of UNO, stepped event by event, and what they have in common with those of official UNO."""

from __future__ import annotations

from typing import Any, ClassVar

from fsm.games.uno import UNO
from fsm.stepping.game import Game
from rules.deck_format import DeckFormat
from rules.uno.game import calls
from rules.uno.problem import UnoFormat

__all__ = ["Uno", "UnoGame"]


class UnoGame:
    """The input of games with the cards of UNO, and their direction, cards due and calls."""

    input_format: ClassVar[type[DeckFormat]] = UnoFormat
    table: Any

    @property
    def direction(self) -> int:
        """1 while the turn goes round clockwise, -1 while counter-clockwise."""
        return -1 if self.table.reversed else 1

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        return int(self.table.due)

    @property
    def uno_calls(self) -> tuple[int, ...]:
        """How many times each player has called "Uno"."""
        return tuple(int(calls(self.table, seat)) for seat in range(self.table.players))


class Uno(UnoGame, Game, declaration=UNO):
    """A game of UNO, stepped event by event. Cards are named as in the problem: `RD`, the red draw two; `WC`, a wild.

    >>> game = Uno.deal(players=2, seed=7)
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 17))
    """

    @property
    def named_colour(self) -> str | None:
        """The letter of the colour that was named with the open wild, if one was."""
        return self._suit_name(self.table.colour)
