"""What a search adds up is what its worlds give when they are dealt by Python and played to their ends by stepped games."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fsm import Game, game_class
from fsm.table.layout import layout_of
from maumau import Search
from maumau.agents.compiled import inference, worlds
from maumau.agents.plan import AgentPlan
from maumau.agents.search import source as kernel
from maumau.kernels.compiled.ends import HORIZON
from maumau.kernels.compiler.interpreted import interpreted

WORLDS, SEED, EVENTS = 6, 5, 150


def decisions(kind: type[Game], players: int, policy: str) -> list[Game]:
    """Positions from all parts of a game in which somebody has a choice."""
    game, found = kind.deal(players, SEED, 1, policy), []
    while game.outcome is None and len(game.history) < EVENTS:
        if game.player is not None and len(game.view(game.player).moves) > 1:
            found.append(game.clone())
        game.step()
    return found[1 :: max(len(found) // 3, 1)]


def stepping(search: Search, kind: type[Game], policy: str) -> Callable[..., bool]:
    """In place of `try_actions`: games that are stepped from a world on, and given up after as many turns."""
    made: Any = kind
    layout, policies = layout_of(kind.declaration), [kind.declaration.policy(policy)] * search.players

    def try_actions(playout: Any, world: Any, after: Any, phase: int, mask: Any, wins: Any) -> bool:
        seat = playout.seat
        for action in (action for action in range(len(search.actions)) if mask[action]):
            table = layout.copy(world)
            hands = [kind.declaration.codec.held(table, other) for other in range(search.players)]
            game = made(table, list(kind.declaration.phases)[phase], hands, policies)
            game.fire(search.actions.move(action, seat + 1, search.players))
            stops = [phase for phase, control in kind.declaration.control.items() if control.may_return]
            left = HORIZON
            while game.outcome is None and (left > 0 or game.phase not in stops):
                left -= game.phase in stops
                game.step()
            wins[action] += game.outcome is not None and game.outcome.winner == seat + 1
        return True

    return try_actions


def by_python(search: Search, kind: type[Game], policy: str, entry: Callable[..., Any], write: Any) -> Any:
    """The function `entry` of a search, run by Python with games that are stepped."""
    game = kind.declaration
    plan = AgentPlan(game, (game.policy(policy),), players=search.players, reward=search.reward, searches=True)
    program = write(plan).source
    layout, dtype = layout_of(game), layout_of(game).record

    def load(table: Any, address: int) -> None:
        record = np.frombuffer((ctypes.c_uint8 * layout_of(game).size).from_address(address), dtype)[0]
        for field in dtype.names or ():
            value = record[field].tolist()
            setattr(table, field, value if isinstance(value, int) else type(getattr(table, field))(value))

    lists = SimpleNamespace(array=lambda values, kind: list(values), int64=int)
    given = {
        "np": lists,
        "make": game.table,
        "copy": lambda table, other: layout.restore(table, layout.take(other)),
        "load": load,
        "new_integers": lambda size: [0] * size,
        "new_bytes": bytearray,
        "integers_at": (ctypes.c_int64 * 64).from_address,
        "row_at": (ctypes.c_uint8 * 256).from_address,
    }
    run = interpreted(entry, program.in_python(given), {worlds.try_actions: stepping(search, kind, policy)})

    def call(*arguments: Any) -> Any:
        return run(*map(with_integers, arguments))

    return call


INTEGERS = {"phases", "items", "played", "undrawn", "laid", "pool", "decisions", "likely"}
"""Arrays of workspaces whose numbers are to be integers of Python."""


def with_integers(argument: Any) -> Any:
    """A workspace with integers of Python in INTEGERS; a number stays as it is."""
    names = INTEGERS.intersection(getattr(argument, "_fields", ()))
    return argument._replace(**{name: getattr(argument, name).astype(object) for name in names}) if names else argument


def check(name: str, players: int, policy: str, *, infer: bool, count: int) -> None:
    """Check that a search finds what Python finds."""
    kind = game_class(name)
    search, plain = (Search(kind, players, WORLDS, others=policy, infer=infer, threads=1) for _ in range(2))
    plain._search = by_python(search, kind, policy, worlds.search, kernel.source_of)
    inferred = 0
    if infer:
        plain._infer = by_python(search, kind, policy, inference.infer, kernel.inference_of)
    for game in islice(decisions(kind, players, policy), count):
        found = search.best(game)
        assert found == plain.best(game)
        inferred += found.differing is not None
    assert (inferred > 0) is infer


GAMES = [
    *[("maumau", players) for players in (2, 4)],
    *[("uno", players) for players in (2, 4, 7)],
    *[("uno-official", players) for players in (2, 5)],
    *[(f"maumau+{rule}", 3) for rule in ("nine-reverses", "eights-answered", "cover-eight", "prsi-like")],
    *[(f"uno-official+{rule}", 3) for rule in ("seven-zero", "stack-draws", "jump-in", "draw-until-fit")],
]


CASES = [
    ("maumau", 3, "house", False, 3),
    ("maumau", 3, "house", True, 2),
    *(pytest.param(*game, "house", infer, 2, marks=pytest.mark.thorough) for game in GAMES for infer in (True, False)),
    *(pytest.param(*game, "random", False, 3, marks=pytest.mark.thorough) for game in (("maumau", 3), ("uno", 2))),
]


@pytest.mark.parametrize(("name", "players", "policy", "infer", "count"), CASES)
def test_worlds_are_played_out_as_stepped_games_are(
    name: str, players: int, policy: str, infer: bool, count: int
) -> None:
    check(name, players, policy, infer=infer, count=count)
