"""The events that games with a draw pile have in common, a method each."""

from __future__ import annotations

from collections.abc import Callable

from fsm.stepping.moves import Step


class CardEvents:
    """Methods for a game class beside `Game`: one event each; all raise IllegalMove and change nothing if refused."""

    fire: Callable[..., Step]

    def open(self) -> Step:
        """The opening card takes effect."""
        return self.fire("open")

    def draw(self) -> Step:
        """Decide to draw, or begin to: one card, or all that a penalty demands."""
        return self.fire("draw")

    def take(self) -> Step:
        """Take one card that is due from the draw pile."""
        return self.fire("take")

    def pass_turn(self) -> Step:
        """End the turn after drawing."""
        return self.fire("pass_turn")

    def skip(self) -> Step:
        """The player in turn is skipped."""
        return self.fire("skip")

    def abandon(self) -> Step:
        """End a game that cannot go on, or would never end."""
        return self.fire("abandon")
