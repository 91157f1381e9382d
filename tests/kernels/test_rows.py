"""Rows with only the bits in use, and the explorer that keeps them, in one thread and in several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from maumau import MauMau, always, eventually, query  # noqa: E402
from maumau.kernels.compiled.rows import deposit, extract  # noqa: E402
from maumau.kernels.compiler.machine_code import machine_code  # noqa: E402
from maumau.kernels.compiler.program import of_any_game  # noqa: E402
from maumau.kernels.engine import PythonEngine  # noqa: E402
from maumau.kernels.explorer import exhaustive, known  # noqa: E402

words = st.integers(-(1 << 63), (1 << 63) - 1)


@pytest.mark.parametrize("few", [0, 1 << 15])
@given(st.data())
def test_rows_stay_what_they_were_when_more_bits_are_in_use(few: int, data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    drawn = st.lists(words, min_size=width, max_size=width).map(lambda row: np.array(row, np.int64))
    positions, rows = known.KnownPositions(np.zeros(width, np.int64), 1), list[list[int]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known, "FEW", few)
        for _ in range(4):
            in_use, bits = data.draw(drawn), data.draw(drawn)
            fresh = (in_use & ~positions.used).any()
            assert positions.widen(in_use) == fresh
            row = bits & positions.used
            positions.admit(positions.packed(row[None]), np.zeros((1, 1), np.int32), np.zeros(1, np.int32))
            rows += [row.tolist()] * (row.tolist() not in rows)
            assert positions.rows(0, len(positions)).tolist() == rows
            assert positions.find(row) == rows.index(row.tolist())


def by_instruction(bits: int, mask: int) -> int:
    return extract(bits, mask)


def back_by_instruction(bits: int, mask: int) -> int:
    return deposit(bits, mask)


MOVING = [of_any_game(each) for each in (extract, by_instruction, deposit, back_by_instruction)]


@given(words, words)
def test_instructions_move_the_bits_that_functions_do(bits: int, mask: int) -> None:
    taken, *others = (machine_code(program)(bits, mask) for program in MOVING)
    used = [bit for bit in range(64) if mask >> bit & 1]
    assert taken % 2**64 == sum((bits >> bit & 1) << place for place, bit in enumerate(used))
    assert others == [taken, others[1], others[1]]
    assert others[1] % 2**64 == sum((bits >> place & 1) << bit for place, bit in enumerate(used))
    if mask > 0:
        assert [extract(bits, mask), deposit(bits, mask)] == [taken, others[1]]


@pytest.mark.parametrize("seats", [0, 0b11, 0b1100111, 0b1111111])
def test_a_row_has_room_for_sets_of_seats(seats: int) -> None:
    codec = MauMau.declaration.codec
    facts = tuple(replace(fact, kind="seats" if fact.field == "due" else fact.kind) for fact in codec.facts)
    game = replace(MauMau.declaration, codec=replace(codec, facts=facts))
    table, engine = MauMau.deal(2, seed=1).table, PythonEngine(game)
    table.due = seats
    assert engine.position_of(engine.row_of(game.initial, table), 2)[1].due == seats


@query
def few_cards(table: Any) -> bool:
    return bool(table.hands[0].bit_count() < 3)


def test_counts_and_examples_do_not_depend_on_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = always("player 1 has few cards", few_cards), eventually("the game ends", MauMau.declaration.final)
    kind = type("Stating", (MauMau,), {"declaration": replace(MauMau.declaration, over_time=stated)})
    monkeypatch.setattr(exhaustive, "AT_ONCE", 1 << 6)
    reports = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(exhaustive, "thread_count", lambda _, threads=threads: threads)
        reports += [exhaustive.explore(kind, kind.declaration.small_decks[0], most) for most in (1_000, 100_000)]
    for report in reports[2:]:
        like = reports[int(report.complete)]
        assert report.examples == like.examples
        assert (report.positions, report.events, report.failed) == (like.positions, like.events, like.failed)
    assert [report.positions for report in reports[::2]] == [1_000] * 3
    assert len(reports[1].failures) == 2
