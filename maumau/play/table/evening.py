"""The statistics of an evening in a room: of the rounds that are over, and of no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from maumau.play.table.setup import Person, Setup

Who = str | int
"""The name of a person, or the seat of a computer player, from 1."""
MAX_NAMES = 100
"""Names of which something is counted in a room: those with the most."""


@dataclass
class Hands:
    """The hands of a round so far. largest, holder: the most cards that somebody held, and who. drawn: the cards that
    each has drawn, those of the deal apart. sizes: of the hands now. setup: who had the seats at the last event.

    A hand, and a card that is drawn, are of who has the seat then; a computer player that stands in plays for who is
    absent.
    """

    setup: Setup
    sizes: Sequence[int]
    largest: int = 0
    holder: Who = ""
    drawn: Counter[Who] = field(default_factory=Counter)

    def add(self, setup: Setup, sizes: Sequence[int]) -> None:
        """Count an event. setup: who has the seats. sizes: of the hands after it."""
        if (most := max(sizes)) > self.largest:
            self.largest, self.holder = most, who_sits(setup, sizes.index(most) + 1)
        if sum(sizes) > sum(self.sizes):  # hands that are exchanged are not drawn
            for player, (before, after) in enumerate(zip(self.sizes, sizes, strict=True), 1):
                if after > before:
                    self.drawn[who_sits(setup, player)] += after - before
        self.setup, self.sizes = setup, sizes

    def copy(self) -> Hands:
        """The same, which does not change when the round goes on."""
        return replace(self, drawn=self.drawn.copy())


@dataclass
class Evening:
    """What the rounds that are over were like.

    rounds: how many. longest: the turns of the longest one. largest, holder, drawn: as of `Hands`, with names.
    counted: the table and the round that were added last.
    """

    rounds: int = 0
    longest: int = 0
    largest: int = 0
    holder: str = ""
    drawn: dict[str, int] = field(default_factory=dict)
    counted: tuple[int, int] = (0, 0)

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Evening:
        """The statistics that were saved as their fields."""
        return cls(**{**saved, "counted": tuple(saved["counted"])})

    def add(self, hands: Hands, called: Callable[[Who], str], turns: int, counted: tuple[int, int]) -> None:
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


def who_sits(setup: Setup, player: int) -> Who:
    """Who has a seat."""
    seat = setup.seats[player - 1]
    return seat.name if isinstance(seat, Person) else player
