"""A match that is stepped: one round after another, each a game that can be stepped by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, Self, SupportsIndex, TypeVar

from fsm.declaration.arcs import Arc
from fsm.declaration.policy import Policies, pickled_policies
from fsm.edge.numbers import as_int, seed_number
from fsm.match.played import PlayedGame, deal_again, event_text
from fsm.match.setup import (
    INITIAL,
    MATCH,
    MATCH_OVER,
    MATCH_UNIT,
    ROUND,
    SCORE,
    MatchPhase,
    match_table,
)
from fsm.registry import game_class
from fsm.stepping.carried import Carried
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.firing import Firing
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.outcomes import Won, by_player
from fsm.stepping.setup import fresh_seed
from fsm.stepping.steps import Step
from fsm.table.fields import TableFields
from rules.cards import bits
from rules.ending import NO_WINNER
from rules.errors import raised_as
from rules.match import MatchEnding, MatchTable
from rules.notation import many

G = TypeVar("G", bound=Game | PlayedGame)


class Round(NamedTuple, Generic[G]):
    """A round of a match that is over. number, dealer: from 1. points: of this round; totals: after it, by seat.

    game: that was stepped, or what was played by whichever engine.
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
        points, totals = (by_player(enumerate(row, 1)) for row in (self.points, self.totals))
        return f"Round {self.number} scores: {points}. Totals: {totals}."


class MatchStep(NamedTuple):
    """An event of a match, not of one of its rounds."""

    trigger: str
    source: MatchPhase
    dest: MatchPhase
    arc: Arc

    def __str__(self) -> str:
        return self.arc.description


class _MatchResult(NamedTuple):
    ending: MatchEnding
    winner: int | None
    totals: tuple[int, ...]
    rounds: int
    winners: tuple[int, ...]


class MatchOutcome(_MatchResult, Won):
    """How a match ended. winner: from 1, who has won alone, or None. totals: by seat. rounds: how many were played.
    winners: all who have won.
    """

    __slots__ = ()

    @classmethod
    def of(cls, ending: int, winner: int, winners: int, totals: tuple[int, ...], rounds: int) -> Self:
        """How a match ended. winner: the seat that has won alone. winners: a mask of partners who have."""
        alone = cls.player_at(winner)
        several = tuple(seat + 1 for seat in bits(winners))
        return cls(MatchEnding(ending), alone, totals, rounds, several or (() if alone is None else (alone,)))

    def __str__(self) -> str:
        who = f"{self.winners_named} won" if self.winners else f"no winner: {self.ending}"
        return f"{who}, totals {' '.join(map(str, self.totals))} after {many(self.rounds, 'round')}"

    @property
    def as_data(self) -> dict[str, Any]:
        """Who won, for JSON: `winners` only if there are several."""
        return self.winners_data

    @property
    def short(self) -> str:
        """Who has won, in words."""
        return f"{self.who_wins} the match"

    @property
    def sentence(self) -> str:
        """Who has won, or how else the match ended, in a sentence."""
        return f"{self.short}{'' if self.winners else f': {self.ending}'}."

    def told(self, target: int) -> str:
        """How the match ended, in words. target: of the match."""
        ending = "" if self.winners else f": {self.ending}"
        return f"{self.short} to {target}{ending} after {many(self.rounds, 'round')}."


