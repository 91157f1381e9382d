"""What names and expressions stand for while LLVM text is written: numbers, rows, tables, arrays, and known values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any

from fsm.edge.errors import CompilationError
from fsm.edge.numbers import np
from fsm.table.fields import TableFields
from maumau.kernels.compiler.operators import Known, Several, ValueMethod

BITS = 64


@dataclass(frozen=True)
class Number64:
    """A number of 64 bits. text: its name in LLVM text, or its digits."""

    text: str


@dataclass(frozen=True)
class Real:
    """A floating-point number. kind: "float" (32 bits) or "double" (64 bits)."""

    text: str
    kind: str


@dataclass(frozen=True)
class Slots:
    """A row of integers in memory: a list or a bytearray of a table. at: its address."""

    at: str
    bits: int
    length: int


class TableLayout:
    """The fields of a table class, with their values in a new table.

    scalars: the integers. rows: the lists and bytearrays: the bits of a place, and the values.
    """

    def __init__(self, table: type) -> None:
        fields = TableFields(table)
        self.scalars = {name: int(fields.values[name]) for name in fields.numbers}
        self.rows = {name: (8 * item, tuple(fields.values[name])) for name, (item, _) in fields.rows.items()}


@dataclass(frozen=True)
class TableOperand:
    """A table. at: the addresses of its integers and of each of its rows."""

    layout: TableLayout
    at: tuple[str, ...]

    def row(self, name: str) -> Slots:
        """A list or a bytearray."""
        bits, values = self.layout.rows[name]
        return Slots(self.at[1 + list(self.layout.rows).index(name)], bits, len(values))


@dataclass(frozen=True)
class Array:
    """An array of numpy. at: the address of its first element. shape: its lengths along each axis."""

    at: str
    kind: np.dtype[Any]
    shape: tuple[str, ...]


@dataclass(frozen=True)
class WorkspaceOperand:
    """A workspace, or a record that a function makes. names: its fields. values: what they stand for."""

    names: tuple[str, ...]
    values: tuple[Operand, ...]

    def part(self, name: str) -> Operand:
        """What a field stands for."""
        return self.values[self.names.index(name)]


@dataclass(frozen=True)
class Record:
    """A record in an array of numpy."""

    at: str
    kind: np.dtype[Any]


@dataclass(frozen=True)
class Counting:
    """The numbers of a range."""

    start: str
    stop: str
    step: int


@dataclass(frozen=True)
class Instruction:
    """A function that is not Python source but instructions, which `write` writes."""

    write: Callable[..., Operand]


Unknown = Number64 | Real | Slots | TableOperand | Array | WorkspaceOperand | Record | Counting
Operand = Known | Several | ValueMethod | Unknown


@dataclass(frozen=True)
class Location:
    """A number in memory: its address, and how it is stored there. real: the kind of a floating-point number."""

    at: str
    bits: int = BITS
    signed: bool = True
    real: str = ""


@dataclass(frozen=True)
class Variable:
    """A name whose value changes. of: what it stands for, with nothing given; slots: the addresses of what is given."""

    of: Operand
    slots: tuple[str, ...]


@dataclass(frozen=True)
class Written:
    """A function in LLVM text. count: how many numbers it returns. single: one value, not a tuple of one."""

    name: str
    count: int
    single: bool

    @property
    def kind(self) -> str:
        """The type of LLVM of what it returns."""
        return f"{{ {', '.join(['i64'] * self.count)} }}"


def kind_of(operand: Operand) -> object:
    """What the code of a function depends on, of an argument."""
    match operand:
        case _ if is_number(operand):
            return Number64("")
        case Several(parts):
            return tuple(map(kind_of, parts))
        case Known(tuple() as value):
            return tuple(kind_of(Known(each)) if isinstance(each, tuple) else id(each) for each in value)
        case Known(value):
            return id(value)
        case Counting() | ValueMethod():
            raise CompilationError(f"an argument that is not a value: {operand}")
    return given_by(operand, repeat(""))


def is_number(operand: Operand) -> bool:
    """Whether an operand is an integer; a truth value is 0 or 1."""
    return isinstance(operand, Number64) or (isinstance(operand, Known) and isinstance(operand.value, int))


def is_real(operand: Operand) -> bool:
    """Whether an operand is a floating-point number."""
    return isinstance(operand, Real) or (isinstance(operand, Known) and isinstance(operand.value, float))


def _taken(operand: Operand) -> tuple[list[tuple[str, str]], Callable[[Iterator[str]], Operand]]:
    """The arguments of LLVM that an operand is given by, with their types, and what makes it of others."""
    match operand:
        case Number64(text):
            return [("i64", text)], lambda names: Number64(next(names))
        case Real(text, kind):
            return [(kind, text)], lambda names: Real(next(names), kind)
        case Slots(at, bits, length):
            return [("ptr", at)], lambda names: Slots(next(names), bits, length)
        case Record(at, kind):
            return [("ptr", at)], lambda names: Record(next(names), kind)
        case TableOperand(layout, rows):
            return [("ptr", at) for at in rows], lambda names: TableOperand(layout, tuple(islice(names, len(rows))))
        case Array(at, kind, shape):
            words = [("i64", length) for length in shape]
            return [("ptr", at), *words], lambda names: Array(next(names), kind, tuple(islice(names, len(shape))))
        case WorkspaceOperand(names, values):
            given = [argument for value in values for argument in parts_of(value)]
            return given, lambda each: WorkspaceOperand(names, tuple(given_by(value, each) for value in values))
        case Several(parts):
            given = [argument for part in parts for argument in parts_of(part)]
            return given, lambda names: Several(tuple(given_by(part, names) for part in parts))
    return [], lambda names: operand


def parts_of(operand: Operand) -> list[tuple[str, str]]:
    """The arguments of LLVM that an operand is given by, with their types; numbers are words."""
    return _taken(operand)[0]


def given_by(operand: Operand, names: Iterator[str]) -> Operand:
    """An operand like this one, of arguments with these names."""
    return _taken(operand)[1](names)


def number_of(value: int) -> int:
    """A known number. Raises CompilationError where it has more than 64 bits."""
    if not -(1 << BITS - 1) <= value < 1 << BITS - 1:
        raise CompilationError(f"{value} has more than 64 bits")
    return int(value)
