"""Stepped games beside a batch: the same actions, one event at a time, compared at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fsm import Game
from fsm.table.layout import layout_of
from maumau import Batch, Observed
from rules.ending import Ending
from rules.piles import discard_pile, draw_pile

LEFT_OUT = {"ring", "card", "suit", "seat", "rank", "amount", "answer", "returned"}
"""Fields that are compared as piles, or hold what was named last."""


@dataclass
class Mirror:
    """A batch and its games, stepped. learners: the seat that learns, by game number; None: all do."""

    batch: Batch
    others: Sequence[str] = ()
    learner: Callable[[int], int] | None = None
    watched: bool = False

    def __post_init__(self) -> None:
        self.numbers = list(range(self.batch.slots))
        self.games = [self._dealt(slot) for slot in range(self.batch.slots)]
        self.seen: Counter[str] = Counter()
        self.endings: Counter[Ending] = Counter()

    def _dealt(self, slot: int) -> Any:
        """The next game of a slot in which a decision is to be made."""
        while True:
            game = self.batch.kind.deal(self.batch.players, self.batch.seed, self.numbers[slot], self.others)
            stepped = Observed(game)
            self._advance(stepped)
            if not stepped.over and stepped.chosen < self.batch.limit:
                return stepped
            self.numbers[slot] += self.batch.slots

    def _advance(self, stepped: Observed) -> None:
        """Go on to a decision of a learner, to the end, or to the choice that would be beyond the limit."""
        while not stepped.over:
            learner = None if self.learner is None else self.learner(stepped.game.table.number)
            at_limit = stepped.chosen >= self.batch.limit
            if stepped.actions.chooses(stepped.game) and (at_limit or learner in (None, stepped.seat)):
                return
            stepped.step()

    def compare(self) -> None:
        """Every slot stands where its stepped game stands."""
        tables = self.batch._arrays[0].view(layout_of(self.batch.kind.declaration).record)[:, 0]
        decisions = self.batch.decisions
        for slot, stepped in enumerate(self.games):
            game = stepped.game
            assert list(game.declaration.phases).index(game.phase) == self.batch._arrays[1][slot]
            _compare_tables(tables[slot], game)
            assert decisions.acting[slot] == stepped.seat
            assert decisions.numbers[slot] == self.numbers[slot]
            assert np.flatnonzero(decisions.masks[slot]).tolist() == stepped.legal()
            if self.watched:
                assert bytes(decisions.observations[slot]) == stepped.observation(stepped.seat)

    def step(self, random: np.random.Generator, preferred: Sequence[int] = ()) -> None:
        """Take a random legal action everywhere, and compare what the batch reports of games that are over.

        preferred: actions that are taken wherever they are legal.
        """
        masks = self.batch.masks
        weights = random.random(masks.shape)
        weights[:, preferred] += 1
        actions = (weights * masks).argmax(axis=1)
        decisions = self.batch.step(actions)
        for slot, stepped in enumerate(self.games):
            stepped.act(int(actions[slot]))
            self._advance(stepped)
            truncated = not stepped.over and stepped.chosen >= self.batch.limit
            assert (bool(decisions.ended[slot]), bool(decisions.truncated[slot])) == (stepped.over, truncated)
            assert decisions.rewards[slot].tolist() == rewards(stepped.game, self.batch.players)
            self.seen["decisions"] += 1
            self.seen["ended"] += stepped.over
            self.seen["truncated"] += truncated
            if stepped.over:
                self.endings[stepped.game.outcome.ending] += 1
            if stepped.over or truncated:
                self.numbers[slot] += self.batch.slots
                self.games[slot] = self._dealt(slot)


def _compare_tables(row: Any, game: Game) -> None:
    table, found = game.table, dict(zip(row.dtype.names, row.item(), strict=True))
    for name, value in found.items():
        if name not in LEFT_OUT:
            stepped = getattr(table, name)
            assert value.tolist() == list(stepped) if hasattr(stepped, "__len__") else value == stepped, name
    ring = found["ring"].tolist()
    order = [ring[place % len(ring)] for place in range(found["head"], found["tail"])]
    assert order == [*draw_pile(table), *discard_pile(table)]


def rewards(game: Game, players: int) -> list[float]:
    """The rules of the rewards, as numbers of 32 bits: the returns that a game declares; else the winner has 1, the
    others have lost as much together.
    """
    returns, winner = game.declaration.returns, game.outcome.winner if game.outcome else None
    if game.outcome and returns:
        return np.float32([returns(game.table, seat) for seat in range(players)]).tolist()
    if winner is None:
        return [0.0] * players
    return np.float32([1 if seat == winner - 1 else -1 / (players - 1) for seat in range(players)]).tolist()
