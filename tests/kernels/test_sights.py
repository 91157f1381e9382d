"""What seats see and do not see of a table: ordinary functions, which Python runs and which are compiled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from all_games import GAMES  # noqa: E402
from stacking import STACKING, Table, put_aside  # noqa: E402

from fsm import Game  # noqa: E402
from fsm.declaration.facts import Fact  # noqa: E402
from fsm.edge.arrays import Array1D  # noqa: E402
from fsm.table.layout import layout_of  # noqa: E402
from maumau.agents.plan import AgentPlan  # noqa: E402
from maumau.kernels.compiled.given import given  # noqa: E402
from maumau.kernels.compiled.mixing import mixed  # noqa: E402
from maumau.kernels.compiled.sights import (  # noqa: E402
    SIGHTS,
    determine,
    forget_determined,
    give,
    give_piles,
    hand,
    look,
    seen_key,
    shown,
    take,
    take_hidden,
    take_piles,
    turned_up,
)
from maumau.kernels.compiler.interpreted import interpreted  # noqa: E402
from maumau.kernels.compiler.loops import Loops  # noqa: E402
from maumau.kernels.compiler.sights import search_constants  # noqa: E402
from maumau.kernels.engine import LoopProgram  # noqa: E402
from rules.piles import take_top  # noqa: E402
from rules.rule import effect  # noqa: E402
from rules.table import each_seat  # noqa: E402
from rules.visibility import seen_by_all  # noqa: E402


@dataclass(slots=True)
class MixedTable(Table):
    """Also with piles whose cards lie in no order."""

    hidden: list[int] = field(default_factory=each_seat(4))
    open: list[int] = seen_by_all(factory=each_seat(4))


@effect
def put_two_more(table: MixedTable) -> None:
    table.hidden[0] = 1 << take_top(table)
    table.open[0] = 1 << take_top(table)


PILES = Fact("hidden", kind="pile"), Fact("open", kind="pile")
MIXED_ARCS = tuple(
    replace(arc, before=(*arc.before, put_two_more)) if put_aside in arc.before else arc for arc in STACKING.arcs
)


class Mixed(
    Game,
    declaration=replace(
        STACKING,
        title="Mixed",
        name="mixed",
        table=MixedTable,
        codec=replace(STACKING.codec, facts=(*STACKING.codec.facts, *PILES)),
        arcs=MIXED_ARCS,
        small_decks=(),
    ),
):
    """Stacking with piles of both kinds, of which some see none and all see others."""


SEATS, CARDS, PLACES = 4, 64, 128
MOST = 40
"""Positions of a game that are compared."""


def mix(key: int, number: int) -> int:
    """Mix into a key as a search does."""
    return mixed(key, number)


def asked(record: Array1D[np.uint8], phase: int, players: int, known: int, first: int, out: Array1D[np.int64]) -> None:
    """Write what each seat sees and does not see; then take hidden cards from the table and deal them again."""
    table = given.make()
    given.load(table, record.ctypes.data)
    counts, missing, pool = given.new_integers(CARDS), given.new_integers(PLACES), given.new_bytes(256)
    for seat in range(players):
        out[seat] = look(table, phase, seat, first)
        out[SEATS + seat] = seen_key(table, seat, first)
        out[2 * SEATS + seat] = hand(table, seat) ^ shown(table) << 1 ^ turned_up(table) << 2
    for code in range(CARDS):
        counts[code] = 0
    for place in range(PLACES):
        missing[place] = 0
    forget_determined(table)
    for other in range(players):
        missing[other] = take_hidden(table, 0, other, known, counts)
    take_piles(table, 0, known, counts, missing)
    size = 0
    for code in range(CARDS):
        out[3 * SEATS + code] = counts[code]
        for _ in range(counts[code]):
            pool[size] = code
            size += 1
    dealt = 0
    for other in range(players):
        for _ in range(missing[other]):
            give(table, other, 1 << pool[dealt])
            dealt += 1
    give_piles(table, missing, pool, dealt)
    low = hand(table, 0) & -hand(table, 0)
    give(table, 1, low)
    take(table, 0, low)
    take(table, 1, low)
    determine(table)
    given.save(table, record.ctypes.data)


def loops(plan: AgentPlan) -> Loops:
    return Loops(plan.loops, "Sights", (), {}, (), (asked, look, mixed, mix))


def in_python(plan: AgentPlan, table: Any) -> Any:
    """`asked` for Python, which works on this table."""
    names: dict[str, Any] = {
        **search_constants(plan.game, plan.players, plan.loops.hands),
        "make": lambda: table,
        "load": lambda table, address: None,
        "save": lambda table, address: None,
        "new_bytes": bytearray,
        "new_integers": lambda size: [0] * size,
        "mix": mix,
    }
    names |= {each.__name__: interpreted(each, names) for each in SIGHTS}
    return interpreted(asked, names)


@pytest.mark.parametrize("kind", [*GAMES, Mixed], ids=lambda kind: kind.declaration.name)
def test_python_and_machine_code_see_the_same_and_take_the_same(kind: type[Game]) -> None:
    game = kind.declaration
    plan, layout = AgentPlan(game, (), max(game.codec.fewest, 2)), layout_of(game)
    code, compared = LoopProgram(asked, loops, plan).code(), 0
    for number in range(3):
        stepped = kind.deal(plan.players, 7, number)
        while stepped.phase is not game.final and compared < MOST:
            if len(stepped.history) % 5 == 0:
                phase, known = game.phase_numbers[stepped.phase], sum(stepped.table.hands) & 0x5555
                record = np.frombuffer(layout.packed(layout.take(stepped.table)), np.uint8).copy()
                found, expected = np.zeros((2, 3 * SEATS + CARDS), np.int64)
                code(record, phase, plan.players, known, 1, found)
                table = layout.copy(stepped.table)
                with np.errstate(over="ignore"):
                    in_python(plan, table)(record, phase, plan.players, known, np.int64(1), expected)
                assert found.tolist() == expected.tolist()
                assert layout.take(layout.restored(layout.unpacked(record.tobytes()))) == layout.take(table)
                compared += 1
            stepped.step()
    assert compared > 3
