"""The syntax of rule functions, read from their files; what their expressions stand for, and their operations."""

from __future__ import annotations

import ast
import linecache
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any, TypeAlias, TypeVar

from fsm.declaration.introspection import source_lines
from fsm.edge.errors import CompilationError
from fsm.edge.kept import kept

PACKAGES = __name__.partition(".")[0], "fsm", "render", "rules"
"""The packages of this product, whose functions use no number below 0 as an index, and count no bits of one."""
WRITTEN_OUT = "_written_out"
"""The attribute of syntax in which it is written out what Python does with numbers below 0."""


class NoSourceError(CompilationError):
    """The source of a function cannot be read."""


@kept
def syntax_of(function: FunctionType) -> ast.FunctionDef:
    """The definition of a function; a lambda is one that returns. Raises NoSourceError where the file does not have it.

    A function that a decorator put in the place of another one is read as it stands, not as the other one.
    """
    tree = _definition(function)
    if str(function.__module__).partition(".")[0] not in PACKAGES and not hasattr(tree, WRITTEN_OUT):
        setattr(tree, WRITTEN_OUT, True)
        text = source_lines(function).replace("->", "")
        if any(sign in text for sign in "-~") and any(used in text for used in ("[", ".bit_")):  # few have both
            _BelowZero(tree).write_out()
    return tree


