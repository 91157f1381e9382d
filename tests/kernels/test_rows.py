"""Rows with only the bits in use."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from maumau.kernels.compiled.rows import compress, expand  # noqa: E402
from maumau.kernels.explorer.layout import layout_of  # noqa: E402

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
