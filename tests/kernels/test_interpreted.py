"""Compiled functions run by Python: their loops over constant tuples are written out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from maumau.kernels.compiled import given as module
from maumau.kernels.compiler.interpreted import interpreted

given: Any = module.given


def add(table: Any, most: int) -> int:
    """Add to fields, and their sum."""
    total = 0
    for name, more in given.FIELDS:
        if more > 0:
            setattr(table, name, getattr(table, name) + more)
        total += min(getattr(table, name), most) if more != 2 else 0
    return total


def add_some(table: Any) -> int:
    """The sum of fields, without one, up to another one."""
    total = 0
    for name, more in given.FIELDS:
        if more == 0:
            continue
        if more == 2:
            break
        total += getattr(table, name)
    return total


def ask(table: Any) -> int:
    """The sum of what functions find."""
    total = 0
    for name, query in given.QUERIES:
        total += getattr(table, name) * query(table)
    return total


def test_loops_over_names_are_written_out() -> None:
    table = SimpleNamespace(a=1, b=10, c=100)
    run = interpreted(add, {"FIELDS": (("a", 1), ("b", 0), ("c", 2))})
    assert run(table, 9) == 2 + 9
    assert vars(table) == {"a": 2, "b": 10, "c": 102}
    assert not {"given", "getattr", "setattr"} & {*run.__code__.co_names}


def test_a_loop_over_nothing_does_nothing() -> None:
    assert interpreted(add, {"FIELDS": ()})(SimpleNamespace(), 9) == 0


def test_loops_that_are_left_and_loops_over_functions_stay_loops() -> None:
    table = SimpleNamespace(a=1, b=10, c=100, d=1000)
    fields = ("a", 0), ("b", 1), ("c", 2), ("d", 1)
    assert interpreted(add_some, {"FIELDS": fields})(table) == 10
    assert interpreted(ask, {"QUERIES": (("a", lambda table: table.b), ("b", lambda table: 2))})(table) == 30
