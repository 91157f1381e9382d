"""A match that was played, by whichever engine: its rounds, what each scored, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.match.reading import DealtMatch
from fsm.match.stepped import Match
from fsm.match.steps import MatchOutcome, Round
from fsm.stepping.game import Game
from fsm.stepping.transcript import Transcript, who_played


@dataclass(frozen=True)
class PlayedRound:
    """A round of a match. number, dealer: from 1. points: of this round; totals: after it, by seat."""

    number: int
    dealer: int
    played: Transcript
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class PlayedMatch:
    """One played match. decks: card codes of all decks, also of those left over. policies: as in Transcript."""

    kind: type[Game]
    players: int
    decks: Sequence[Sequence[int]]
    policies: tuple[str | None, ...]
    seed: int
    number: int
    target: int
    rounds: Sequence[PlayedRound]
    outcome: MatchOutcome

    @classmethod
    def of(cls, match: Match) -> PlayedMatch:
        """What a match was that has ended."""
        assert match.outcome is not None
        steps = chain.from_iterable(each.game.history for each in match.rounds)
        policies = who_played(match.kind.declaration, match.policies, steps)
        where = match.kind, match.players, match.decks, policies, match.seed, match.number, match.target
        return cls(*where, tuple(map(_round, match.rounds)), match.outcome)

    @property
    def totals_line(self) -> str:
        """The totals on a line."""
        return f"Match: {' '.join(map(str, self.outcome.totals))}"


def _round(each: Round) -> PlayedRound:
    return PlayedRound(each.number, each.dealer, Transcript.of(each.game), each.points, each.totals)


def play_stepped(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    target: int | None,
    first: int = 0,
) -> Iterator[PlayedMatch]:
    """Play matches with valid decks by stepping the machine; random players roll the dice of match `first` of `seed`
    and of those after it.
    """
    for number, (players, decks) in enumerate(matches, first):
        match = Match.of_valid_decks(kind, players, decks, policies, seed, number, target)
        match.run()
        yield PlayedMatch.of(match)
