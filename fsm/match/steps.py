"""What belongs to a match that is played: its rounds, its events, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from rules.match import MatchEnding

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc
    from fsm.match.chart import MatchPhase
    from fsm.stepping.game import Game


class Round(NamedTuple):
    """A round of a match that is over. number, dealer: from 1. points: of this round; totals: after it, by seat."""

    number: int
    dealer: int
    game: Game
    points: tuple[int, ...]
    totals: tuple[int, ...]

    def __str__(self) -> str:
        points, totals = (" ".join(map(str, row)) for row in (self.points, self.totals))
        return f"round {self.number}, player {self.dealer} dealt: {self.game.outcome}; points {points}, totals {totals}"


class MatchStep(NamedTuple):
    """An event of a match, not of one of its rounds."""

    trigger: str
    source: MatchPhase
    dest: MatchPhase
    arc: Arc

    @classmethod
    def of(cls, arc: Arc) -> Self:
        """The event that fires an arc of the chart of matches."""
        return cls(arc.trigger, arc.source, arc.dest, arc)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.arc.description


class UndoneMatchStep(NamedTuple):
    """An event of a match that was taken back. after: the events of the round before it, in short.

    game: the round that is played after it.
    """

    step: MatchStep
    after: tuple[str, ...]
    game: Game | None


class MatchOutcome(NamedTuple):
    """How a match ended. winner: from 1, or None. totals: by seat. rounds: how many were played."""

    ending: MatchEnding
    winner: int | None
    totals: tuple[int, ...]
    rounds: int

    def __str__(self) -> str:
        who = f"no winner: {self.ending}" if self.winner is None else f"player {self.winner} won"
        return f"{who}, totals {' '.join(map(str, self.totals))} after {self.rounds} rounds"
