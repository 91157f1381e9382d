"""Reads rule functions: what of Python they may use, as operations that a back end carries out.

Here is what an expression, an assignment and a call mean; `OPERATORS` lists the operators, the functions of Python and
the methods of integers. Back ends: `maumau.kernels.compiler.direct` writes LLVM text, `maumau.kernels.lanes.trace`
makes a graph. They say what a value is, carry out operations, and lead through `if` and loops.
"""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any, Generic, TypeVar, cast

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.operators import (
    NOTHING,
    OPERATORS,
    UNKNOWN,
    Known,
    Operand,
    Operator,
    Several,
    V,
    ValueMethod,
    assigned_names,
    constant,
    syntax_of,
    tuple_of,
)
from rules.rule import role_of

P = TypeVar("P")

MAX_POWER = 8
"""The greatest exponent of a power that is multiplied out."""
READING = frozenset({"count", "index"})
"""The methods of known texts and tuples that may be called: they change nothing."""
FAULTS = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
"""What Python raises where it cannot compute a value that is known."""


class FunctionReader(ABC, Generic[V, P]):
    """Reads one function. V: what an expression stands for that is not known. P: where a number is stored.

    names: what the names of the function stand for. local: those that it assigns.
    """

    refusal: type[CompilationError] = CompilationError
    """The error for what cannot be read."""

    def __init__(self, function: FunctionType) -> None:
        self.function, self.tree, self.local = function, syntax_of(function), assigned_names(function)
        self.names: dict[str, Any] = {}

    def error(self, where: ast.AST, what: str) -> CompilationError:
        """An error that names the file, the line and the function."""
        place = f"{self.function.__code__.co_filename}:{getattr(where, 'lineno', self.tree.lineno)}"
        return self.refusal(f"{self.function.__name__}: {what}", place)

    @contextmanager
    def at(self, node: ast.AST) -> Iterator[None]:
        """Errors that are raised here have this place, if they have none."""
        try:
            yield
        except FAULTS as error:
            raise self.placed(node, error) from None

    def placed(self, where: ast.AST, error: Exception) -> CompilationError:
        """An error with its place, which it may have already."""
        return error if isinstance(error, CompilationError) and error.place else self.error(where, str(error))

    # ------------------------------------------------------------ statements

    def statement(self, node: ast.stmt) -> None:
        """Read a statement that does not change which one follows; the back end reads the others."""
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()):
                pass
            case ast.Expr(value):
                self.value(value)
            case ast.Assign(targets, value):
                found = self.value(value)
                for target in targets:
                    self.assign(target, found)
            case ast.AnnAssign(target, _, value):
                if value:
                    self.assign(target, self.value(value))
            case ast.AugAssign(target, op, value):
                with self.at(node):
                    self.change(target, self.operator(op), value)
            case ast.For() | ast.While():
                raise self.error(node, "a loop with else is not known here")
            case _:
                raise self.error(node, f"{type(node).__name__} is not known here")

    def assign(self, target: ast.expr, value: Operand[V]) -> None:
        """Give what stands left of an assignment a value."""
        with self.at(target):
            match target:
                case ast.Name(name):
                    self.assign_name(name, value)
                case ast.Tuple(targets):
                    for each, part in zip(targets, self.parts(value, len(targets)), strict=True):
                        self.assign(each, part)
                case _:
                    self.put(self.place(target), value)

    def change(self, target: ast.expr, op: Operator, value: ast.expr) -> None:
        """Give what stands left of an assignment the result of an operation."""
        if isinstance(target, ast.Name):
            self.assign_name(target.id, self.operation(op, self.read(target.id), self.value(value)))
        else:
            place = self.place(target)
            self.put(place, self.operation(op, self.load(place), self.value(value)))

    def place(self, node: ast.expr) -> P:
        """Where a field or an element is stored."""
        found: P | None = None
        match node:
            case ast.Attribute(of, name):
                found = self.field(self.value(of), name)
            case ast.Subscript(of, index):
                found = self.element(self.value(of), self.value(index))
        if found is None:
            raise self.error(node, f"{ast.unparse(node)} is not a number in memory")
        return found

    def assign_name(self, name: str, value: Operand[V]) -> None:
        """Give a name a value."""
        self.names[name] = value

    # ------------------------------------------------------------ expressions

    def value(self, node: ast.expr) -> Operand[V]:
        """What an expression stands for."""
        try:
            return self.meaning(node)
        except FAULTS as error:  # as `at`, which takes longer
            raise self.placed(node, error) from None

    def meaning(self, node: ast.expr) -> Operand[V]:
        """What an expression stands for; errors may lack their place."""
        match node:
            case ast.Name(name):
                return self.read(name)
            case ast.Attribute() | ast.Subscript():
                found = self.part(node)
                if found is None:
                    raise self.error(node, f"{ast.unparse(node)} is not known here")
                return found
            case ast.Constant(value):
                return Known(value)
            case ast.Tuple(elements):
                return tuple_of([self.value(each) for each in elements])
            case ast.BinOp(one, op, other):
                return self.operation(self.operator(op), self.value(one), self.value(other))
            case ast.UnaryOp(op, one):
                return self.operation(self.operator(op), self.value(one))
            case ast.Compare(one, ops, others):
                return self.comparison(ops, [self.value(each) for each in (one, *others)])
            case ast.BoolOp() | ast.IfExp():
                return self.chosen(node)
            case ast.Call():
                return self.call(node)
        raise self.error(node, f"{type(node).__name__} is not known here")

    def part(self, node: ast.Attribute | ast.Subscript) -> Operand[V] | None:
        """An attribute, an element or a section of a value; None if it has none."""
        match node:
            case ast.Attribute(of, name):
                return self.attribute(self.value(of), name)
            case ast.Subscript(of, ast.Slice(lower, upper, None)) if lower and upper:
                return self.section(self.value(of), self.value(lower), self.value(upper))
            case ast.Subscript(of, index):
                return self.item(self.value(of), self.value(index))

    def operator(self, op: ast.AST) -> Operator:
        """The operation of an operator."""
        if type(op) not in OPERATORS:
            raise CompilationError(f"{type(op).__name__} is not known here")
        return OPERATORS[type(op)]

    def read(self, name: str) -> Operand[V]:
        """What a name stands for."""
        if name in self.names:
            return cast(Operand[V], self.names[name])
        if name in self.local:
            raise CompilationError(f"{name} may be read before it is assigned")
        return Known(self.outer(name))

    def outer(self, name: str) -> object:
        """The value of a name from outside of the function."""
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        if name in cells:
            return cells[name].cell_contents
        for scope in (self.function.__globals__, vars(builtins)):
            if name in scope:
                return scope[name]
        raise CompilationError(f"{name} is not known")

    def attribute(self, of: Operand[V], name: str) -> Operand[V] | None:
        """An attribute of a module or a class, a field, or a method; None for any other."""
        known = constant(of)
        if isinstance(known, ModuleType | type):
            return Known(getattr(known, name))
        if (place := self.field(of, name)) is not None:
            return self.load(place)
        if name in OPERATORS or (name in READING and isinstance(known, str | tuple | range)):
            return ValueMethod(of, name)
        return None

    def item(self, of: Operand[V], index: Operand[V]) -> Operand[V] | None:
        """An element of a tuple, a row or an array; None for any other."""
        known, at = constant(of), constant(index)
        known = known.tolist() if hasattr(known, "tolist") else known
        if isinstance(known, tuple | list | range | bytes):
            if isinstance(at, int):
                return Known(known[at])
            return self.looked_up(tuple(known), index)
        if isinstance(of, Several) and isinstance(at, int):
            return cast(Operand[V], of.parts[at])
        place = self.element(of, index)
        return None if place is None else self.load(place)

    def section(self, of: Operand[V], start: Operand[V], end: Operand[V]) -> Operand[V] | None:
        """The elements between two indices, if the back end knows any."""
        return None

    def looked_up(self, values: tuple[Any, ...], index: Operand[V]) -> Operand[V]:
        """An element of a known tuple of numbers, or of tuples of them."""
        if values and all(isinstance(value, int) for value in values):
            return self.entry(values, index)
        if values and all(isinstance(value, tuple) and len(value) == len(values[0]) for value in values):
            return tuple_of([self.looked_up(column, index) for column in zip(*values, strict=True)])
        raise CompilationError("an index into a tuple of values that are not numbers")

    def parts(self, of: Operand[V], count: int | None = None) -> Sequence[Operand[V]]:
        """The parts of a tuple. count: how many there must be, if that is known."""
        known = constant(of)
        if isinstance(known, tuple | list | range | set | frozenset):
            found: Sequence[Operand[V]] = [Known(value) for value in known]
        elif isinstance(of, Several):
            found = of.parts
        else:
            raise CompilationError("a value that is not a tuple is used as one")
        if count not in (None, len(found)):
            raise CompilationError("a tuple of another length")
        return found

    def power(self, base: Operand[V], exponent: Operand[V]) -> Operand[V]:
        """A power of a number, multiplied out."""
        of, known = constant(base), constant(exponent)
        if isinstance(of, int) and isinstance(known, int) and known >= 0:
            return Known(of**known)
        if not isinstance(known, int) or not 0 <= known <= MAX_POWER:
            raise CompilationError(f"an exponent that is not a known number from 0 to {MAX_POWER}")
        number = self.operation(OPERATORS[int], base)
        return reduce(partial(self.operation, OPERATORS[ast.Mult]), [number] * known) if known else Known(1)

    def comparison(self, ops: Sequence[ast.cmpop], operands: Sequence[Operand[V]]) -> Operand[V]:
        """Comparisons, which all hold."""
        holds = (self.compared(op, *pair) for op, pair in zip(ops, pairwise(operands), strict=True))
        return reduce(partial(self.operation, OPERATORS[ast.BitAnd]), holds)

    def compared(self, op: ast.cmpop, one: Operand[V], other: Operand[V]) -> Operand[V]:
        """A comparison of two numbers or tuples, or whether a number is one of several."""
        if isinstance(op, ast.In | ast.NotIn):
            found: Operand[V] = Known(False)
            for part in self.parts(other):
                found = self.operation(OPERATORS[ast.BitOr], found, self.operation(OPERATORS[ast.Eq], one, part))
        elif isinstance(op, ast.Eq | ast.NotEq) and (isinstance(one, Several) or isinstance(other, Several)):
            parts, found = self.parts(one), Known(True)
            for part, its in zip(parts, self.parts(other, len(parts)), strict=True):
                found = self.operation(OPERATORS[ast.BitAnd], found, self.compared(ast.Eq(), part, its))
        else:
            return self.operation(self.operator(op), one, other)
        return self.operation(OPERATORS[ast.Not], found) if isinstance(op, ast.NotIn | ast.NotEq) else found

    # ------------------------------------------------------------ calls

    def call(self, node: ast.Call) -> Operand[V]:
        """The result of a call: of an instruction of the back end, a function of Python, or a rule function."""
        called, operands = self.value(node.func), [self.value(each) for each in node.args]
        named = {each.arg: self.value(each.value) for each in node.keywords}
        if isinstance(called, ValueMethod) and not named:
            return self.method(called, operands)
        function = constant(called)
        if not named and (instruction := self.instruction(function)):
            return instruction(*operands)
        if function in (max, min) and not named:
            several = operands if len(operands) > 1 else self.parts(operands[0])
            return reduce(partial(self.operation, OPERATORS[function]), several)
        if function in OPERATORS and not named:
            return self.operation(OPERATORS[function], *operands)
        if isinstance(function, type) and (record := self.made(function, named)) is not None:
            return record
        may_call = role_of(function) is not None or role_of(self.function) is None
        if not isinstance(function, FunctionType) or not may_call:
            raise self.error(node, f"{ast.unparse(node.func)} is called, but is not a rule function")
        return self.called(function, self.bound(function, operands, named))

    def made(self, record: type, named: Mapping[str | None, Operand[V]]) -> Operand[V] | None:
        """A record that is made of what is named, if the back end knows any."""
        return None

    def method(self, method: ValueMethod, operands: Sequence[Operand[V]]) -> Operand[V]:
        """The result of a method of an integer, or of one that is known with all that is given to it."""
        if method.name in OPERATORS:
            return self.operation(OPERATORS[method.name], method.of, *operands)
        of, *given = map(constant, (method.of, *operands))
        if method.name not in READING or any(each is UNKNOWN for each in given):
            raise CompilationError(f"the method {method.name} is not known here")
        return Known(getattr(of, method.name)(*given))

    def instruction(self, function: object) -> Callable[..., Operand[V]] | None:
        """What a function is done by that is not read."""
        known: dict[object, Callable[..., Operand[V]]] = {range: self.span, len: self.length}
        return (known | {getattr: self.named, setattr: self.put_named}).get(function)

    def named(self, of: Operand[V], name: Operand[V]) -> Operand[V]:
        """A field by its name, which is known."""
        if (found := self.attribute(of, str(constant(name)))) is None:
            raise CompilationError(f"{constant(name)} is not a field")
        return found

    def put_named(self, of: Operand[V], name: Operand[V], value: Operand[V]) -> Operand[V]:
        """Store a number in a field by its name, which is known."""
        if (place := self.field(of, str(constant(name)))) is None:
            raise CompilationError(f"{constant(name)} is not a number in memory")
        self.put(place, value)
        return NOTHING

    def span(self, *limits: Operand[V]) -> Operand[V]:
        """A range; one whose limits are not known is for the back end."""
        known = [constant(each) for each in limits]
        if UNKNOWN in known:
            raise CompilationError("a range whose limits are not known")
        return Known(range(*known))

    def length(self, of: Operand[V]) -> Operand[V]:
        """How many elements there are."""
        known = constant(of)
        return Known(len(known if hasattr(known, "__len__") else self.parts(of)))

    def bound(
        self, function: FunctionType, operands: Sequence[Operand[V]], named: Mapping[str | None, Operand[V]]
    ) -> list[Operand[V]]:
        """The arguments of a function in their order, with those that are left out."""
        arguments, defaults = syntax_of(function).args, function.__defaults__ or ()
        names = [argument.arg for argument in arguments.args]
        given: dict[str | None, Operand[V]] = {}
        given.update(zip(names[len(names) - len(defaults) :], map(Known, defaults), strict=True))
        given.update(zip(names, operands, strict=False))
        given.update(named)
        special = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs
        if special or given.keys() != set(names) or len(operands) > len(names):
            raise CompilationError(f"the arguments of {function.__name__} are not plain ones")
        return [given[name] for name in names]

    # ------------------------------------------------------------ what a back end does

    @abstractmethod
    def field(self, of: Operand[V], name: str) -> P | None:
        """Where a field is stored; None where there is none."""

    @abstractmethod
    def element(self, of: Operand[V], index: Operand[V]) -> P | None:
        """Where an element is stored; None where there is none."""

    @abstractmethod
    def load(self, place: P) -> Operand[V]:
        """Read what is stored."""

    @abstractmethod
    def put(self, place: P, value: Operand[V]) -> None:
        """Store a number."""

    @abstractmethod
    def entry(self, values: tuple[int, ...], index: Operand[V]) -> Operand[V]:
        """A number of a known tuple."""

    @abstractmethod
    def operation(self, op: Operator, *operands: Operand[V]) -> Operand[V]:
        """The result of an operation on numbers."""

    @abstractmethod
    def chosen(self, node: ast.BoolOp | ast.IfExp) -> Operand[V]:
        """`and`, `or`, and the choice between two values: what is not chosen has no effect."""

    @abstractmethod
    def called(self, function: FunctionType, operands: Sequence[Operand[V]]) -> Operand[V]:
        """The result of a rule function."""
