"""The table in machine code: the same fields as the class, and integers that count their bits as Python's do."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from bulk_fixtures import Heap
from hypothesis import given
from hypothesis import strategies as st

from rules.chance import philox, wide_product
from rules.maumau.table import MauMauTable
from rules.uno.table import ProblemUnoTable as UnoTable

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
numba = pytest.importorskip("numba", reason="the compiled engine needs numba")

from maumau.kernels.compiler import table_size  # noqa: E402
from maumau.kernels.compiler import table_type as tabletype  # noqa: E402
from maumau.kernels.compiler.jit import _inlined  # noqa: E402
from maumau.kernels.compiler.results import table_dtype  # noqa: E402

TABLES = [MauMauTable, UnoTable, Heap]
WORDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("table", TABLES)
def test_the_record_has_the_fields_of_the_class_integers_first(table: Any) -> None:
    blank = table()
    names = [entry.name for entry in fields(table)]
    integers = [name for name in names if isinstance(getattr(blank, name), int)]
    dtype = table_dtype(table)
    assert list(dtype.names) == integers + [name for name in names if name not in integers]
    for name in names:
        value = getattr(blank, name)
        kind, shape = dtype[name].base, dtype[name].shape
        expected = (np.uint8 if isinstance(value, bytearray) else np.int64, () if name in integers else (len(value),))
        assert (kind, shape) == expected, name
    assert dtype.itemsize == table_size(table)


@pytest.fixture(scope="module")
def round_trip() -> Any:
    """Load a table, copy it, save the copy, then a reset table: into rows 1 and 2 from row 0."""
    make = tabletype.maker(tabletype.table_type(Heap))
    copy, load, reset, save = tabletype.copy, tabletype.load, tabletype.reset, tabletype.save

    @numba.njit
    def trip(rows: Any) -> int:
        at, size = rows.ctypes.data, rows.itemsize
        one = make()
        other = make()
        load(one, at)
        copy(other, one)
        save(other, at + size)
        reset(one)
        save(one, at + 2 * size)
        total = 0
        for place in range(len(other.hands)):
            total += other.hands[place]
        for place in range(len(other.ring)):
            total += other.ring[place]
        return total + other.left

    return trip


@given(data=st.data())
def test_a_table_comes_back_as_it_was_saved(round_trip: Any, data: st.DataObject) -> None:
    rows = np.zeros(3, table_dtype(Heap))
    rows["left"][2] = 99
    for name in rows.dtype.names:
        if name == "ring":
            rows[name][0] = data.draw(st.lists(st.integers(0, 255), min_size=16, max_size=16))
        elif name == "hands":
            rows[name][0] = data.draw(st.lists(st.integers(0, 2**40), min_size=3, max_size=3))
        else:
            rows[name][0] = data.draw(st.integers(-(2**40), 2**40))
    output = round_trip(rows)
    assert rows[1] == rows[0]
    assert output == int(rows["hands"][0].sum()) + int(rows["ring"][0].sum()) + int(rows["left"][0])
    blank = Heap()
    assert {name: rows[name][2].tolist() for name in rows.dtype.names} == {
        entry.name: list(value) if isinstance(value := getattr(blank, entry.name), list | bytearray) else value
        for entry in fields(Heap)
    }


@pytest.fixture(scope="module")
def compiled() -> Any:
    """What integers can do, in machine code."""
    tabletype.give_instruction(wide_product)
    _inlined(philox)

    @numba.njit
    def work(one: int, other: int, words: Any) -> Any:
        upper, lower = wide_product(one, other)
        answer = philox(words[0], words[1], words[2], words[3], words[4], words[5])
        return one.bit_count(), one.bit_length(), upper, lower, answer

    return lambda one, other=0, words=(0,) * 6: work(one, other, np.array(words, np.int64))


@given(number=st.one_of(st.integers(0, 2**63 - 1), st.integers(0, 62).map(lambda place: 1 << place)))
def test_bits_are_counted_as_python_does(compiled: Any, number: int) -> None:
    assert compiled(number)[:2] == (number.bit_count(), number.bit_length())


@given(one=WORDS, other=WORDS)
def test_the_wide_product_is_equal_in_both_worlds(compiled: Any, one: int, other: int) -> None:
    assert compiled(one, other)[2:4] == wide_product(one, other)


@pytest.mark.parametrize("one", [0, 1, 0xD2511F53, 0xCD9E8D57, 2**31, 2**32 - 1])
@pytest.mark.parametrize("other", [0, 1, 2**31 - 1, 2**31, 2**32 - 1])
def test_the_wide_product_is_right_at_the_edges(compiled: Any, one: int, other: int) -> None:
    assert compiled(one, other)[2:4] == wide_product(one, other) == divmod(one * other, 2**32)


ONES = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ((0,) * 6, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES,) * 6, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_known_answers_compiled(
    compiled: Any, words: tuple[int, ...], answer: tuple[int, ...]
) -> None:
    assert compiled(0, 0, words)[4] == answer == philox(*words)


@given(words=st.tuples(*[WORDS] * 6))
def test_philox_is_equal_in_both_worlds(compiled: Any, words: tuple[int, ...]) -> None:
    assert compiled(0, 0, words)[4] == philox(*words)
