"""The watch over positions that return: what proves that a game would never end."""

from __future__ import annotations

from collections.abc import Hashable


class Repetitions:
    """Remembers the positions at the start of turns, by the number of events before them.

    A position that returns proves something if since its first time nobody has moved by hand or rolled a die: the
    number of rolls is part of what is compared.
    """

    def __init__(self) -> None:
        self._seen: dict[Hashable, int] = {}
        self._by_hand: list[int] = []

    def clone(self) -> Repetitions:
        """A watch that remembers the same, and goes on by itself."""
        other = Repetitions()
        other._seen, other._by_hand = self._seen.copy(), self._by_hand[:]
        return other

    def returns(self, position: Hashable, at: int) -> bool:
        """Note a position after `at` events; whether it was there before."""
        since = self._by_hand[-1] if self._by_hand else 0
        first = self._seen.setdefault(position, at)
        if first < since:
            self._seen[position] = at
        return since <= first < at

    def moved_by_hand(self, at: int) -> None:
        """Event number `at` was a player's own choice, not that of a policy."""
        self._by_hand.append(at)

    def undo(self, at: int) -> None:
        """Forget what came after the first `at` events."""
        self._seen = {position: when for position, when in self._seen.items() if when <= at}
        while self._by_hand and self._by_hand[-1] > at:
            self._by_hand.pop()
