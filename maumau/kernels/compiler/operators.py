"""What expressions of rule functions stand for, and the operations on numbers that they may use."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar


@dataclass(frozen=True)
class Operator:
    """An operation on numbers. name: by which back ends know it. compute: what Python computes."""

    name: str
    compute: Callable[..., Any]


OPERATORS: dict[object, Operator] = {
    ast.Add: Operator("add", operator.add),
    ast.Sub: Operator("sub", operator.sub),
    ast.Mult: Operator("mul", operator.mul),
    ast.Div: Operator("truediv", operator.truediv),
    ast.FloorDiv: Operator("div", operator.floordiv),
    ast.Mod: Operator("mod", operator.mod),
    ast.Pow: Operator("pow", operator.pow),
    ast.LShift: Operator("shl", operator.lshift),
    ast.RShift: Operator("shr", operator.rshift),
    ast.BitAnd: Operator("and", operator.and_),
    ast.BitOr: Operator("or", operator.or_),
    ast.BitXor: Operator("xor", operator.xor),
    ast.Eq: Operator("eq", operator.eq),
    ast.NotEq: Operator("ne", operator.ne),
    ast.Lt: Operator("lt", operator.lt),
    ast.LtE: Operator("le", operator.le),
    ast.Gt: Operator("gt", operator.gt),
    ast.GtE: Operator("ge", operator.ge),
    ast.Not: Operator("not", operator.not_),
    ast.USub: Operator("neg", operator.neg),
    ast.UAdd: Operator("pos", operator.pos),
    ast.Invert: Operator("inv", operator.invert),
    abs: Operator("abs", abs),
    bool: Operator("bool", bool),
    int: Operator("int", int),
    max: Operator("max", max),
    min: Operator("min", min),
    "bit_count": Operator("popcount", int.bit_count),
    "bit_length": Operator("length", int.bit_length),
}
"""The operations on numbers: by operators, by functions of Python, and by methods of integers."""
COMPUTED = {op.name: op.compute for op in OPERATORS.values()}
"""What Python computes, by the names of operations."""


# ---------------------------------------------------------------- expressions, as far as they are known

V = TypeVar("V")

UNKNOWN = object()
"""In place of a value that is not known while a function is read."""


@dataclass(frozen=True)
class Known:
    """A value that is known while a function is read: a number, a tuple of them, a function, a class."""

    value: Any


@dataclass(frozen=True)
class Several:
    """A tuple of which a part is not known."""

    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Method:
    """A method of a value."""

    of: Any
    name: str


Operand: TypeAlias = Known | Several | Method | V
"""What an expression stands for."""
NOTHING = Known(None)


def constant(value: object) -> Any:
    """What is known of a value: itself, or UNKNOWN."""
    return value.value if isinstance(value, Known) else UNKNOWN


def tuple_of(parts: Sequence[Any]) -> Known | Several:
    """A tuple; a known one, if all its parts are known."""
    if all(isinstance(part, Known) for part in parts):
        return Known(tuple(part.value for part in parts))
    return Several(tuple(parts))
