"""A table class that inherits has all fields of its base: in positions, in checks and in compiled code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from fsm import Game, MauMau
from fsm.check import explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.declaration.facts import default_values, list_fields
from fsm.table.layout import layout_of
from maumau.kernels import bulk
from maumau.kernels.explorer.exhaustive import explore
from rules.maumau.game import MauMauTable

DECK = SmallDeck("DQ DS HS DE DJ", 2, 1)


@dataclass(slots=True)
class Wider(MauMauTable):
    """The table of Mau-Mau with a field and a list that no rule uses."""

    extra: int = 5
    marks: list[int] = field(default_factory=lambda: [3, 0, -1, 0])


class OnWiderTable(MauMau):
    """Mau-Mau, played on the wider table."""

    declaration = replace(MauMau.declaration, table=Wider)


def test_all_fields_are_known_those_of_the_base_first() -> None:
    names = list(default_values(Wider))
    assert names == [*default_values(MauMauTable), "extra", "marks"]
    assert list_fields(Wider) == ("hands", "marks")


def test_a_field_that_dataclass_does_not_see_is_refused() -> None:
    class Forgotten(MauMauTable):
        extra: int = 0

    with pytest.raises(
        TypeError,
        match="table Forgotten: the class annotates extra but is not a dataclass; put @dataclass on the class",
    ):
        type("Faulty", (MauMau,), {"declaration": replace(MauMau.declaration, table=Forgotten)})


def test_positions_with_other_hands_are_other_positions() -> None:
    one, other = OnWiderTable.deal(2, 7), OnWiderTable.deal(2, 7)
    assert one._key(one.table) == other._key(other.table)
    other.table.hands[0] ^= 1 << 5
    assert one._key(one.table) != other._key(other.table)


@pytest.mark.parametrize("number", range(20))
def test_a_game_goes_as_on_the_table_of_the_base(number: int) -> None:
    assert OnWiderTable.deal(4, 7, number).run() == MauMau.deal(4, 7, number).run()


def counts(report: Any) -> tuple[int, int, list[str]]:
    return report.positions, report.events, report.failures


@pytest.mark.slow
def test_all_positions_are_visited() -> None:
    assert counts(explore_stepped(OnWiderTable, DECK)) == counts(explore_stepped(MauMau, DECK))


@pytest.mark.thorough
def test_all_positions_are_visited_in_machine_code() -> None:
    pytest.importorskip("llvmlite", reason="the compiled explorer needs llvmlite")
    assert counts(explore(OnWiderTable, DECK)) == counts(explore_stepped(MauMau, DECK))


@pytest.mark.parametrize("kind", [MauMau, OnWiderTable])
def test_a_saved_table_has_room_for_all_fields(kind: type[Game]) -> None:
    pytest.importorskip("numpy", reason="it compares with a record of numpy")
    assert layout_of(kind.declaration).size == layout_of(kind.declaration).record.itemsize


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["house", pytest.param("random", marks=pytest.mark.thorough)])
def test_games_in_machine_code_end_as_on_the_table_of_the_base(policy: str) -> None:
    """Those of random players take long, so that repeated positions are looked for."""
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    given = {"players": 2, "games": 500, "seed": 7, "policies": (policy,), "log": True}
    wider, base = (bulk.play_dealt(**given, game=kind) for kind in (OnWiderTable, MauMau))  # type: ignore[arg-type]
    assert policy == "house" or wider.games["turns"].max() > 512
    assert (wider.games == base.games).all()
    assert (wider.scores == base.scores).all()
    assert wider.tables is not None
    assert (wider.tables["extra"] == 5).all()
    assert (wider.tables["marks"] == [3, 0, -1, 0]).all()
