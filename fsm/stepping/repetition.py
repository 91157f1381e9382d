"""Detection of repeated positions, which prove that a game would never end."""

from __future__ import annotations

from collections.abc import Hashable


class Repetitions:
    """Remembers the positions at the start of turns, by the number of events before them.

    Unless the rules end a game at once where a position returns, a repeated position proves that the game is endless
    only if since its first occurrence no player has moved by hand or rolled a die; then the number of dice rolled is
    part of the compared position.

    by_hand: the numbers of the events that were a player's own choice, not that of a policy.
    """

    def __init__(self) -> None:
        self._seen: dict[Hashable, int] = {}
        self.by_hand: list[int] = []

    def clone(self) -> Repetitions:
        """An independent copy."""
        other = Repetitions()
        other._seen, other.by_hand = self._seen.copy(), self.by_hand[:]
        return other

    def returns(self, position: Hashable, at: int) -> bool:
        """Record a position after `at` events. Return whether it is repeated."""
        since = self.by_hand[-1] if self.by_hand else 0
        first = self._seen.setdefault(position, at)
        if first < since:
            self._seen[position] = at
        return since <= first < at

    def undo(self, at: int) -> None:
        """Forget what came after the first `at` events."""
        self._seen = {position: when for position, when in self._seen.items() if when <= at}
        self.by_hand = [event for event in self.by_hand if event <= at]
