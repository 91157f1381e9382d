"""The statistics of an evening in a room: of the rounds that are over, and of no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from maumau.play.table.rounds import RoundHands, Who

MAX_NAMES = 100
"""Names of which something is counted in a room: those with the most."""


@dataclass
class Evening:
    """What the rounds that are over were like.

    rounds: how many. longest: the turns of the longest one. largest, holder, drawn: as of `RoundHands`, with names.
    counted: the table and the round that were added last.
    """

    rounds: int = 0
    longest: int = 0
    largest: int = 0
    holder: str = ""
    drawn: dict[str, int] = field(default_factory=dict)
    counted: tuple[int, int] = (0, 0)

    def add(self, hands: RoundHands, called: Callable[[Who], str], turns: int, counted: tuple[int, int]) -> None:
        """Count a round that is over. called: the name of each. turns: how many it had. counted: which one it is."""
        self.rounds, self.counted = self.rounds + 1, counted
        self.longest = max(self.longest, turns)
        if hands.largest > self.largest:
            self.largest, self.holder = hands.largest, called(hands.holder)
        for who, cards in hands.drawn.items():
            name = called(who)
            self.drawn[name] = self.drawn.get(name, 0) + cards
        self.drawn = dict(Counter(self.drawn).most_common(MAX_NAMES))

    @property
    def data(self) -> dict[str, Any]:
        """The statistics as all see them: of the cards that were drawn, those of who drew most."""
        most, drawn = max(self.drawn.items(), key=lambda each: each[1], default=("", 0))
        figures = {name: getattr(self, name) for name in ("rounds", "longest", "largest", "holder")}
        return figures | {"drawn": drawn, "drawer": most if drawn else ""}
