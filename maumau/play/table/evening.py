"""The statistics of an evening in a room: of the rounds that are over, and of no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsm.stepping.game import Game
from maumau.play.table.setup import Person
from maumau.play.table.table import Table


@dataclass
class Evening:
    """What the rounds that are over were like.

    rounds: how many. longest: the turns of the longest one. largest, holder: the most cards that somebody held, and
    who. drawn: the cards that each name has drawn, those of the deal apart. counted: the table and the round that were
    added last.
    """

    rounds: int = 0
    longest: int = 0
    largest: int = 0
    holder: str = ""
    drawn: dict[str, int] = field(default_factory=dict)
    counted: tuple[int, int] = (0, 0)

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Evening:
        """The statistics that were saved as their fields; empty ones for rooms that had none yet."""
        return cls(**{**saved, "counted": tuple(saved.get("counted", (0, 0)))})

    def add(self, table: Table, counted: tuple[int, int]) -> None:
        """Count the round of a table that is over. counted: which one it is."""
        game, seats = table.game, table.setup.seats
        names = [seat.name if isinstance(seat, Person) else f"player {at}" for at, seat in enumerate(seats, 1)]
        self.rounds, self.counted = self.rounds + 1, counted
        self.longest = max(self.longest, int(game.table.turns))
        replayed = game.restarted()
        before = _sizes(replayed)
        self._hold(before, names)
        for step in game.history:
            replayed.fire_again(step)
            after = _sizes(replayed)
            if sum(after) > sum(before):  # hands that are exchanged are not drawn
                for name, old, new in zip(names, before, after, strict=True):
                    self.drawn[name] = self.drawn.get(name, 0) + max(new - old, 0)
            before = after
            self._hold(after, names)

    def _hold(self, sizes: Sequence[int], names: Sequence[str]) -> None:
        for size, name in zip(sizes, names, strict=True):
            if size > self.largest:
                self.largest, self.holder = size, name

    @property
    def data(self) -> dict[str, Any]:
        """The statistics as all see them: of the cards that were drawn, those of who drew most."""
        most, drawn = max(self.drawn.items(), key=lambda each: each[1], default=("", 0))
        figures = {name: getattr(self, name) for name in ("rounds", "longest", "largest", "holder")}
        return figures | {"drawn": drawn, "drawer": most if drawn else ""}


def _sizes(game: Game) -> list[int]:
    return list(map(len, game.hands))
