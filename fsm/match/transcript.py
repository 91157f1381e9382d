"""Games and matches that were played, by whichever engine: a series of rounds, of which a game has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from fsm.match.dealt import DealtSeries
from fsm.match.played import PlayedGame, who_played
from fsm.match.setup import unit_of
from fsm.match.stepped import Match, MatchOutcome, Round
from fsm.stepping.carried import NOTHING_CARRIED, Carried
from fsm.stepping.game import Game
from fsm.stepping.outcomes import Outcome
from fsm.stepping.steps import Step


class Transcript(NamedTuple):
    """A game or a match that was played.

    rounds: those that were played; a game has one, without points. decks: card codes of all decks, also of those left
    over. policies: who played each seat (see `who_played`). seed, number: of the game or match. target: of a match;
    None for a game.
    """

    rounds: Sequence[Round[PlayedGame]]
    decks: Sequence[Sequence[int]]
    policies: tuple[str, ...]
    seed: int
    number: int
    outcome: Outcome | MatchOutcome
    target: int | None = None

    @classmethod
    def of(cls, played: Game | Match) -> Transcript:
        """Return what a game or match was that has ended.

        Raises ValueError for one that has not, and for a game that did not begin with its deal.
        """
        if isinstance(played, Game):
            return cls.of_game(PlayedGame.of(played))
        if played.outcome is None:
            raise ValueError(f"{played!r} is not over; use a match that was played to its end")
        steps = chain.from_iterable(each.game.history for each in played.rounds)
        policies = who_played(played.kind.declaration, played.policies, steps)
        rounds = [Round(**each._asdict() | {"game": PlayedGame.of(each.game)}) for each in played.rounds]
        return cls(rounds, played.decks, policies, played.seed, played.number, played.outcome, played.target)

    @classmethod
    def of_game(cls, game: PlayedGame) -> Transcript:
        """Return what a game was: a series of one round."""
        only = Round(1, game.dealer or 1, game, (), ())
        return cls((only,), (game.deck,), game.policies, game.seed, game.number, game.outcome)

    @property
    def kind(self) -> type[Game]:
        """The class of the game."""
        return self.rounds[0].game.kind

    @property
    def players(self) -> int:
        """The number of players."""
        return self.rounds[0].game.players

    @property
    def steps(self) -> list[Step]:
        """The events of all rounds."""
        return [step for each in self.rounds for step in each.game.steps]

    @property
    def totals_lines(self) -> Sequence[str]:
        """What follows the results of the rounds: the totals of a match on a line."""
        return () if self.target is None else (f"Match: {' '.join(map(str, self.rounds[-1].totals))}",)

    def chapters(self, title: str) -> Iterator[tuple[str, PlayedGame, Sequence[str]]]:
        """Yield what is reported of each round: its title, its game, and what follows it.

        title: of the game or match. In a match the points of the round follow, and at last how the match ended.
        """
        for each in self.rounds:
            if self.target is None or not isinstance(self.outcome, MatchOutcome):
                yield title, each.game, ()
                continue
            dealer = f", player {each.dealer} deals" if self.kind.declaration.knows_dealer else ""
            ending = (self.outcome.told(self.target),) if each is self.rounds[-1] else ()
            yield f"{title}, round {each.number}{dealer}", each.game, (each.scored, *ending)


class SeriesStart(NamedTuple):
    """The start of a game or match: its players, its decks and its numbers.

    kind: the class of the game. decks: card codes of all decks. policies: the name of the policy of each seat. seed,
    number: of the game or match. target: of a match; None for a game.
    """

    kind: type[Game]
    players: int
    decks: Sequence[Sequence[int]]
    policies: tuple[str, ...]
    seed: int
    number: int
    target: int | None

    def transcript(
        self,
        tables: Sequence[Any],
        steps: Sequence[Sequence[Step]],
        totals: Sequence[tuple[int, ...]] = (),
        end: tuple[int, int, int] = (0, 0, 0),
    ) -> Transcript:
        """Return the transcript of a game or match that was played.

        tables, steps: the final table and the events of each round. totals: those after each round of a match. end: how
        a match ended: the code of its ending, the seat that has won alone, and a mask of partners who have.
        """
        if self.target is None:
            return Transcript.of_game(self._game(0, tables[0], steps[0], NOTHING_CARRIED))
        rounds, before, carried = list[Round[PlayedGame]](), (0,) * self.players, NOTHING_CARRIED
        for index, (table, events, after) in enumerate(zip(tables, steps, totals, strict=True)):
            points = tuple(total - until for total, until in zip(after, before, strict=True))
            game = self._game(index, table, events, carried)
            rounds.append(Round(index + 1, index % self.players + 1, game, points, after))
            before, carried = after, self.kind.declaration.carried_from(table)
        result = MatchOutcome.of(*end, before, len(rounds))
        return Transcript(rounds, self.decks, self.policies, self.seed, self.number, result, self.target)

    def _game(self, index: int, table: Any, steps: Sequence[Step], carried: Carried) -> PlayedGame:
        """The game of a round, from 0."""
        number, deck = unit_of(self.target).deck_number(self.number, index), self.decks[index]
        outcome = Outcome.of(self.kind.declaration, table)
        where = self.kind, self.players, deck, self.policies, self.seed, number
        return PlayedGame(*where, steps, outcome, table, None, carried)


def play_stepped(
    kind: type[Game],
    dealt: Iterable[DealtSeries],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
) -> Iterator[Transcript]:
    """Play games or matches with valid decks by stepping; random players roll the dice of number `first` of `seed` and
    of those after it.

    target: that of the matches; None for games. Raises ValueError at the first that the policies do not fit.
    """
    for number, each in enumerate(dealt, first):
        played: Game | Match
        if target is None:
            played = kind.of_deck(each.players, each.decks[0], policies, seed, number)
        else:
            played = Match.of_valid_decks(kind, each.players, each.decks, policies, seed, number, target)
        played.run()
        yield Transcript.of(played)
