"""Rows with only the bits that vary."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from maumau.kernels.compiled.rows import compress, expand  # noqa: E402
from maumau.kernels.explorer.layout import layout_of  # noqa: E402

words = st.integers(-(1 << 63), (1 << 63) - 1)
rows = st.integers(1, 5).flatmap(lambda width: st.lists(st.lists(words, min_size=width, max_size=width), min_size=3))


@given(rows)
def test_a_packed_row_is_unpacked_to_what_it_was(rows: list[list[int]]) -> None:
    base, *masks = np.array(rows, np.int64)
    varies = masks[0]
    layout, width = layout_of(base.tolist(), varies.tolist())
    assert width <= len(base)
    for mask in masks:
        row, outside, back = base ^ mask & varies, np.zeros_like(base), np.zeros_like(base)
        packed = np.zeros(width, np.int64)
        compress(row, layout, outside, packed)
        assert not outside.any()
        expand(packed, layout, back)
        assert back.tolist() == row.tolist()
        compress(base ^ mask, layout, outside, packed)
        assert outside.tolist() == (mask & ~varies).tolist()
