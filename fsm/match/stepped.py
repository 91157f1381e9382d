"""A match that is stepped: one round after another, each a game that can be stepped by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex, cast

from fsm.declaration.policy import Policies
from fsm.edge.numbers import between, seed_number
from fsm.match.setup import (
    DECKS,
    INITIAL,
    MATCH,
    MATCH_OVER,
    ROUND,
    MatchPhase,
    deck_number,
    match_number,
    match_table,
    points_of,
)
from fsm.match.steps import MatchOutcome, MatchStep, Round, UndoneMatchStep
from fsm.registry import game_class
from fsm.stepping.copies import pickled_policies
from fsm.stepping.fast_machine import FastMachine, fast_machine_of, read_only_phase
from fsm.stepping.game import Game, fresh_seed
from fsm.stepping.moves import IllegalMove
from fsm.stepping.snapshot import Snapshot, Snapshots
from fsm.stepping.steps import Step, winner_of
from fsm.stepping.transcript import deal_again, event_text
from rules.match import MatchEnding, MatchTable

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc

_SNAPSHOTS = Snapshots(MatchTable)


class Match:
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

    machine: ClassVar[FastMachine] = fast_machine_of(MATCH)
    phase: MatchPhase = read_only_phase()
    _phase: MatchPhase
    in_hook = False
    _firing: tuple[int, Snapshot] | None = None
    """The dealer and the table before the event that is being fired."""

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

    _decks: list[Sequence[int]] | None = None

    def _set_up(
        self, kind: type[Game], table: MatchTable, seed: SupportsIndex, number: SupportsIndex, policies: Policies
    ) -> None:
        self.kind, self.table = kind, table
        self.seed, self.number = seed_number("seed", seed), match_number("number", number)
        self.policies = kind.declaration.seated(table.players, policies)
        self.rounds: list[Round[Game]] = []
        self.history: list[MatchStep] = []
        self.game: Game | None = None
        self._past: list[Snapshot] = []
        self._undone: list[UndoneMatchStep] = []
        self.machine.set_state(INITIAL, self)

    # ---------------------------------------------------------------- copies

    def clone(self) -> Self:
        """A copy at the same event, with the same rounds, history and players, that is independent of this one.

        `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a hook of the round.
        """
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.table = _SNAPSHOTS.copy(self.table)
        other.game, other.rounds, other._undone = deepcopy((self.game, self.rounds, self._undone))
        other.history, other._past = self.history[:], self._past[:]
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

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
        if self.game is not None and self.phase is ROUND and self.game.outcome is None:
            return self.game.step()
        self._undone.clear()
        return self._step_match()

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

    def undo(self) -> Step | MatchStep:
        """Take back the last event, of the round or of the match, and return it. Raises IllegalMove at the start."""
        if self.game is not None and self.phase is ROUND and self.game.history:
            return self.game.undo()
        if not self.history:
            raise IllegalMove("nothing to undo: no event was fired yet")
        step, left = self.history.pop(), self.game
        _SNAPSHOTS.restore(self.table, self._past.pop())
        self.machine.set_state(step.source, self)
        if step.trigger == "score":
            self.game = self.rounds.pop().game
        elif step.trigger == "begin":
            self.game = None
        self._undone.append(UndoneMatchStep(step, self._events_of_round(), left))
        return step

    def redo(self) -> Step | MatchStep:
        """Fire the event again that was taken back last, and return it.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        if self.game is not None and self.phase is ROUND and self.game.outcome is None:
            return self.game.redo()
        if not self._undone or self._undone[-1].after != self._events_of_round():
            raise IllegalMove("nothing to redo: no event was taken back since the last one was fired")
        undone = self._undone.pop()
        self._step_match()
        self.game = undone.game
        return undone.step

    def _events_of_round(self) -> tuple[str, ...]:
        """The events of the round that is played, in short."""
        return tuple(map(event_text, self.game.history if self.game is not None else ()))

    def _step_match(self) -> MatchStep:
        """Fire the event of the match that is forced in this phase, and what belongs to it outside of its table."""
        if self.in_hook:
            raise IllegalMove("an event is being fired: a hook may look at the match, but must not step it")
        source, past = self.phase, _SNAPSHOTS.take(self.table)
        (trigger,) = MATCH.control[source].forced
        if source is ROUND:
            self._put_points()
        self._firing = self.dealer, past
        events, rounds, game = len(self._past), len(self.rounds), self.game
        try:
            self.machine.events[trigger].trigger(self, self.table)
        except BaseException:  # of a hook: nothing has happened
            del self.history[events:], self._past[events:], self.rounds[rounds:]
            _SNAPSHOTS.restore(self.table, past)
            self.machine.set_state(source, self)
            self.game = game
            raise
        finally:
            self._firing = None
        return self.history[-1]

    def foresee_arc(self, arc: Arc) -> None:
        """Put the step of `arc`, whose event will take place, into the history, where its first hooks find it."""
        self.history.append(MatchStep.of(arc))

    def record_arc(self, arc: Arc) -> None:
        """Go on to the phase to which `arc` leads, and put the step of its event into the history, with what belongs to
        it besides.
        """
        self._phase = cast(MatchPhase, arc.dest)
        assert self._firing is not None
        dealer, past = self._firing
        if arc.trigger == "score":
            assert self.game is not None
            points = tuple(_SNAPSHOTS.restored(past).points[: self.players])
            self.rounds.append(Round(self.table.rounds, dealer, self.game, points, self.totals))
        if self.phase is ROUND:
            self.game = self._next_game()
        if len(self.history) == len(self._past):
            self.history.append(MatchStep.of(arc))
        self._past.append(past)

    def _put_points(self) -> None:
        """Put what the round scores on the table of the match."""
        assert self.game is not None
        table, points = self.game.table, points_of(self.kind.declaration)
        self.table.round_winner = table.winner
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
