"""The error of a game in which no arc is enabled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsm.declaration import Declaration


class StuckError(RuntimeError):
    """No arc was enabled: the declaration is incomplete, or the deck is invalid. number: of the game."""

    def __init__(self, game: Declaration, number: int) -> None:
        super().__init__(f"{game.name}: no arc was enabled in game {number}")
        self.number = number
