"""What a rule function does is told by its content alone: the key of kernels, and of studies."""

from __future__ import annotations

import inspect
import linecache
import os
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fsm.declaration.introspection import reached, source_lines
from fsm.hashes import bytecode_hash, code_hash
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


Hash = Callable[..., str]


@pytest.fixture(params=[code_hash, bytecode_hash], ids=["code", "bytecode"])
def hash_of(request: pytest.FixtureRequest) -> Hash:
    found: Hash = request.param
    return found


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
def test_what_a_function_reads_belongs_to_it(hash_of: Hash, old: str, new: str) -> None:
    assert old in BEFORE
    assert hash_of(made(BEFORE.replace(old, new))) != hash_of(made())


def test_an_attribute_of_a_module_belongs_to_it(hash_of: Hash) -> None:
    assert hash_of(made(factor=5)) != hash_of(made())


def test_file_and_module_do_not(hash_of: Hash) -> None:
    assert hash_of(made(place="elsewhere")) == hash_of(made())


def test_closures_of_one_function_are_different_functions(hash_of: Hash) -> None:
    def adding(cards: int) -> Any:
        @effect
        def add_cards(table: Any) -> None:
            table.due += cards

        return add_cards

    assert hash_of(adding(3)) != hash_of(adding(4))
    assert hash_of(adding(3)) == hash_of(adding(3))


class Colour(IntEnum):
    RED = 1


def test_functions_that_call_each_other_come_to_an_end(hash_of: Hash) -> None:
    names: dict[str, Any] = {"Colour": Colour}
    exec(
        "def one(n):\n    return two(n - 1) if n else Colour.RED\ndef two(n):\n    return one(n - 1) if n else 2", names
    )
    assert hash_of(names["one"]) != hash_of(names["two"])


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
def test_values_of_one_type_differ_by_their_content(hash_of: Hash, one: object, other: object) -> None:
    assert hash_of(one) != hash_of(other)
    assert hash_of(one) == hash_of(one)


def test_arrays_differ_by_their_numbers_their_shape_and_their_type(hash_of: Hash) -> None:
    np = pytest.importorskip("numpy", reason="it makes the arrays")
    arrays = [np.array([1, 2]), np.array([1, 3]), np.array([[1, 2]]), np.array([1, 2], np.uint8)]
    assert len({hash_of(array) for array in arrays}) == len(arrays)
    assert hash_of(np.array([1, 2])) == hash_of(np.array([1, 2]))


def test_a_closure_that_has_no_value_yet_is_read_without_it(hash_of: Hash) -> None:
    def later() -> Any:
        def reads() -> int:
            return value

        before = hash_of(reads)
        value = 3
        return before, hash_of(reads)

    before, after = later()
    assert before != after


# ---------------------------------------------------------------- lines of a file


WRITTEN = """
import functools

given = functools.cache

@functools.lru_cache(
    maxsize=3,
)
@given
def first(
    number,
):
    text = '''
    def no'''
    return number, text

class Some:
    def second(self):
        def inner():
            return 1
        return inner

    async def third(self):
        return 2
"""


def test_the_lines_of_a_function_end_where_the_next_one_begins(tmp_path: Path) -> None:
    (path := tmp_path / "written.py").write_text(WRITTEN)
    names: dict[str, Any] = {}
    exec(compile(WRITTEN, str(path), "exec"), names)
    some = names["Some"]
    for function in (names["first"].__wrapped__.__wrapped__, some.second, some().second(), some.third):
        found, whole = source_lines(function), inspect.getsource(function)
        assert found.startswith(whole)
        assert found.count("def ") == whole.count("def ")


def test_a_file_that_is_changed_while_its_functions_are_in_use_gives_another_hash(tmp_path: Path) -> None:
    """What is compiled is what is read of the file then, and must not be kept under the name of what it was."""
    (path := tmp_path / "own.py").write_text("def does(table):\n    return table.due + 1\n")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    before = bytecode_hash(names["does"])
    path.write_text("def does(table):\n    return table.due + 22\n")
    linecache.checkcache(str(path))
    assert bytecode_hash(names["does"]) != before


NESTED = """
import sys
from array import array
from fsm.hashes import bytecode_hash, code_hash

PAIRS = {frozenset({first, second}): first + second for first in "abcdef" for second in "uvwxyz"}
WEIGHTS = array("B", [1, 2, int(sys.argv[1])])

def does(table):
    return PAIRS[table.pair], WEIGHTS[table.card]

print(bytecode_hash(does), code_hash(does))
"""


def test_sets_of_sets_and_arrays_have_the_same_hash_in_each_process() -> None:
    """The order of the texts in a set is another one in each."""

    def hashes(number: int, seed: str) -> bytes:
        command = [sys.executable, "-c", NESTED, str(number)]
        return subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout

    assert len({hashes(3, "1"), hashes(3, "2"), hashes(3, "3")}) == 1
    assert hashes(3, "1") != hashes(4, "1")


EDITS = """
from fsm.hashes import code_hash
from fsm.registry import BUILT_IN, game_class

for name in BUILT_IN:
    for rule in game_class(name).rulebook().listed():
        print(name, rule.name, code_hash(rule.edits))
"""


def test_the_edits_of_each_house_rule_have_the_same_hash_in_each_process() -> None:
    """By them a check of all sets of rules recognizes the reports of an earlier one."""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", EDITS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for seed in "12"
    )
    assert first
    assert first == second


def test_methods_of_python_are_told_apart_by_what_they_are_of() -> None:
    given = dict.fromkeys, Counter.fromkeys, {}.get, {1: 2}.get, [1].append, object(), Counter.total
    assert len({code_hash(each) for each in given}) == len(given)
    assert code_hash({}.get) == code_hash({}.get)
    assert code_hash(object()) == code_hash(object())


def test_partial_functions_are_told_apart_by_what_they_are_given() -> None:
    given = partial(max, 1), partial(max, 5), partial(min, 1), partial(max, key=abs)
    assert len({code_hash(each) for each in given}) == 4
    assert code_hash(partial(max, 1)) == code_hash(given[0])
