"""Rows with only the bits in use, and the explorer that keeps them, in one thread and in several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from maumau import MauMau, always, eventually, query  # noqa: E402
from maumau.kernels.compiled.rows import compress, expand  # noqa: E402
from maumau.kernels.explorer import exhaustive  # noqa: E402
from maumau.kernels.explorer.source import layout_of  # noqa: E402

words = st.integers(-(1 << 63), (1 << 63) - 1)
masks = st.lists(words, min_size=1, max_size=5)


@given(masks, st.data())
def test_a_packed_row_is_unpacked_to_what_it_was(used: list[int], data: st.DataObject) -> None:
    layout, width = layout_of(used)
    assert width <= len(used)
    bits = np.array(data.draw(st.lists(words, min_size=len(used), max_size=len(used))), np.int64)
    row, outside, back = bits & used, np.zeros_like(bits), np.zeros_like(bits)
    packed = np.zeros(width, np.int64)
    compress(row, layout, outside, packed)
    assert not outside.any()
    expand(packed, layout, back)
    assert back.tolist() == row.tolist()
    compress(bits, layout, outside, packed)
    assert outside.tolist() == (bits & ~np.array(used, np.int64)).tolist()


@query
def few_cards(table: Any) -> bool:
    return bool(table.hands[0].bit_count() < 3)


def test_counts_and_examples_do_not_depend_on_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="the explorer needs llvmlite")
    stated = always("player 1 has few cards", few_cards), eventually("the game ends", MauMau.declaration.final)
    kind = type("Stating", (MauMau,), {"declaration": replace(MauMau.declaration, over_time=stated)})
    monkeypatch.setattr(exhaustive, "AT_ONCE", 1 << 6)
    reports = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(exhaustive, "cores", lambda threads=threads: threads)
        reports += [exhaustive.explore(kind, kind.declaration.small_decks[0], most) for most in (1_000, 100_000)]
    for report in reports[2:]:
        like = reports[int(report.complete)]
        assert report.examples == like.examples
        assert (report.positions, report.events, report.failed) == (like.positions, like.events, like.failed)
    assert [report.positions for report in reports[::2]] == [1_000] * 3
    assert len(reports[1].failures) == 2
