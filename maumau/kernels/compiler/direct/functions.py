"""Functions of Python as LLVM text: statements, and functions for the types of their arguments.

Integers have 64 bits: sums wrap, a number divided by zero is zero, and the index of a row is not checked. Source that
has anything else is refused with a CompilationError, which says what it was and where.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import repeat
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.expressions import Expressions
from maumau.kernels.compiler.direct.operands import (
    NOTHING,
    Array,
    Boolean,
    Known,
    Location,
    Module,
    Operand,
    Real,
    Record,
    Several,
    Shape,
    Slots,
    Variable,
    Word,
    Written,
    given_by,
    is_number,
    is_real,
    kind_of,
    parts_of,
)
from maumau.kernels.compiler.syntax import NoSourceError, syntax_of

ATTRIBUTES = 'nounwind "no-builtins"'
INLINED = 100
"""Lines up to which a function is put in the place of all its calls; a longer one where it is called once."""


class ModuleWriter:
    """Writes functions, each once for the types of its arguments, and the constants that they read."""

    def __init__(self, names: dict[str, Any]) -> None:
        """names: those that functions of `maumau.kernels.compiled` take for granted, with what they stand for. A rule
        function may be called as an instruction is.
        """
        self.names = names
        self.functions: list[tuple[str, str, str]] = []
        self.calls = Counter[str]()
        self.constants: dict[tuple[int, ...], str] = {}
        self.declarations: set[str] = set()
        self._written: dict[tuple[object, ...], Written] = {}
        self._kept: list[object] = []
        self._open: list[FunctionType] = []

    @property
    def text(self) -> str:
        """The module."""
        constants = [
            f"{name} = private unnamed_addr constant [{len(values)} x i64] "
            f"[{', '.join(f'i64 {value}' for value in values)}], align 16"
            for values, name in self.constants.items()
        ]
        functions = (f"{head} {self._inlined(name, body)}{ATTRIBUTES} {body}" for name, head, body in self.functions)
        return "\n".join([*constants, *sorted(self.declarations), *functions])

    def _inlined(self, name: str, body: str) -> str:
        """The attribute of a function that is put in the place of its calls."""
        return "alwaysinline " if self.calls[name] == 1 or body.count("\n") <= INLINED else ""

    def function(self, function: FunctionType, operands: Sequence[Operand]) -> Written:
        """A function for arguments of these types."""
        key = (function, *map(kind_of, operands))
        if key not in self._written:
            if function in self._open:
                raise CompilationError(f"{function.__name__} calls itself")
            self._open.append(function)
            self._kept += operands  # constants are compared by identity
            plain = re.sub("[^A-Za-z0-9_]", "", function.__name__)
            name = f"@f{len(self._written) + len(self._open)}.{plain}"
            self._written[key] = FunctionWriter(self, function, name).written(operands)
            self._open.pop()
        written = self._written[key]
        self.calls[written.name] += 1
        return written

    def constant(self, values: tuple[int, ...]) -> str:
        """The address of a row of constants."""
        return self.constants.setdefault(values, f"@constant{len(self.constants)}")


class FunctionWriter(Expressions):
    """Writes one function."""

    def __init__(self, module: Module, function: FunctionType, name: str) -> None:
        try:
            super().__init__(module, function, syntax_of(function))
        except NoSourceError as error:
            raise CompilationError(str(error)) from None
        self.name = name
        self.loops: list[tuple[str, str]] = []
        self.left: set[str] = set()
        self.returned: list[tuple[Shape, bool]] = []

    def written(self, operands: Sequence[Operand]) -> Written:
        """Write it for arguments of these types."""
        given: list[tuple[str, str]] = []
        for argument, operand in zip(self.tree.args.args, operands, strict=True):
            if isinstance(operand, Known) and not is_number(operand):
                self.variables[argument.arg] = operand
                continue
            like = Word("") if is_number(operand) else operand
            kinds = [kind for kind, _ in parts_of(like)]
            names = [f"%a{len(given) + location}" for location in range(len(kinds))]
            given += zip(kinds, names, strict=True)
            self.assign_name(argument.arg, given_by(like, iter(names)), self.tree)
        self.block(self.tree.body)
        if self.reached:
            self.leave(NOTHING, self.tree)
        return self._ended(", ".join(f"{kind} {name}" for kind, name in given))

    def _ended(self, given: str) -> Written:
        """The text of the whole function is put together."""
        shapes = {(len(shape), single) for shape, single in self.returned}
        if len(shapes) != 1:
            raise self.error(self.tree, "it returns different kinds of values")
        ((count, single),) = shapes
        booleans = [all(shape[part] == "i1" for shape, _ in self.returned) for part in range(count)]
        parts = tuple("i1" if boolean else "i64" for boolean in booleans)
        self.start("done")
        values = [self.out(f"load i64, ptr %r{part}") for part in range(count)]
        values = [
            self.out(f"icmp ne i64 {value}, 0") if kind == "i1" else value
            for kind, value in zip(parts, values, strict=True)
        ]
        if not parts:
            kind, end = "void", "ret void"
        elif single:
            kind, end = parts[0], f"ret {parts[0]} {values[0]}"
        else:
            kind, whole = f"{{ {', '.join(parts)} }}", "poison"
            for part, value in enumerate(values):
                whole = self.out(f"insertvalue {kind} {whole}, {parts[part]} {value}, {part}")
            end = f"ret {kind} {whole}"
        slots = [*self.slots, *(f"  %r{part} = alloca i64" for part in range(count))]
        body = "\n".join(["{\nentry:", *slots, *self.lines, f"  {end}\n}}"])
        self.module.functions.append((self.name, f"define internal {kind} {self.name}({given})", body))
        return Written(self.name, parts, single)

    # ------------------------------------------------------------ statements

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Write statements, up to one that leaves the block."""
        for statement in statements:
            if not self.reached:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Write a statement."""
        match node:
            case ast.Expr(value):
                self.value(value)
            case ast.Assign(targets, value):
                self.assign_all(targets, value)
            case ast.AnnAssign(target, _, value):
                if value:
                    self.assign(target, self.value(value))
            case ast.AugAssign(target, op, value):
                self.change(target, op, value)
            case ast.Return(value):
                self.leave(self.value(value) if value else NOTHING, node)
            case ast.If():
                self.choose(node)
            case ast.Pass():
                pass
            case _:
                self.repeated(node)

    def repeated(self, node: ast.stmt) -> None:
        """Write a loop, or what leads to its next round or to its end."""
        match node:
            case ast.While(orelse=[]):
                self.repeat(node)
            case ast.For(orelse=[]):
                self.loop(node)
            case ast.Break():
                self.left.add(self.loops[-1][1])
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case _:
                raise self.error(node, f"{type(node).__name__} is not known here")

    def leave(self, operand: Operand, node: ast.AST) -> None:
        """Return a value from the function."""
        nothing = isinstance(operand, Known) and operand.value is None
        single = not isinstance(operand, Several) and not isinstance(getattr(operand, "value", None), tuple)
        parts = () if nothing else (operand,) if single else self.parts(operand, node)
        if not all(map(is_number, parts)):
            raise self.error(node, "a value is returned that is no integer")
        shape = []
        for location, part in enumerate(parts):
            boolean = isinstance(part, Boolean) or (isinstance(part, Known) and isinstance(part.value, bool))
            shape.append("i1" if boolean else "i64")
            self.line(f"store i64 {self.word(part)}, ptr %r{location}")
        self.returned.append((tuple(shape), single))
        self.jump("done")

    def choose(self, node: ast.If) -> None:
        """Write an `if`; of one that is decided already, the part that is reached."""
        known = self.known_condition(node.test)
        if known is not None:
            self.block(node.body if known else node.orelse)
            return
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        self.branch(node.test, yes, no)
        reached = False
        for label, statements in ((yes, node.body), (no, node.orelse)):
            self.start(label)
            self.block(statements)
            if self.reached:
                self.jump(end)
                reached = True
        if reached:
            self.start(end)

    def repeat(self, node: ast.While) -> None:
        """Write a `while` loop."""
        head, body, end = self.fresh("head"), self.fresh("body"), self.fresh("end")
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.start(head)
        if not endless:
            self.branch(node.test, body, end)
            self.start(body)
        self.turn(node.body, head, end)
        if self.reached:
            self.jump(head)
        if not endless or end in self.left:
            self.start(end)

    def turn(self, statements: Sequence[ast.stmt], following: str, end: str) -> None:
        """Write the statements of a loop. following, end: where `continue` and `break` jump to."""
        self.loops.append((following, end))
        self.block(statements)
        self.loops.pop()

    def loop(self, node: ast.For) -> None:
        """Write a `for` loop over a range, a row, an array or a known tuple."""
        start, stop, step, item = self.items(node.iter)
        counter, following = self.slot("i64"), self.fresh("following")
        head, body, end = self.fresh("head"), self.fresh("body"), self.fresh("end")
        self.line(f"store i64 {start}, ptr {counter}")
        self.start(head)
        at = self.out(f"load i64, ptr {counter}")
        there = self.out(f"icmp {'slt' if step > 0 else 'sgt'} i64 {at}, {stop}")
        self.line(f"br i1 {there}, label %{body}, label %{end}")
        self.reached = False
        self.start(body)
        self.assign(node.target, item(Word(at)))
        self.turn(node.body, following, end)
        self.start(following)
        self.line(f"store i64 {self.out(f'add nsw i64 {at}, {step}')}, ptr {counter}")
        self.jump(head)
        self.start(end)

    def items(self, node: ast.expr) -> tuple[str, str, int, Callable[[Word], Operand]]:
        """Of what a loop goes over: the first index, the last one, the step, and what is at an index."""
        if isinstance(node, ast.Call) and self.value(node.func) == Known(range):
            bounds = [self.value(argument) for argument in node.args]
            first, last = (Known(0), *bounds)[-2:] if len(bounds) < 3 else bounds[:2]
            step = bounds[2].value if len(bounds) == 3 and isinstance(bounds[2], Known) else 1
            if len(bounds) == 3 and not isinstance(bounds[2], Known):
                raise self.error(node, "the step of a range is not known")
            return self.word(first), self.word(last), step, lambda location: location
        found = self.value(node)
        if isinstance(found, Array) and len(found.shape) == 1:
            return "0", found.shape[0], 1, lambda location: self.load(self.element(found, location))
        if isinstance(found, Slots):
            return "0", str(found.length), 1, lambda location: self.load(self.element(found, location))
        if isinstance(found, Known) and isinstance(found.value, tuple | list | range):
            values = tuple(found.value)
            return "0", str(len(values)), 1, lambda location: self.looked_up(node, values, location)
        raise self.error(node, "a loop over what is no range, row, array of one axis or tuple")

    def assign_all(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        """Write an assignment."""
        operand = self.value(value)
        for target in targets:
            self.assign(target, operand)

    def assign(self, target: ast.expr, operand: Operand) -> None:
        """Give what stands left of an assignment a value."""
        if isinstance(target, ast.Tuple):
            parts = self.parts(operand, target)
            if len(parts) != len(target.elts):
                raise self.error(target, "a tuple of another length")
            for part, value in zip(target.elts, parts, strict=True):
                self.assign(part, value)
        elif isinstance(target, ast.Name):
            self.assign_name(target.id, operand, target)
        else:
            self.put(self.location(target), operand)

    def assign_name(self, name: str, operand: Operand, where: ast.AST) -> None:
        """Give a name a value."""
        known = self.variables.get(name)
        if is_number(operand):
            operand = Word(self.word(operand))
        elif is_real(operand):
            operand = self._real(known, operand)
        elif not isinstance(operand, Slots | Record | Array) or name not in self.local:
            if known is not None and known != operand:
                raise self.error(where, f"{name} has values of different kinds")
            self.variables[name] = operand
            return
        of = given_by(operand, repeat(""))
        if known is None:
            slots = tuple(self.slot(kind) for kind, _ in parts_of(of))
            known = self.variables[name] = Variable(of, slots)
        if not isinstance(known, Variable) or known.of != of:
            raise self.error(where, f"{name} has values of different kinds")
        for (kind, text), slot in zip(parts_of(operand), known.slots, strict=True):
            self.line(f"store {kind} {text}, ptr {slot}")

    def _real(self, known: Variable | Operand | None, operand: Operand) -> Real:
        """A floating-point number of the kind that a name has, if it has one already."""
        its = known.of if isinstance(known, Variable) else None
        kind = its.kind if isinstance(its, Real) else operand.kind if isinstance(operand, Real) else "double"
        return Real(self.real(operand, kind), kind)

    def change(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """Write an assignment that changes a number."""
        if isinstance(target, ast.Name):
            operand = self.binary(op, self.read(target), self.value(value), target)
            self.assign_name(target.id, operand, target)
            return
        location = self.location(target)
        self.put(location, self.binary(op, self.load(location), self.value(value), target))

    def location(self, node: ast.expr) -> Location:
        """Where a field or an element is in memory."""
        if isinstance(node, ast.Attribute):
            found = self.field(self.value(node.value), node.attr)
        elif isinstance(node, ast.Subscript):
            found = self.element(self.value(node.value), self.value(node.slice))
        else:
            found = None
        if not isinstance(found, Location):
            raise self.error(node, f"{ast.unparse(node)} is no number in memory")
        return found
