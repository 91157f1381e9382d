"""Copies of matches: clones, `copy` and pickle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from fsm.match.chart import MATCH
from fsm.match.steps import MatchStep, UndoneMatchStep
from fsm.stepping.copies import pickled_policies
from fsm.stepping.snapshot import Snapshots
from rules.match import MatchTable

if TYPE_CHECKING:
    from fsm.match.steps import Round
    from fsm.stepping.game import Game


class MatchCopies:
    """How a match is copied: with its rounds, each of which is a game that is copied as games are."""

    kind: type[Game]
    table: MatchTable
    game: Game | None
    rounds: list[Round]
    history: list[MatchStep]
    policies: Any
    _past: list[Any]
    _undone: list[UndoneMatchStep]
    _next_game: Any

    def clone(self) -> Self:
        """A copy at the same event, with the same rounds, history and players, that is independent of this one.

        `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a hook of the round.
        """
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.table = Snapshots(MatchTable).copy(self.table)
        copies = {id(game): game.clone() for game in self._games()}
        other.game = copies.get(id(self.game))
        other.rounds = [each._replace(game=copies[id(each.game)]) for each in self.rounds]
        other._undone = [each._replace(game=copies.get(id(each.game))) for each in self._undone]
        other.history, other._past = self.history[:], self._past[:]
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    def _games(self) -> list[Game]:
        """All games that the match has."""
        games = [self.game, *(each.game for each in self.rounds), *(each.game for each in self._undone)]
        return [game for game in games if game is not None]

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: arcs by their numbers, policies by name or as functions, the class of games by a game."""
        numbers = {arc: number for number, arc in enumerate(MATCH.arcs)}
        state = vars(self) | {"kind": self.game or self._next_game(), "policies": pickled_policies(self.policies)}
        state["history"] = [numbers[step.arc] for step in self.history]
        state["_undone"] = [(numbers[each.step.arc], each.after, each.game) for each in self._undone]
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.kind = type(state["kind"])
        self.policies = tuple(map(self.kind.declaration.policy, state["policies"]))
        self.history = [MatchStep.of(MATCH.arcs[number]) for number in state["history"]]
        self._undone = [
            UndoneMatchStep(MatchStep.of(MATCH.arcs[number]), after, game) for number, after, game in state["_undone"]
        ]
