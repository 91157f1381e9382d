"""When a game is given up: its rules or policies seem to let it go on for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import Explained

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration

LONGEST = 1_000_000
"""Events after which a game is given up; in machine code that compares positions, turns."""

MAX_EVENTS = 20_000
"""Events after which a game counts as endless of players who may go round in circles, and of policies in a check."""

MAX_CHOSEN = 2_000
"""Events that players choose in a game after which players who may choose otherwise whenever a position returns are not
waited for: of those who are stepped, a position that returns then ends the game; games side by side are stepped again.
"""


class LongGameError(Explained, RuntimeError):
    """A game is so long that its rules or policies seem to let it go on for ever.

    name: that of its declaration. number: that of the game.
    """

    def __init__(self, name: str, number: int) -> None:
        super().__init__(
            f"{name}: game {number} has not ended after {LONGEST:,} events; use rules and policies by which"
            " every game ends"
        )
        self.number = number


class StuckError(RuntimeError):
    """No arc was enabled: the declaration is incomplete, or the deck is invalid.

    game: its declaration. number: of the game.
    """

    def __init__(self, game: Declaration, number: int) -> None:
        super().__init__(f"{game.name}: no transition was enabled in game {number}")
        self.number = number
