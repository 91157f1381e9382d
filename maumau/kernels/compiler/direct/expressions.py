"""Expressions of Python as LLVM text."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any, cast

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.lines import Lines
from maumau.kernels.compiler.direct.operands import (
    BITS,
    NOTHING,
    Array,
    Boolean,
    Instruction,
    Known,
    Location,
    Method,
    Module,
    Operand,
    Real,
    Record,
    Several,
    Slots,
    TableOperand,
    Variable,
    Word,
    given_by,
    is_number,
    is_real,
    number_of,
    parts_of,
    tuple_of,
)
from maumau.kernels.compiler.syntax import NoSourceError, syntax_of
from rules.chance import wide_product
from rules.rule import role_of

PLAIN = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.LShift: "shl", ast.RShift: "ashr"}
BITWISE = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
FOLDED: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge"}
OF_REALS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
COMPARE_REALS = {ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge"}
READING = frozenset({"bit_count", "bit_length", "count", "index"})
"""The methods of known values that source may call: they change nothing."""
MAX_POWER = 8
"""The greatest exponent of a power that is multiplied out."""


def common_kind(*operands: Operand) -> str:
    """The kind of floating-point number in which an operation is computed: of 32 bits if all operands are."""
    return "float" if all(isinstance(operand, Real) and operand.kind == "float" for operand in operands) else "double"


class Expressions(Lines):
    """Writes the expressions of one function. variables: what its names stand for. local: all names that it assigns."""

    def __init__(self, module: Module, function: FunctionType, tree: ast.FunctionDef) -> None:
        super().__init__(module, function, tree)
        self.variables: dict[str, Variable | Operand] = {}
        self.local = {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    def value(self, node: ast.expr) -> Operand:
        """Write an expression."""
        match node:
            case ast.Constant(value):
                return Known(value)
            case ast.Name():
                return self.read(node)
            case ast.Attribute(of, name):
                return self.attribute(node, self.value(of), name)
            case ast.Subscript(of, ast.Slice(lower, upper, None)) if lower and upper:
                return self.section(node, self.value(of), self.value(lower), self.value(upper))
            case ast.Subscript(of, index):
                return self.item(node, self.value(of), self.value(index))
            case ast.Tuple(elements):
                return tuple_of([self.value(element) for element in elements])
            case ast.BinOp(one, op, other):
                return self.binary(op, self.value(one), self.value(other), node)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp() | ast.IfExp():
                return self.chosen(node)
            case ast.Call(function, arguments, keywords):
                called, given = self.value(function), [self.value(each) for each in arguments]
                return self.call(node, called, given, {each.arg: self.value(each.value) for each in keywords})
        raise self.error(node, f"{type(node).__name__} is not known here")

    def read(self, node: ast.Name) -> Operand:
        """What a name stands for."""
        found = self.variables.get(node.id)
        if isinstance(found, Variable):
            kinds = (kind for kind, _ in parts_of(found.of))
            parts = [self.out(f"load {kind}, ptr {slot}") for kind, slot in zip(kinds, found.slots, strict=True)]
            return given_by(found.of, iter(parts))
        if found is not None:
            return found
        if node.id in self.local:
            raise self.error(node, f"{node.id} is read before it is assigned")
        return Known(self.outer(node))

    def outer(self, node: ast.Name) -> object:
        """The value of a name from outside of the function."""
        closure = self.function.__closure__ or ()
        names = dict(zip(self.function.__code__.co_freevars, closure, strict=True))
        if node.id in names:
            try:
                return cast(object, names[node.id].cell_contents)
            except ValueError:
                raise self.error(node, f"{node.id} has no value") from None
        given = {} if role_of(self.function) else self.module.names
        for scope in (self.function.__globals__, vars(builtins), given):
            if node.id in scope:
                return scope[node.id]
        raise self.error(node, f"{node.id} is not known")

    def known_condition(self, node: ast.expr) -> bool | None:
        """Whether a condition holds that names alone decide, which are known; None for any other."""
        match node:
            case ast.Name() if node.id not in self.variables and node.id not in self.local:
                return bool(self.outer(node))
            case ast.UnaryOp(ast.Not(), operand):
                found = self.known_condition(operand)
                return None if found is None else not found
            case ast.BoolOp(op, values):
                found, deciding = self.known_condition(values[0]), isinstance(op, ast.Or)
                return deciding if found is deciding else None
        return None

    def attribute(self, node: ast.Attribute, of: Operand, name: str) -> Operand:
        """An attribute of a table, a record, an array, a number, a module or a class."""
        if isinstance(of, Known) and isinstance(of.value, ModuleType | type):
            return Known(getattr(of.value, name))
        if isinstance(of, TableOperand) and name in of.layout.rows:
            return of.row(name)
        if isinstance(of, Array) and name == "shape":
            return Several(tuple(map(Word, of.shape)))
        if isinstance(of, Array) and name == "itemsize":
            return Known(of.kind.itemsize)
        if isinstance(of, Method) and (of.name, name) == ("ctypes", "data"):
            (_, address), *_ = parts_of(of.of)
            return Word(self.out(f"ptrtoint ptr {address} to i64"))
        if location := self.field(of, name):
            return self.load(location)
        if isinstance(of, Known) and isinstance(of.value, int | str | bytes | tuple | range):
            return Method(of, name)
        if is_number(of) or isinstance(of, Array):
            return Method(of, name)
        raise self.error(node, f"{ast.unparse(node)} is not known here")

    def item(self, node: ast.Subscript, of: Operand, index: Operand) -> Operand:
        """An element of a row, an array or a tuple, or a part of an array."""
        if isinstance(of, Array) and (left := self.axes_left(of, index)):
            return Array(self.address(of, index), of.kind, left)
        if isinstance(of, Array) and of.kind.names is not None:
            return Record(self.address(of, index), of.kind)
        if isinstance(of, Several) and isinstance(index, Known) and index.value in range(len(of.parts)):
            return of.parts[int(index.value)]
        if isinstance(of, Known):
            values = of.value.tolist() if hasattr(of.value, "tolist") else of.value
            if not isinstance(values, tuple | list | range | bytes):
                raise self.error(node, "an index into what is no tuple")
            if isinstance(index, Known):
                return Known(values[index.value])
            return self.looked_up(node, tuple(values), Word(self.word(index)))
        try:
            return self.load(self.element(of, index))
        except CompilationError as error:
            raise self.error(node, str(error)) from None

    def section(self, node: ast.Subscript, of: Operand, start: Operand, end: Operand) -> Operand:
        """The part of an array of one axis between two indices, which are in it."""
        if not isinstance(of, Array) or len(of.shape) != 1:
            raise self.error(node, "a part of what is no array of one axis")
        return Array(self.address(of, start), of.kind, (self.out(f"sub i64 {self.word(end)}, {self.word(start)}"),))

    def looked_up(self, node: ast.AST, values: tuple[Any, ...], index: Word) -> Operand:
        """An element of a known tuple of numbers, or of tuples of them."""
        if values and all(isinstance(value, int) for value in values):
            at = self.module.constant(tuple(number_of(value, node) for value in values) * 2)  # indices may be negative
            middle = self.out(f"getelementptr inbounds i64, ptr {at}, i64 {len(values)}")
            return self.load(Location(self.out(f"getelementptr inbounds i64, ptr {middle}, i64 {index.text}")))
        if values and all(isinstance(value, tuple) and len(value) == len(values[0]) for value in values):
            return Several(tuple(self.looked_up(node, column, index) for column in zip(*values, strict=True)))
        raise self.error(node, "an index into a tuple of what are no numbers")

    def binary(self, op: ast.operator, one: Operand, other: Operand, node: ast.AST) -> Operand:
        """Write an operation on two numbers."""
        if isinstance(one, Known) and isinstance(other, Known):
            return self.folded(op, node, one, other)
        if isinstance(one, Boolean) and isinstance(other, Boolean) and type(op) in BITWISE:
            return Boolean(self.out(f"{BITWISE[type(op)]} i1 {one.text}, {other.text}"))
        if is_real(one) or is_real(other) or isinstance(op, ast.Div):
            return self.real_result(op, one, other, node)
        verb = (PLAIN | BITWISE).get(type(op))
        given = self.word(one), self.word(other)
        if verb:
            return Word(self.out(f"{verb} i64 {given[0]}, {given[1]}"))
        if isinstance(op, ast.Pow) and isinstance(other, Known) and 0 < other.value <= MAX_POWER:
            return Word(self.power(given[0], other.value))
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return Word(self.divided(*given, rest=isinstance(op, ast.Mod)))
        raise self.error(node, f"{type(op).__name__} is not known here")

    def real_result(self, op: ast.operator, one: Operand, other: Operand, node: ast.AST) -> Real:
        """Write an operation on two numbers of which one is a floating-point number, or a quotient."""
        if type(op) not in OF_REALS:
            raise self.error(node, f"{type(op).__name__} of floating-point numbers is not known here")
        kind = common_kind(one, other)
        return Real(self.out(f"{OF_REALS[type(op)]} {kind} {self.real(one, kind)}, {self.real(other, kind)}"), kind)

    def power(self, word: str, exponent: int) -> str:
        """A power of a number, multiplied out."""
        found = word
        for _ in range(exponent - 1):
            found = self.out(f"mul i64 {found}, {word}")
        return found

    def divided(self, one: str, other: str, *, rest: bool) -> str:
        """The quotient or the rest of a division that rounds down; 0 for a division by 0."""
        special = self.out(f"icmp ult i64 {self.out(f'add i64 {other}, 1')}, 2")  # 0 and -1
        divisor = self.out(f"select i1 {special}, i64 1, i64 {other}")
        left = self.out(f"srem i64 {one}, {divisor}")
        unlike = self.out(f"icmp slt i64 {self.out(f'xor i64 {left}, {divisor}')}, 0")
        down = self.out(f"and i1 {self.out(f'icmp ne i64 {left}, 0')}, {unlike}")
        if rest:  # that by 1 is 0, as those by 0 and -1 are
            return self.out(f"add i64 {left}, {self.out(f'select i1 {down}, i64 {divisor}, i64 0')}")
        quotient = self.out(f"sdiv i64 {one}, {divisor}")
        found = self.out(f"sub i64 {quotient}, {self.out(f'zext i1 {down} to i64')}")
        return self.out(f"select i1 {special}, i64 {self.out(f'mul i64 {one}, {other}')}, i64 {found}")

    def unary(self, node: ast.UnaryOp) -> Operand:
        """Write an operation on one number."""
        if isinstance(node.op, ast.Not):
            found = self.value(node.operand)
            if isinstance(found, Known):
                return Known(not found.value)
            return Boolean(self.out(f"xor i1 {self.as_bool(found)}, true"))
        found = self.value(node.operand)
        if isinstance(found, Known):
            return self.folded(node.op, node, found)
        match node.op:
            case ast.USub() if isinstance(found, Real):
                return Real(self.out(f"fneg {found.kind} {found.text}"), found.kind)
            case ast.USub():
                return Word(self.out(f"sub i64 0, {self.word(found)}"))
            case ast.Invert():
                return Word(self.out(f"xor i64 {self.word(found)}, -1"))
        return found

    def folded(self, op: ast.AST, node: ast.AST, *known: Known) -> Known:
        """The result of an operation on known numbers."""
        values = [each.value for each in known]
        if type(op) not in FOLDED or not all(isinstance(value, int | float) for value in values):
            raise self.error(node, f"{type(op).__name__} is not known here")
        try:
            return Known(FOLDED[type(op)](*values))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise self.error(node, str(error)) from None

    def comparison(self, node: ast.Compare) -> Operand:
        """Write comparisons."""
        operands = [self.value(each) for each in (node.left, *node.comparators)]
        found: Operand | None = None
        for op, one, other in zip(node.ops, operands, operands[1:], strict=False):
            holds = self.compared(op, one, other, node)
            found = holds if found is None else self.binary(ast.BitAnd(), found, holds, node)
        assert found is not None
        return found

    def compared(self, op: ast.cmpop, one: Operand, other: Operand, node: ast.AST) -> Operand:
        """Write a comparison."""
        if isinstance(op, ast.In | ast.NotIn):
            return self.contained(one, other, node, among=isinstance(op, ast.In))
        if isinstance(one, Known) and isinstance(other, Known):
            return self.folded(op, node, one, other)
        if Several in (type(one), type(other)) and isinstance(op, ast.Eq | ast.NotEq):
            return self.alike(one, other, node, equal=isinstance(op, ast.Eq))
        if type(op) not in COMPARE:
            raise self.error(node, f"{type(op).__name__} is not known here")
        if is_real(one) or is_real(other):
            kind = common_kind(one, other)
            verb = COMPARE_REALS[type(op)]
            return Boolean(self.out(f"fcmp {verb} {kind} {self.real(one, kind)}, {self.real(other, kind)}"))
        return Boolean(self.out(f"icmp {COMPARE[type(op)]} i64 {self.word(one)}, {self.word(other)}"))

    def alike(self, one: Operand, other: Operand, node: ast.AST, *, equal: bool) -> Operand:
        """Write whether two tuples are equal, or whether they are not."""
        parts, others = self.parts(one, node), self.parts(other, node)
        if len(parts) != len(others):
            raise self.error(node, "a tuple of another length")
        found: Operand = Boolean("true")
        for part, its in zip(parts, others, strict=True):
            found = self.binary(ast.BitAnd(), found, self.compared(ast.Eq(), part, its, node), node)
        return found if equal else Boolean(self.out(f"xor i1 {self.as_bool(found)}, true"))

    def contained(self, one: Operand, other: Operand, node: ast.AST, *, among: bool) -> Operand:
        """Write whether a number is one of several."""
        if isinstance(other, Known) and isinstance(other.value, tuple | list | range | frozenset | set):
            parts: tuple[Operand, ...] = tuple(map(Known, other.value))
        else:
            parts = self.parts(other, node)
        found: Operand = Boolean("false")
        for part in parts:
            equal = Boolean(self.out(f"icmp eq i64 {self.word(one)}, {self.word(part)}"))
            found = self.binary(ast.BitOr(), found, equal, node)
        return found if among else Boolean(self.out(f"xor i1 {self.as_bool(found)}, true"))

    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Jump to one of two blocks by a condition."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                self.branch(operand, no, yes)
            case ast.BoolOp(op, [*values, last]):
                for value in values:
                    following = self.fresh("next")
                    self.branch(value, *((following, no) if isinstance(op, ast.And) else (yes, following)))
                    self.start(following)
                self.branch(last, yes, no)
            case _:
                self.line(f"br i1 {self.as_bool(self.value(node))}, label %{yes}, label %{no}")
                self.reached = False

    def chosen(self, node: ast.BoolOp | ast.IfExp) -> Operand:
        """Write `and`, `or` and the choice between two numbers."""
        kept, end = self.slot("i64"), self.fresh("end")
        operands: list[Operand] = []

        def keep(value: ast.expr) -> Operand:
            operands.append(self.value(value))
            self.line(f"store i64 {self.word(operands[-1])}, ptr {kept}")
            return operands[-1]

        if isinstance(node, ast.IfExp):
            yes, no = self.fresh("yes"), self.fresh("no")
            self.branch(node.test, yes, no)
            for label, value in ((yes, node.body), (no, node.orelse)):
                self.start(label)
                keep(value)
                self.jump(end)
        else:
            for value in node.values[:-1]:
                following, holds = self.fresh("next"), self.as_bool(keep(value))
                both = isinstance(node.op, ast.And)
                self.line(f"br i1 {holds}, label %{following if both else end}, label %{end if both else following}")
                self.reached = False
                self.start(following)
            keep(node.values[-1])
            self.jump(end)
        self.start(end)
        found = self.out(f"load i64, ptr {kept}")
        truths = all(isinstance(each, Boolean) or isinstance(getattr(each, "value", None), bool) for each in operands)
        return Boolean(self.out(f"icmp ne i64 {found}, 0")) if truths else Word(found)

    def call(
        self, node: ast.Call, function: Operand, operands: Sequence[Operand], named: dict[str | None, Operand]
    ) -> Operand:
        """Write a call."""
        if isinstance(function, Method) and not named:
            return self.method(node, function, operands)
        known = function.value if isinstance(function, Known) else None
        if isinstance(known, Instruction) and not named:
            return known.write(self, *operands)
        if known is wide_product:
            return self.wide(*operands)
        if known in BUILTINS and not named:
            return BUILTINS[known](self, *operands)
        if not isinstance(known, FunctionType) or not self.may_call(known):
            raise self.error(node, f"{ast.unparse(node.func)} is called, which is no rule function")
        return self.called(known, self.bound(node, known, operands, named))

    def may_call(self, function: FunctionType) -> bool:
        """Whether a function is a rule function. What is no rule function itself may call any."""
        return role_of(function) is not None or role_of(self.function) is None

    def bound(
        self, node: ast.AST, function: FunctionType, operands: Sequence[Operand], named: dict[str | None, Operand]
    ) -> list[Operand]:
        """The arguments of a function in their order, with those that are left out."""
        try:
            arguments = syntax_of(function).args
        except NoSourceError as error:
            raise self.error(node, str(error)) from None
        names = [argument.arg for argument in arguments.args]
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise self.error(node, f"the arguments of {function.__name__} are not plain ones")
        defaults = function.__defaults__ or ()
        given: dict[str | None, Operand] = {}
        given.update(zip(names[len(names) - len(defaults) :], map(Known, defaults), strict=True))
        given.update(zip(names, operands, strict=False))
        given.update(named)
        if given.keys() != set(names) or len(operands) > len(names):
            raise self.error(node, f"the arguments of {function.__name__} are not plain ones")
        return [given[name] for name in names]

    def called(self, function: FunctionType, operands: Sequence[Operand]) -> Operand:
        """Write a call of a function, which is written before."""
        given = [Word(self.word(operand)) if is_number(operand) else operand for operand in operands]
        written = self.module.function(function, given)
        arguments = ", ".join(f"{kind} {text}" for operand in given for kind, text in parts_of(operand))
        if not written.parts:
            self.line(f"call void {written.name}({arguments})")
            return NOTHING
        if written.single:
            (kind,) = written.parts
            found = self.out(f"call {kind} {written.name}({arguments})")
            return Boolean(found) if kind == "i1" else Word(found)
        kind = f"{{ {', '.join(written.parts)} }}"
        found = self.out(f"call {kind} {written.name}({arguments})")
        parts = [self.out(f"extractvalue {kind} {found}, {part}") for part in range(len(written.parts))]
        return Several(
            tuple(
                Boolean(part) if kind == "i1" else Word(part) for part, kind in zip(parts, written.parts, strict=True)
            )
        )

    def method(self, node: ast.AST, method: Method, operands: Sequence[Operand]) -> Operand:
        """Write a call of a method of an integer, or of one that is known with all that is given to it."""
        if isinstance(method.of, Known) and all(isinstance(operand, Known) for operand in operands):
            return self.of_known(node, method, [operand.value for operand in operands if isinstance(operand, Known)])
        if operands or method.name not in ("bit_count", "bit_length"):
            raise self.error(node, f"the method {method.name} is not known here")
        word = self.word(method.of)
        if method.name == "bit_count":
            return Word(self.intrinsic("i64", "llvm.ctpop.i64", "i64", f"i64 {word}"))
        zeros = self.intrinsic("i64", "llvm.ctlz.i64", "i64, i1", f"i64 {word}, i1 false")
        return Word(self.out(f"sub i64 {BITS}, {zeros}"))

    def of_known(self, node: ast.AST, method: Method, values: Sequence[Any]) -> Known:
        """The result of a method of a known value."""
        if not isinstance(method.of, Known) or method.name not in READING:
            raise self.error(node, f"the method {method.name} is not known here")
        try:
            return Known(getattr(method.of.value, method.name)(*values))
        except (AttributeError, TypeError, ValueError) as error:
            raise self.error(node, str(error)) from None

    def wide(self, one: Operand, other: Operand) -> Operand:
        """The upper and the lower 32 bits of the product of two words of 32 bits."""
        whole = self.out(f"mul i64 {self.word(one)}, {self.word(other)}")
        return Several((Word(self.out(f"lshr i64 {whole}, 32")), Word(self.out(f"and i64 {whole}, {0xFFFFFFFF}"))))

    def extreme(self, verb: str, operands: Sequence[Operand]) -> Operand:
        """The greatest or the least of some numbers."""
        if any(map(is_real, operands)):
            return self.extreme_real("ogt" if verb == "smax" else "olt", operands)
        found, *rest = (self.word(operand) for operand in operands)
        for each in rest:
            found = self.intrinsic("i64", f"llvm.{verb}.i64", "i64, i64", f"i64 {found}, i64 {each}")
        return Word(found)

    def extreme_real(self, verb: str, operands: Sequence[Operand]) -> Operand:
        """The greatest or the least of some floating-point numbers."""
        kind = common_kind(*operands)
        found, *rest = (self.real(operand, kind) for operand in operands)
        for each in rest:
            beyond = self.out(f"fcmp {verb} {kind} {each}, {found}")
            found = self.out(f"select i1 {beyond}, {kind} {each}, {kind} {found}")
        return Real(found, kind)

    def length(self, of: Operand) -> Operand:
        """How many elements a row, an array or a tuple has."""
        match of:
            case Slots(_, _, length):
                return Known(length)
            case Array(_, _, shape):
                return Word(shape[0])
            case Known(value) if hasattr(value, "__len__"):
                return Known(len(value))
        return Known(len(self.parts(of, self.tree)))

    def absolute(self, of: Operand) -> Operand:
        """A number without its sign."""
        if isinstance(of, Real):
            name = "llvm.fabs.f32" if of.kind == "float" else "llvm.fabs.f64"
            return Real(self.intrinsic(of.kind, name, of.kind, f"{of.kind} {of.text}"), of.kind)
        return Word(self.intrinsic("i64", "llvm.abs.i64", "i64, i1", f"i64 {self.word(of)}, i1 false"))


BUILTINS: dict[Any, Callable[..., Operand]] = {
    len: Expressions.length,
    abs: Expressions.absolute,
    int: lambda writer, of: Word(writer.word(of)),
    bool: lambda writer, of: Boolean(writer.as_bool(of)),
    min: lambda writer, *operands: writer.extreme("smin", operands),
    max: lambda writer, *operands: writer.extreme("smax", operands),
}
"""The functions of Python that source may call."""
