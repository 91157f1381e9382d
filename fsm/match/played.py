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
class PlayedMatch:
    """One played match. decks: card codes of all decks, also of those left over. policies: as in Transcript."""

    kind: type[Game]
    players: int
    decks: Sequence[Sequence[int]]
    policies: tuple[str | None, ...]
    seed: int
    number: int
    target: int
    rounds: Sequence[Round[Transcript]]
    outcome: MatchOutcome

    @classmethod
    def of(cls, match: Match) -> PlayedMatch:
        """What a match was that has ended."""
        assert match.outcome is not None
        steps = chain.from_iterable(each.game.history for each in match.rounds)
        policies = who_played(match.kind.declaration, match.policies, steps)
        rounds = [Round(**each._asdict() | {"game": Transcript.of(each.game)}) for each in match.rounds]
        where = match.kind, match.players, match.decks, policies, match.seed, match.number, match.target
        return cls(*where, rounds, match.outcome)

    @property
    def games(self) -> Sequence[Transcript]:
        """The games that were played: those of the rounds."""
        return [each.game for each in self.rounds]

    @property
    def totals_lines(self) -> Sequence[str]:
        """What follows the results of the games: the totals on a line."""
        return (f"Match: {' '.join(map(str, self.outcome.totals))}",)

    def chapters(self, title: str) -> Iterator[tuple[str, Transcript, Sequence[str]]]:
        """What is told of it: the title of each round, its game, and what follows it, the points above all."""
        for each in self.rounds:
            dealer = f", player {each.dealer} deals" if self.kind.declaration.knows_dealer else ""
            ending = (self.outcome.told(self.target),) if each is self.rounds[-1] else ()
            yield f"{title}, round {each.number}{dealer}", each.game, (each.scored, *ending)


Played = Transcript | PlayedMatch
"""What was played: a game, or a match."""


def play_stepped(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
) -> Iterator[PlayedMatch]:
    """Play matches with valid decks by stepping the machine; random players roll the dice of match `first` of `seed`
    and of those after it.
    """
    for number, (players, decks) in enumerate(matches, first):
        match = Match.of_valid_decks(kind, players, decks, policies, seed, number, target)
        match.run()
        yield PlayedMatch.of(match)