def _definition(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    if code.co_name == "<lambda>":
        return _as_function(_lambda_at(_file(function), code))
    for text in _texts(function):
        for found in _functions(text):
            first = min([found.lineno, *(each.lineno for each in found.decorator_list)])
            if found.name == code.co_name and first == code.co_firstlineno:
                return found
    raise NoSourceError(f"{function.__name__}: its source cannot be read from {code.co_filename}")


class _BelowZero:
    """Writes out what Python does with numbers below 0: as an index they count from the end, and `bit_count` and
    `bit_length` are those of their absolute value.

    That is done for numbers that the function itself subtracts, negates or inverts, and the names that it gives to
    them. Doing it for each index would make games up to a fifth slower.
    """

    def __init__(self, tree: ast.FunctionDef) -> None:
        self._nodes, self._names = list(ast.walk(tree)), set[str]()
        given = list(self._given())
        while more := {name for name, value in given if self._may_be(value)} - self._names:
            self._names |= more

    def write_out(self) -> None:
        """Change the syntax."""
        for node in self._nodes:
            match node:
                case ast.Subscript(of, index) if self._may_be(index):
                    length = ast.Call(_called(len), [of], [])
                    below = ast.Compare(index, [ast.Lt()], [ast.Constant(0)])
                    node.slice = _placed(ast.BinOp(index, ast.Add(), ast.BinOp(length, ast.Mult(), below)), node)
                case ast.Attribute(of, "bit_count" | "bit_length") if self._may_be(of):
                    node.value = _placed(ast.Call(_called(abs), [of], []), node)

    def _given(self) -> Iterator[tuple[str, ast.AST]]:
        """What each name is assigned."""
        for node in self._nodes:
            match node:
                case ast.Assign(targets, value):
                    yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
                case ast.AugAssign(ast.Name(name) as target, op, value):
                    yield name, ast.BinOp(target, op, value)

    def _may_be(self, node: ast.AST) -> bool:
        """Whether a number may be below 0, as far as that is seen here."""
        match node:
            case ast.Name(name):
                return name in self._names
            case ast.Constant(int() as value):
                return value < 0
            case ast.BinOp(ast.Call(ast.Name("len")), ast.Sub(), ast.Constant(1)):
                return False
            case ast.UnaryOp(ast.USub() | ast.Invert()) | ast.BinOp(_, ast.Sub(), _):
                return True
            case ast.BinOp(one, ast.BitAnd(), other):
                return self._may_be(one) and self._may_be(other)
            case ast.BinOp(_, ast.Mod(), other):
                return self._may_be(other)
            case ast.BinOp(one, _, other) | ast.IfExp(_, one, other):
                return self._may_be(one) or self._may_be(other)
        return False


def _called(function: Any) -> ast.Constant:
    """What stands for a function of Python, whatever is called by its name."""
    return ast.Constant(function)


def _placed(node: ast.expr, at: ast.expr) -> ast.expr:
    """New syntax in the place of some in the file."""
    for each in ast.walk(node):
        if isinstance(each, ast.expr) and not hasattr(each, "lineno"):
            ast.copy_location(each, at)
    return node


def _texts(function: FunctionType) -> Iterator[str]:
    """Texts in which the definition of a function may be, at its lines: its own, which is parsed in a quarter of the
    time of a file, and that of the file, for a definition within another one.
    """
    yield "\n" * (function.__code__.co_firstlineno - 1) + source_lines(function)
    yield _file(function)


def _file(function: FunctionType) -> str:
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


@kept
def assigned_names(function: FunctionType) -> frozenset[str]:
    """The names that a function assigns. Raises NoSourceError."""
    return frozenset(name.id for name in names_in([syntax_of(function)]) if isinstance(name.ctx, ast.Store))


def names_in(nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    """The nodes of names that are in some nodes, in any order: `ast.walk` takes twice as long."""
    left: list[Any] = list(nodes)
    while left:
        node = left.pop()
        if isinstance(node, ast.Name):
            yield node
        elif isinstance(node, list):
            left += node
        else:
            left += [getattr(node, part) for part in parts_of(node.__class__)]


PLAIN = {"attr", "ctx", "kind", "name", "op", "ops", "type_comment"}
"""Parts of a node in which no names are."""


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The parts of a node of this type in which there may be names."""
    named = issubclass(kind, ast.AST) and kind is not ast.Constant
    return tuple(part for part in kind._fields if part not in PLAIN) if named else ()


def _lambda_at(text: str, code: CodeType) -> ast.Lambda:
    """The innermost lambda in the text of a file around all that its code was made of. Raises NoSourceError."""
    spots = [spot for spot in code.co_positions() if None not in spot and spot[2:] != (0, 0)]
    around = [node for node in _lambdas(text) if all(_covers(node.body, spot) for spot in spots)]
    if not around:
        raise NoSourceError(f"<lambda>: its source cannot be read from {code.co_filename}")
    return max(around, key=lambda node: (node.lineno, node.col_offset))


def _covers(node: ast.expr, spot: tuple[int | None, ...]) -> bool:
    """Whether the positions of an instruction (first and last line, first and last column) lie in an expression."""
    line, end_line, column, end_column = spot
    return (node.lineno, node.col_offset) <= (line, column) and (end_line, end_column) <= (
        node.end_lineno,
        node.end_col_offset,
    )


def _as_function(node: ast.Lambda) -> ast.FunctionDef:
    """A function that returns what a lambda computes."""
    result = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.FunctionDef(name="lambda", args=node.args, body=[result], decorator_list=[], returns=None)
    return ast.copy_location(made, node)


@cache
def _parsed(text: str) -> ast.Module:
    """The text of a file or a function; nothing of one that cannot be parsed."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])


@cache
def _functions(text: str) -> list[ast.FunctionDef]:
    """The functions that a text defines: only statements are looked at."""
    return list(_defined(_parsed(text)))


def _defined(node: Any) -> Iterator[ast.FunctionDef]:
    if isinstance(node, ast.FunctionDef):
        yield node
    for part in BLOCKS.intersection(node._fields):
        for each in getattr(node, part):
            yield from _defined(each)


BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
"""Parts of a statement in which there may be definitions."""


@cache
def _lambdas(text: str) -> list[ast.Lambda]:
    return [node for node in ast.walk(_parsed(text)) if isinstance(node, ast.Lambda)]


# ---------------------------------------------------------------- operations on numbers


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
class ValueMethod:
    """A method of a value."""

    of: Any
    name: str


Operand: TypeAlias = Known | Several | ValueMethod | V
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
