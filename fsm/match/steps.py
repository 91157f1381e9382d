"""What belongs to a match that is played: its rounds, its events, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from fsm.match.setup import MATCH, MatchPhase
from rules.match import MatchEnding

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc
    from fsm.stepping.game import Game
    from fsm.stepping.transcript import Transcript


G = TypeVar("G", bound="Game | Transcript")


class Round(NamedTuple, Generic[G]):
    """A round of a match that is over. number, dealer: from 1. points: of this round; totals: after it, by seat.

    game: that was stepped, or the transcript of one.
    """

    number: int
    dealer: int
    game: G
    points: tuple[int, ...]
    totals: tuple[int, ...]

    def __str__(self) -> str:
        points, totals = (" ".join(map(str, row)) for row in (self.points, self.totals))
        return f"round {self.number}, player {self.dealer} dealt: {self.game.outcome}; points {points}, totals {totals}"

    @property
    def scored(self) -> str:
        """The points of the round and the totals, in words."""
        points, totals = (
            ", ".join(f"player {seat} {number}" for seat, number in enumerate(row, 1))
            for row in (self.points, self.totals)
        )
        return f"Round {self.number} scores: {points}. Totals: {totals}."


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

    def __reduce__(self) -> Any:
        """Copied and pickled by the number of its arc."""
        return _step_of, (MATCH.arcs.index(self.arc),)

    def __str__(self) -> str:
        return self.arc.description


def _step_of(number: int) -> MatchStep:
    return MatchStep.of(MATCH.arcs[number])


class Besides(NamedTuple):
    """What there was besides the table when an event of a match was taken back.

    after: the events of the round before that event, in short. game: the round that is played after it. rounds: those
    that were over.
    """

    after: tuple[str, ...]
    game: Game | None
    rounds: list[Round[Game]]


class MatchOutcome(NamedTuple):
    """How a match ended. winner: from 1, or None. totals: by seat. rounds: how many were played."""

    ending: MatchEnding
    winner: int | None
    totals: tuple[int, ...]
    rounds: int

    @property
    def winners(self) -> tuple[int, ...]:
        """The player who won the match, if one did."""
        return () if self.winner is None else (self.winner,)

    def __str__(self) -> str:
        who = f"no winner: {self.ending}" if self.winner is None else f"player {self.winner} won"
        return f"{who}, totals {' '.join(map(str, self.totals))} after {self.rounds} rounds"

    def told(self, target: int) -> str:
        """How the match ended, in words. target: of the match."""
        rounds = f"{self.rounds} round{'s' * (self.rounds != 1)}"
        if self.winner is None:
            return f"Nobody wins the match to {target}: {self.ending} after {rounds}."
        return f"Player {self.winner} wins the match to {target} after {rounds}."
