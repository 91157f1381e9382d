"""What functions read is found in their bytecode as `dis` finds it, in each version of Python."""

from __future__ import annotations

import argparse
import ast
import dis
import inspect
import typing
from collections.abc import Iterator
from types import CodeType, ModuleType

import pytest

from fsm.declaration import introspection
from fsm.declaration.introspection import operations_of
from rules import melds, stock, tricks


def codes(code: CodeType) -> Iterator[CodeType]:
    """Code, and the code of all functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@pytest.mark.parametrize("module", [argparse, ast, dis, inspect, typing, introspection, melds, stock, tricks])
def test_operations_are_those_of_dis(module: ModuleType) -> None:
    found = list(codes(compile(inspect.getsource(module), module.__name__, "exec")))
    assert len(found) > 5
    for code in found:
        of_dis = [
            (step.opname, step.argval if step.opcode in (*dis.hasname, *dis.haslocal) else None)
            for step in dis.get_instructions(code)
        ]
        assert list(operations_of(code)) == of_dis, code


def test_a_name_after_the_256th_is_found() -> None:
    lines = [f"name_{number}" for number in range(300)]
    code = compile("\n".join(lines), "many", "exec")
    assert [name for operation, name in operations_of(code) if operation == "LOAD_NAME"] == lines
