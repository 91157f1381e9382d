"""The interface of a game in machine code against the declaration in Python, event by event, for games of all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from all_games import GAMES
from asked_engine import Engine

from fsm import Game
from fsm.declaration.arcs import Policy
from fsm.declaration.policy import DICE
from fsm.stepping.moves import Code, choice_of, plans_of
from fsm.stepping.stepped import lay_move
from rules.chance import below

GAMES_OF_EACH = 6
MAX_LENGTH = 150
"""Events of a game that are compared, and those that follow up to a choice."""
RETURNED = "returned"
"""The field by which a stepped game tells that its position was there before: it remembers positions, tables do not."""


def chosen_in_python(game: Game, policy: Policy) -> Code:
    """What a policy chooses, read from the declaration; the card, the value and the dice are left on the table."""
    table = game.table
    if policy.choices:
        found = choice_of(game.declaration, policy, table, game.phase)
        assert found is not None
        return found[1]
    picks = game._picks_of(policy)
    dice = int(policy in DICE and len(picks) > 1)
    picked = picks[below(len(picks), table.seed, table.number, table.rolls) if dice else 0]
    table.rolls += dice
    lay_move(game.declaration, table, picked)
    return picked


def fields(table: Any) -> dict[str, Any]:
    return {name: getattr(table, name) for name in type(table)().__dataclass_fields__ if name != RETURNED}


class Compared:
    """A stepped game beside the interface of its engine. seen: how often each function was compared."""

    def __init__(self, engine: Engine, game: Game, seen: Counter[str]) -> None:
        self.engine, self.game, self.seen = engine, game, seen

    def check(self, what: str, record: Any) -> None:
        """The tables are equal in all fields, and the question counts as compared."""
        assert fields(self.engine.table_of(record)) == fields(self.game.table), (what, self.game.position())
        self.seen[what] += 1

    def compare_arcs(self, record: Any, triggers: Iterable[str]) -> None:
        """The guards of each transition of some events have the same answers."""
        for trigger in triggers:
            for arc in self.game.declaration.leaving(self.game.phase, trigger):
                assert self.engine.enabled(record, arc) == arc.enabled(self.game.table)
                self.seen["enabled"] += 1

    def settle(self) -> None:
        """Fire what is forced, in both."""
        game, plans = self.game, plans_of(self.game.declaration)
        record, phase, returned = self.engine.record_of(game.table), game.phase, 0
        found = self.engine.settle(record, phase)
        while game.phase is not game.declaration.final and any(plans[game.phase].forced_now(game.table)):
            self.compare_arcs(self.engine.record_of(game.table), game.forced_events)
            before, source = self.engine.record_of(game.table), game.phase
            forced = self.engine.forced(before, source)
            step = game.step()
            assert (step.source, forced) == (source, step.arc)
            assert self.engine.fire(before, step.arc) is game.phase
            self.check("fire", before)
            returned |= game.table.returned
        if not returned:  # a table does not remember positions
            assert found is game.phase
            self.check("settle", record)

    def choose(self, policy: Policy) -> None:
        """What a policy chooses is the same, and so is what it leaves on the table."""
        game = self.game
        layout, record = game.layout, self.engine.record_of(game.table)
        before = layout.take(game.table)
        found = self.engine.choose(record, game.phase, policy)
        assert found == chosen_in_python(game, policy)
        self.check("choose", record)
        layout.restore(game.table, before)

    def compare_moves(self) -> list[Code]:
        """The legal moves are the same, in one order."""
        record = self.engine.record_of(self.game.table)
        codes = list(plans_of(self.game.declaration)[self.game.phase].moves(self.game.table))
        assert self.engine.moves(record, self.game.phase) == codes
        self.check("moves", record)
        return codes

    def put(self, move: Code) -> None:
        """The card and the value of a move are put in the same fields, and its transitions are enabled or not."""
        game, layout, record = self.game, self.game.layout, self.engine.record_of(self.game.table)
        before = layout.take(game.table)
        self.engine.put(record, game.phase, move)
        lay_move(game.declaration, game.table, move)
        self.check("put", record)
        self.compare_arcs(record, [move[0]])
        layout.restore(game.table, before)

    def act(self) -> None:
        """The policy of the player who acts chooses, and both make the move."""
        game = self.game
        record, phase, policy = self.engine.record_of(game.table), game.phase, game.policies[game.table.player]
        played = record.copy()
        reached = self.engine.play(played, phase, policy)
        move = self.engine.choose(record, phase, policy)
        assert move is not None
        assert self.engine.forced(record, phase) is None
        found, before = self.engine.act(record, phase, move), self.engine.record_of(game.table)
        self.engine.put(before, phase, move)
        arc, step = self.engine.chosen(before, phase, move), game.step()
        assert (step.trigger, step.arc, found) == (move[0], arc, game.phase)
        self.check("act", record)
        assert reached is game.phase
        self.check("play", played)


@pytest.fixture(params=GAMES, ids=lambda kind: kind.declaration.name)
def kind(request: pytest.FixtureRequest) -> type[Game]:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def engine(kind: type[Game]) -> Engine:
    """The interface of a game with all its policies, in machine code."""
    return Engine(kind.declaration, kind.declaration.policies)


def test_all_functions_of_the_interface_are_those_of_python(kind: type[Game], engine: Engine) -> None:
    game, seen = kind.declaration, Counter[str]()
    for number in range(GAMES_OF_EACH):
        players = game.codec.players[number % len(game.codec.players)]
        seats = [game.policies[(number + seat) % len(game.policies)].name for seat in range(players)]
        compared = Compared(engine, kind.deal(players, 11, number, seats), seen)
        compared.settle()
        while compared.game.phase is not game.final and len(compared.game.history) < MAX_LENGTH:
            for move in compared.compare_moves():
                compared.put(move)
            for policy in game.policies:
                compared.choose(policy)
            compared.act()
            compared.settle()
    choices = {"moves", "put", "choose", "act"} if any(control.offers for control in game.control.values()) else set()
    assert choices | {"settle", "enabled"} <= seen.keys()