class Match(Firing[MatchStep]):
    """A match of any game: rounds with cumulative points to a target, the dealer moving on.

    >>> from fsm import MauMau
    >>> match = Match(MauMau, players=3, seed=7)
    >>> match.play_round().points
    (24, 0, 6)
    >>> match.run().ending
    <MatchEnding.WON: 1>

    history: the events of the match, without those of its rounds. phase: of the chart of matches
    (`fsm.match.setup`); only `machine` changes it.
    """

    what = "match"
    table: MatchTable
    machine = fast_machine_of(MATCH)
    layout = TableFields(MatchTable)
    _games: list[Game]
    """The games of the rounds that were begun, also of those that were taken back."""

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
        self._set_up(kind, players, None, fresh_seed() if seed is None else seed, number, policies, target)

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
        """Return a match whose rounds are played with `decks`: card codes, the top card first.

        game: a game class or a registered name. players: how many. policies: one for all seats or one for each. seed,
        number: the dice of random players. target: that of the game, if not given. Raises ValueError for what cannot be
        played, also for a deck that is not reached.
        """
        kind = game_class(game)
        decks = [[*deck] for deck in decks]  # an iterator can be read only once
        match = cls.of_valid_decks(kind, players, decks, policies, seed, number, target)
        for index, deck in enumerate(decks, 1):
            with raised_as(ValueError, f"deck {index}: "):
                kind.of_deck(players, deck)
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
        """Return a match with `decks` that are known to be valid, such as those of an input that was read.

        kind: the game class. players, policies, seed, number, target: as for `of_decks`.
        """
        match: Match = object.__new__(cls)
        match._set_up(kind, players, list(decks), seed, number, policies, target)
        return match

    def _set_up(
        self,
        kind: type[Game],
        players: int,
        decks: list[Sequence[int]] | None,
        seed: SupportsIndex,
        number: SupportsIndex,
        policies: Policies,
        target: int | None,
    ) -> None:
        most = MATCH_UNIT.decks if decks is None else len(decks)
        self._begin(match_table(kind.declaration, players, most, target), INITIAL)
        self.kind, self.seed = kind, seed_number("seed", seed)
        self.number = seed_number("number", number, MATCH_UNIT.limit)
        self.policies = kind.declaration.seated(self.players, policies)
        self._decks, self._games = decks, []

    def clone(self) -> Self:
        """Return a copy at the same event, with the same rounds, history and players, that is independent of this one.

        `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a hook, including one of the round.
        """
        other = super().clone()
        other._games = [game.clone() for game in self._games]
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: policies by name or as functions, the class of games by a game."""
        return vars(self) | {"kind": self.game or self._next_game(), "policies": pickled_policies(self.policies)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.kind = type(state["kind"])
        self.policies = tuple(map(self.kind.declaration.policy, state["policies"]))

    @property
    def game(self) -> Game | None:
        """The round that is played, or was played last, which can be stepped by hand; None before the first event."""
        return self._games[self._begun - 1] if self._begun else None

    @game.setter
    def game(self, game: Game) -> None:
        self._games[self._begun - 1] = game

    @property
    def rounds(self) -> list[Round[Game]]:
        """The rounds that are over."""
        tables, seats = [*map(self.layout.restored, self._past), self.table], slice(self.players)
        ends = [ends for step, *ends in zip(self.history, tables, tables[1:], strict=False) if step.trigger == "score"]
        return [
            Round(number, before.dealer + 1, game, tuple(before.points[seats]), tuple(after.totals[seats]))
            for number, (game, (before, after)) in enumerate(zip(self._games, ends, strict=False), 1)
        ]

    @property
    def _begun(self) -> int:
        """The number of rounds that were begun."""
        return self.table.rounds + (self._phase is ROUND)

    @property
    def players(self) -> int:
        """The number of players."""
        return self.table.players

    @property
    def target(self) -> int:
        """The points with which a match is over, at the end of the round."""
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
        return self._decks or [self._deck(index) for index in range(self._begun)]

    @property
    def outcome(self) -> MatchOutcome | None:
        """How the match ended; None while it goes on."""
        if self.phase is not MATCH_OVER:
            return None
        table = self.table
        return MatchOutcome.of(table.ending, table.winner, table.winners, self.totals, table.rounds)

    def __repr__(self) -> str:
        state = self.outcome or f"round {self.table.rounds + (self.phase is not SCORE)}, dealer player {self.dealer}"
        totals = "" if self.outcome else f", totals {' '.join(map(str, self.totals))}"
        return f"<{type(self).__name__} of {self.kind.declaration.title} to {self.target}: {state}{totals}>"

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
        played = self.table.rounds + (self._phase is not SCORE)
        while self.table.rounds < played or self._phase is SCORE:
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
        step = super().undo()
        self._undone[-1] = self._undone[-1]._replace(besides=self._events_of_round())
        return step

    def redo(self) -> Step | MatchStep:  # type: ignore[override]
        """Fire the event again that was taken back last, and return it; hooks are not called.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        if (game := self._playing) is not None:
            return game.redo()
        if self._undone and self._undone[-1].besides != self._events_of_round():
            self._undone.clear()
        return super().redo()

    @property
    def _playing(self) -> Game | None:
        """The round that is played and goes on."""
        game = self._games[self._begun - 1] if self._phase is ROUND else None
        return game if game is not None and game.outcome is None else None

    def _events_of_round(self) -> tuple[str, ...]:
        """The events of the round that is played, in short."""
        return tuple(map(event_text, self.game.history if self.game is not None else ()))

    def _step_of(self, arc: Arc, past: tuple[Any, ...], rule: str | None) -> MatchStep:
        return MatchStep(arc.trigger, arc.source, arc.dest, arc)  # type: ignore[arg-type]

    def _arrive(self) -> None:
        if self._phase is ROUND:
            self._games[self.table.rounds :] = [self._next_game()]

    def _put_points(self) -> None:
        """Put what the round scores on the table of the match."""
        table, points = self._games[self._begun - 1].table, self.kind.declaration.round_points
        self.table.round_winner = next(iter(self.kind.declaration.winners(table)), NO_WINNER)
        self.table.points[: self.players] = [int(points(table, seat)) for seat in range(self.players)]

    def _next_game(self) -> Game:
        """The game of the round that begins."""
        dealer = self.dealer if self.kind.declaration.knows_dealer else None
        index = self.table.rounds
        policies: Any = self.policies
        carried = self._carried_to(index)
        return deal_again(self.kind, self.players, self._deck(index), policies, *self.dice(index), dealer, carried)

    def _carried_to(self, index: int) -> Carried:
        """Return what a round, counted from 0, takes over from the round before it."""
        return self.kind.declaration.carried_from(self._games[index - 1].table) if index else {}

    def dice(self, index: int) -> tuple[int, int]:
        """Return the seed and the number of the game whose deck and dice a round has. index: from 0."""
        return self.seed, MATCH_UNIT.deck_number(self.number, as_int("index", index, 0, MATCH_UNIT.decks - 1))

    def _deck(self, index: int) -> Sequence[int]:
        """The deck of a round, from 0."""
        return self.kind.deck_of(self.players, *self.dice(index)) if self._decks is None else self._decks[index]
