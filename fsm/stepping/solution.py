"""What a game asks where its deck is solved."""

from __future__ import annotations

from typing import Any, Protocol

from fsm.stepping.steps import Move


class Solution(Protocol):
    """What is known of the positions of a deck that is solved."""

    def best_moves(self, game: Any) -> tuple[Move, ...]:
        """The moves that keep the value of the position of a game."""
