"""Programs that are written against the interface of a game, and take workspaces: records of arrays."""

from __future__ import annotations

from typing import NamedTuple

import pytest

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import MauMau  # noqa: E402
from fsm.edge.arrays import Array1D, Array2D, allocate  # noqa: E402
from fsm.edge.errors import CompilationError  # noqa: E402
from fsm.edge.numbers import Array  # noqa: E402
from maumau.kernels.compiled.given import Table, given  # noqa: E402
from maumau.kernels.compiled.interface import Interface  # noqa: E402
from maumau.kernels.compiled.workspace import type_text  # noqa: E402
from maumau.kernels.compiler.machine_code import NativeCode, machine_code  # noqa: E402
from maumau.kernels.engine import program_of  # noqa: E402

GAME = MauMau.declaration


class Sums(NamedTuple):
    """Numbers, and room for the sums of their rows."""

    rows: Array2D[np.int64]
    found: Array1D[np.int64]
    few: Array1D[np.int32]


def add(sums: Sums, row: int, by: int) -> None:
    """Add a row, times a number."""
    for number in sums.rows[row]:
        sums.found[row] += by * number


def add_all(game: Interface, by: int, sums: Sums) -> int:
    """Add up each row; the number of the last phase, or -1 in a game in which several win together."""
    for row in range(len(sums.rows)):
        add(sums, row, by)
        sums.few[row] = row
    if game.SHARES_WINS:
        return -1
    return game.FINAL


@pytest.fixture(scope="module")
def program() -> NativeCode:
    return machine_code(program_of(add_all, GAME, GAME.policies))


def test_a_program_reads_and_writes_the_arrays_of_a_workspace(program: NativeCode) -> None:
    sums = allocate(Sums, rows=(3, 2), found=3, few=3)
    sums.rows[:] = [[1, 2], [3, 4], [5, 6]]
    assert program(10, sums) == GAME.phase_numbers[GAME.final]
    assert (sums.found.tolist(), sums.few.tolist()) == ([30, 70, 110], [0, 1, 2])


def test_a_part_of_a_workspace_is_the_same_memory(program: NativeCode) -> None:
    sums = allocate(Sums, rows=(3, 2), found=3, few=3)
    sums.rows[:] = 1
    program(1, Sums(*(array[1:2] for array in sums)))
    assert sums.found.tolist() == [0, 2, 0]


def test_arrays_of_another_type_are_refused(program: NativeCode) -> None:
    wrong = Sums(np.zeros((1, 2), np.int32), np.zeros(1, np.int64), np.zeros(1, np.int32))
    with pytest.raises(TypeError, match="an array of int32, 2 axes; use int64, 2 axes"):
        program(1, wrong)


def test_a_number_in_place_of_an_array_is_refused(program: NativeCode) -> None:
    sums = allocate(Sums, rows=(3, 2), found=3, few=3)
    with pytest.raises(TypeError, match="7, no array; use int64, 1 axes, in one piece"):
        program(1, sums._replace(found=7))


def test_a_workspace_has_the_fields_of_its_class() -> None:
    with pytest.raises(KeyError, match="other"):
        allocate(Sums, rows=(1, 1), other=1)
    with pytest.raises(TypeError, match="few"):
        allocate(Sums, rows=(1, 1), found=1)


class Place(NamedTuple):
    """A number, another workspace, and what a function makes of them."""

    row: int
    sums: Sums


class Room(NamedTuple):
    """What a function makes for others."""

    place: Place
    kept: Array
    table: Table
    by: int


def double(room: Room) -> None:
    """Write down twice a row, and count it on a table."""
    for index in range(len(room.kept)):
        room.kept[index] += room.by * room.place.sums.rows[room.place.row, index]
    room.table.turns += 1


def double_row(game: Interface, place: Place) -> int:
    """The sum of a row, times four."""
    table = game.make()
    game.reset(table)
    room = Room(place=place, kept=given.new_integers(2), table=table, by=2)
    room.kept[0], room.kept[1] = 0, 0
    double(room)
    double(room)
    place.sums.found[place.row] = room.kept[0] + room.kept[1]
    return room.table.turns


def test_a_workspace_holds_numbers_and_workspaces_and_a_function_makes_records() -> None:
    place = allocate(Place, row=1, sums=allocate(Sums, rows=(2, 2), found=2, few=0))
    place.sums.rows[:] = [[1, 2], [3, 4]]
    assert machine_code(program_of(double_row, GAME, ()))(place) == 2
    assert place.sums.found.tolist() == [0, 28]


def unnamed(game: Interface, place: Place) -> int:
    """A record is made by position."""
    return Place(0, place.sums).row


def test_a_record_is_made_by_the_names_of_all_its_fields() -> None:
    with pytest.raises(CompilationError, match="Place is created without naming each field: row, sums"):
        machine_code(program_of(unnamed, GAME, ()))


class Others(NamedTuple):
    """Other arrays than those of Sums."""

    rows: Array2D[np.int64]
    found: Array1D[np.int64]
    few: Array1D[np.int64]


def test_machine_code_depends_on_the_types_of_a_workspace() -> None:
    found = [type_text(kind) for kind in (Sums, Others)]
    assert found == [
        "Sums(rows: int64 2, found: int64 1, few: int32 1)",
        "Others(rows: int64 2, found: int64 1, few: int64 1)",
    ]


def test_machine_code_depends_on_the_order_of_the_fields_of_a_workspace() -> None:
    one, other = NamedTuple("Pair", [("a", int), ("b", int)]), NamedTuple("Pair", [("b", int), ("a", int)])
    assert type_text(one) == "Pair(a: int, b: int)"
    assert type_text(one) != type_text(other)
