"""A match that is stepped: one round after another, each a game that can be stepped by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from fsm.declaration.policy import Policies
from fsm.edge.numbers import between, seed_number
from fsm.match.setup import (
    DECKS,
    INITIAL,
    MATCH,
    MATCH_OVER,
    ROUND,
    deck_number,
    match_number,
    match_table,
    points_of,
)
from fsm.match.steps import Besides, MatchOutcome, MatchStep, Round
from fsm.registry import game_class
from fsm.stepping.fast_machine import FastMachine, fast_machine_of
from fsm.stepping.firing import Firing
from fsm.stepping.game import Game, fresh_seed
from fsm.stepping.moves import IllegalMove
from fsm.stepping.snapshot import Snapshot, Snapshots
from fsm.stepping.stepped import pickled_policies
from fsm.stepping.steps import Step, winner_of
from fsm.stepping.transcript import deal_again, event_text
from rules.ending import NO_WINNER
from rules.match import MatchEnding, MatchTable

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc


class Match(Firing[MatchStep]):
    """A match of any game: rounds with cumulative points to a target, the dealer moving on.

    >>> from fsm import MauMau
    >>> match = Match(MauMau, players=3, seed=7)
    >>> match.play_round().points
    (24, 0, 6)
    >>> match.run().ending
    <MatchEnding.WON: 1>

    game: the round that is played, which can be stepped by hand; before the first event, None. rounds: those that are
    over. history: the events of the match, without those of its rounds. phase: of the chart of matches
    (`fsm.match.setup`); only `machine` changes it.
    """

    what = "match"
    table: MatchTable
    machine: FastMachine = fast_machine_of(MATCH)
    _snapshots = Snapshots(MatchTable)
    _decks: list[Sequence[int]] | None = None

    def __init__(
        self,
        game: str | type[Game],
        players: int | None = None,
        seed: int | None = None,
        number: int = 0,
        policies: Policies = (),
        target: int | None = None,
    ) -> None:
        """Match `number` of `seed`, the same on every machine: its round k has the deck of game number * 1024 + k - 1.

        game: a game class or a registered name. players: as few as can play, if not given. seed: a fresh one, if not
        given. policies: one name for all seats or one for each. target: that of the game, if not given.
        Raises ValueError for what cannot be played.
        """
        kind = game_class(game)
        players = kind.declaration.codec.fewest if players is None else players
        seed = fresh_seed() if seed is None else seed
        self._set_up(kind, match_table(kind.declaration, players, DECKS, target), seed, number, policies)

    @classmethod
    def of_decks(
        cls,
        game: str | type[Game],
        players: int,
        decks: Sequence[Sequence[int]],
        policies: Policies = (),
        seed: int = 0,
        number: int = 0,
        target: int | None = None,
    ) -> Match:
        """A match whose rounds are played with `decks`: card codes, the top card first.

        game: a game class or a registered name. players: how many. policies: one for all seats or one for each. seed,
        number: the dice of random players. target: that of the game, if not given. Raises ValueError for what cannot be
        played, also for a deck that is not reached.
        """
        kind = game_class(game)
        decks = [[*deck] for deck in decks]  # an iterator can be read only once
        match = cls.of_valid_decks(kind, players, decks, policies, seed, number, target)
        for index, deck in enumerate(decks, 1):
            try:
                kind.of_deck(players, deck)
            except ValueError as error:
                raise ValueError(f"deck {index}: {error}") from None
        return match

    @classmethod
    def of_valid_decks(
        cls,
        kind: type[Game],
        players: int,
        decks: Sequence[Sequence[int]],
        policies: Policies,
        seed: int,
        number: int,
        target: int | None,
    ) -> Match:
        """The same with `decks` that are known to be valid, as those of an input that was read.

        kind: the game class. players, policies, seed, number, target: as for `of_decks`.
        """
        match: Match = object.__new__(cls)
        match._decks = list(decks)
        match._set_up(kind, match_table(kind.declaration, players, len(decks), target), seed, number, policies)
        return match

    def _set_up(
        self, kind: type[Game], table: MatchTable, seed: SupportsIndex, number: SupportsIndex, policies: Policies
    ) -> None:
        self._begin(table, INITIAL)
        self.kind, self.seed, self.number = kind, seed_number("seed", seed), match_number("number", number)
        self.policies = kind.declaration.seated(table.players, policies)
        self.rounds: list[Round[Game]] = []
        self.game: Game | None = None

    # ---------------------------------------------------------------- copies

    def clone(self) -> Self:
        """A copy at the same event, with the same rounds, history and players, that is independent of this one.

        `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a hook, also in one of the round.
        """
        other = super().clone()
        other.game, other.rounds, other._undone = deepcopy((self.game, self.rounds, self._undone))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: policies by name or as functions, the class of games by a game."""
        return vars(self) | {"kind": self.game or self._next_game(), "policies": pickled_policies(self.policies)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.kind = type(state["kind"])
        self.policies = tuple(map(self.kind.declaration.policy, state["policies"]))

    # ---------------------------------------------------------------- what can be seen

    @property
    def players(self) -> int:
        """The number of players."""
        return self.table.players

    @property
    def target(self) -> int:
        """The match is over after the round with which somebody has so many points."""
        return self.table.target

    @property
    def dealer(self) -> int:
        """The dealer of the round, from 1."""
        return self.table.dealer + 1

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all rounds that are over, by seat."""
        return tuple(self.table.totals[: self.players])

    @property
    def decks(self) -> list[Sequence[int]]:
        """The decks of the match, those that were dealt so far if it was not made from decks."""
        return self._decks or [self._deck(index) for index in range(self.table.rounds + (self.phase is ROUND))]

    @property
    def outcome(self) -> MatchOutcome | None:
        """How the match ended; None while it goes on."""
        if self.phase is not MATCH_OVER:
            return None
        table = self.table
        return MatchOutcome(MatchEnding(table.ending), winner_of(table.winner), self.totals, table.rounds)

    def __repr__(self) -> str:
        state = self.outcome or f"round {len(self.rounds) + 1}, dealer player {self.dealer}"
        totals = "" if self.outcome else f", totals {' '.join(map(str, self.totals))}"
        return f"<{type(self).__name__} of {self.kind.declaration.title} to {self.target}: {state}{totals}>"

    # ---------------------------------------------------------------- stepping

    def step(self) -> Step | MatchStep:
        """Fire the next event: of the round while it is played, else of the match.

        Raises IllegalMove when the match is over.
        """
        if self.phase is MATCH_OVER:
            raise IllegalMove(f"the match is over: {self.outcome}")
        if (game := self._playing) is not None:
            return game.step()
        if self.phase is ROUND:
            self._put_points()
        (trigger,) = MATCH.control[self.phase].forced
        step = self._fire(trigger, None)
        assert step is not None
        return step

    def play_round(self) -> Round[Game]:
        """Step to the end of the round, and score it. Raises IllegalMove when the match is over."""
        played = len(self.rounds)
        while len(self.rounds) == played:
            self.step()
        return self.rounds[-1]

    def run(self) -> MatchOutcome:
        """Step to the end of the match."""
        while (outcome := self.outcome) is None:
            self.step()
        return outcome

    def undo(self) -> Step | MatchStep:  # type: ignore[override]  # of the round, too
        """Take back the last event, of the round or of the match, and return it. Raises IllegalMove at the start."""
        if self.game is not None and self.phase is ROUND and self.game.history:
            return self.game.undo()
        game, rounds = self.game, self.rounds[:]
        step = super().undo()
        besides = Besides(self._events_of_round(), game, rounds)
        self._undone[-1] = self._undone[-1]._replace(besides=besides)
        return step

    def redo(self) -> Step | MatchStep:  # type: ignore[override]
        """Fire the event again that was taken back last, and return it; hooks are not called.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        if (game := self._playing) is not None:
            return game.redo()
        if self._undone and self._undone[-1].besides.after != self._events_of_round():
            self._undone.clear()
        kept = [undone.besides for undone in self._undone]
        step = super().redo()
        self.game, self.rounds = kept[-1].game, kept[-1].rounds
        return step

    @property
    def _playing(self) -> Game | None:
        """The round that is played and goes on."""
        return self.game if self.game is not None and self.phase is ROUND and self.game.outcome is None else None

    def _events_of_round(self) -> tuple[str, ...]:
        """The events of the round that is played, in short."""
        return tuple(map(event_text, self.game.history if self.game is not None else ()))

    def _step_of(self, arc: Arc, past: Snapshot, rule: str | None) -> MatchStep:
        return MatchStep.of(arc)

    def _arrive(self, arc: Arc) -> None:
        if arc.trigger == "score":
            assert self.game is not None
            before = self._snapshots.restored(self._past[-1])
            points = tuple(before.points[: self.players])
            self.rounds.append(Round(self.table.rounds, before.dealer + 1, self.game, points, self.totals))
        if self.phase is ROUND:
            self.game = self._next_game()

    def _forget(self, events: int) -> None:
        scored = sum(step.trigger == "score" for step in self.history)
        if scored < len(self.rounds):
            self.game = self.rounds[scored].game
            del self.rounds[scored:]
        if not self.history:
            self.game = None

    def _put_points(self) -> None:
        """Put what the round scores on the table of the match."""
        assert self.game is not None
        table, points = self.game.table, points_of(self.kind.declaration)
        self.table.round_winner = next(iter(self.kind.declaration.winners(table)), NO_WINNER)
        self.table.points[: self.players] = [int(points(table, seat)) for seat in range(self.players)]

    def _next_game(self) -> Game:
        """The game of the round that begins."""
        dealer = self.dealer if self.kind.declaration.knows_dealer else None
        index = self.table.rounds
        policies: Any = self.policies
        return deal_again(self.kind, self.players, self._deck(index), policies, *self.dice(index), dealer)

    def dice(self, index: int) -> tuple[int, int]:
        """The seed and the number of the game whose deck and dice a round has. index: from 0."""
        return self.seed, deck_number(self.number, between(0, DECKS - 1, "index", index))

    def _deck(self, index: int) -> Sequence[int]:
        """The deck of a round, from 0."""
        return self.kind.deck_of(self.players, *self.dice(index)) if self._decks is None else self._decks[index]
