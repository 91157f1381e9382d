"""What a rule function does is told by its content alone: the key of kernels, and of studies."""

from __future__ import annotations

import types
from enum import IntEnum
from typing import Any

import pytest

from fsm.declaration.introspection import reached
from fsm.hashes import code_hash
from rules.rule import effect, rule

BEFORE = """
from enum import IntEnum
from types import SimpleNamespace
LIMIT = 3
PAIR = (1, (2, 3))
class Kind(IntEnum):
    SEVEN = 7
def deep(table):
    return table.due + LIMIT
def helper(table):
    return deep(table)
def inner(number):
    def scaled(table):
        return table.due * number
    return scaled
scaled = inner(5)
def does(table, step=2, *, most=9):
    found = [helper(table) for _ in range(step)]
    return found[0] + scaled(table) + PAIR[1][0] + Kind.SEVEN + module.FACTOR
"""


def made(text: str = BEFORE, place: str = "somewhere", factor: int = 4) -> Any:
    names: dict[str, Any] = {"__name__": place, "module": types.ModuleType(place)}
    names["module"].FACTOR = factor
    exec(compile(text, f"/{place}.py", "exec"), names)
    return names["does"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = True"),
        ("(2, 3)", "(4, 3)"),
        ("SEVEN = 7", "SEVEN = 8"),
        ("table.due + LIMIT", "table.due - LIMIT"),
        ("table.due + LIMIT", "table.drawn + LIMIT"),
        ("inner(5)", "inner(6)"),
        ("table.due * number", "table.due + number"),
        ("step=2", "step=3"),
        ("most=9", "most=8"),
        ("for _ in range(step)", "for _ in range(step + 1)"),
        ("helper(table) for", "deep(table) for"),
    ],
)
def test_what_a_function_reads_belongs_to_it(old: str, new: str) -> None:
    assert old in BEFORE
    assert code_hash(made(BEFORE.replace(old, new))) != code_hash(made())


def test_an_attribute_of_a_module_belongs_to_it() -> None:
    assert code_hash(made(factor=5)) != code_hash(made())


def test_file_and_module_do_not() -> None:
    assert code_hash(made(place="elsewhere")) == code_hash(made())


def test_closures_of_one_function_are_different_functions() -> None:
    def adding(cards: int) -> Any:
        @effect
        def add_cards(table: Any) -> None:
            table.due += cards

        return add_cards

    assert code_hash(adding(3)) != code_hash(adding(4))
    assert code_hash(adding(3)) == code_hash(adding(3))


class Colour(IntEnum):
    RED = 1


def test_functions_that_call_each_other_come_to_an_end() -> None:
    names: dict[str, Any] = {"Colour": Colour}
    exec(
        "def one(n):\n    return two(n - 1) if n else Colour.RED\ndef two(n):\n    return one(n - 1) if n else 2", names
    )
    assert code_hash(names["one"]) != code_hash(names["two"])


def test_marked_functions_are_reached_by_name_by_attribute_and_from_closures() -> None:
    module = types.ModuleType("some_rules")

    @rule
    def first(table: Any) -> int:
        return 1

    @rule
    def second(table: Any) -> int:
        return first(table)

    def unmarked(table: Any) -> int:
        return 2

    module.second, module.unmarked = second, unmarked  # type: ignore[attr-defined]
    names: dict[str, Any] = {"module": module}
    exec("def does(table):\n    return module.second(table) + module.unmarked(table)", names)
    assert reached([names["does"]]) == (names["does"], second, first)


# ---------------------------------------------------------------- values of other kinds


class Scale:
    """What has a content, and a method that reads a constant."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    def scaled(self, number: int) -> int:
        return number * 3


class Other:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def scaled(self, number: int) -> int:
        return number * 4


Other.__name__ = "Scale"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (range(3), range(4)),
        (Scale(2), Scale(3)),
        (Scale, Other),
        ({1: 2}, {1: 3}),
        ({1, 2}, {1, 3}),
        (b"1", bytearray(b"1")),
    ],
)
def test_values_of_one_type_differ_by_their_content(one: object, other: object) -> None:
    assert code_hash(one) != code_hash(other)
    assert code_hash(one) == code_hash(one)


def test_arrays_differ_by_their_numbers_their_shape_and_their_type() -> None:
    np = pytest.importorskip("numpy", reason="it makes the arrays")
    arrays = [np.array([1, 2]), np.array([1, 3]), np.array([[1, 2]]), np.array([1, 2], np.uint8)]
    assert len({code_hash(array) for array in arrays}) == len(arrays)
    assert code_hash(np.array([1, 2])) == code_hash(np.array([1, 2]))


def test_a_closure_that_has_no_value_yet_is_read_without_it() -> None:
    def later() -> Any:
        def reads() -> int:
            return value

        before = code_hash(reads)
        value = 3
        return before, code_hash(reads)

    before, after = later()
    assert before != after
