"""Expressions of Python as LLVM text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType, ModuleType

from fsm.edge.errors import CompilationError
from maumau.kernels.compiled.rows import deposit, extract
from maumau.kernels.compiler.direct.lines import FAULT, Lines
from maumau.kernels.compiler.direct.operands import (
    BITS,
    Array,
    Counting,
    Instruction,
    Location,
    Number64,
    Operand,
    Real,
    Record,
    Slots,
    TableOperand,
    Variable,
    WorkspaceOperand,
    given_by,
    is_number,
    is_real,
    number_of,
    parts_of,
)
from maumau.kernels.compiler.objects import moves_bits
from maumau.kernels.compiler.operators import (
    NOTHING,
    UNKNOWN,
    Known,
    Operator,
    Several,
    ValueMethod,
    constant,
)
from rules.chance import wide_product

PLAIN = {name: name for name in ("and", "or", "xor", "add", "sub", "mul", "shl")} | {"shr": "ashr"}
EXTREMES = {"min": ("smin", "olt"), "max": ("smax", "ogt")}
COMPARE = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
OF_REALS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "truediv": "fdiv"}
COMPARE_REALS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
"""The instructions of LLVM for operations, by their names."""
MOVING = {extract: "llvm.x86.bmi.pext.64", deposit: "llvm.x86.bmi.pdep.64"}
"""Instructions of x86-64 in place of functions."""


class Expressions(Lines):
    """Writes the expressions of one function."""

    # ------------------------------------------------------------ values

    def read(self, name: str) -> Operand:
        """What a name stands for."""
        found = self.names.get(name)
        if not isinstance(found, Variable):
            return super().read(name)
        kinds = (kind for kind, _ in parts_of(found.of))
        parts = [self.out(f"load {kind}, ptr {slot}") for kind, slot in zip(kinds, found.slots, strict=True)]
        return given_by(found.of, iter(parts))

    def known_condition(self, node: ast.expr) -> bool | None:
        """Whether a condition holds that names alone decide, which are known; None for any other."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                found = self.known_condition(operand)
                return None if found is None else not found
            case ast.BoolOp(op, values):
                deciding = isinstance(op, ast.Or)
                for value in values:
                    if (found := self.known_condition(value)) is None or found is deciding:
                        return found
                return not deciding
            case ast.Compare(one, [ast.Eq() | ast.NotEq() as op], [other]):
                known = self.known_value(one), self.known_value(other)
                return None if any(each is UNKNOWN for each in known) else bool(self.operator(op).compute(*known))
        known_value = self.known_value(node)
        return None if isinstance(node, ast.Constant) or known_value is UNKNOWN else bool(known_value)

    def known_value(self, node: ast.expr) -> object:
        """The value of a constant, or of a name that is known or an attribute of the game; UNKNOWN for any other."""
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                if name in self.names or name in self.local:
                    return constant(self.names.get(name))
                return self.outer(name)
            case ast.Attribute(ast.Name(name), attribute):
                game = constant(self.names.get(name))
                return getattr(game, attribute) if isinstance(game, ModuleType) else UNKNOWN
        return UNKNOWN

    def attribute(self, of: Operand, name: str) -> Operand | None:
        """An attribute, as every reader knows it, or one of a table, a workspace or an array."""
        match of:
            case TableOperand(layout, _) if name in layout.rows:
                return of.row(name)
            case WorkspaceOperand(names, _) if name in names:
                return of.part(name)
            case Array(_, _, shape) if name == "shape":
                return Several(tuple(map(Number64, shape)))
            case Array(_, kind, _) if name == "itemsize":
                return Known(kind.itemsize)
            case Array() if name == "ctypes":
                return ValueMethod(of, name)
            case ValueMethod(Array(at, _, _), "ctypes") if name == "data":
                return Number64(self.out(f"ptrtoint ptr {at} to i64"))
        return super().attribute(of, name)

    def item(self, of: Operand, index: Operand) -> Operand | None:
        """An element, or a part of an array."""
        if isinstance(of, Array) and (left := self.axes_left(of, index)):
            return Array(self.address(of, index), of.kind, left)
        if isinstance(of, Array) and of.kind.names is not None:
            return Record(self.address(of, index), of.kind)
        return super().item(of, index)

    def section(self, of: Operand, start: Operand, end: Operand) -> Operand | None:
        """The part of an array of one axis between two indices, which are in it."""
        if not isinstance(of, Array) or len(of.shape) != 1:
            return None
        return Array(self.address(of, start), of.kind, (self.out(f"sub i64 {self.word(end)}, {self.word(start)}"),))

    def entry(self, values: tuple[int, ...], index: Operand) -> Operand:
        """A number of a known tuple."""
        at = self.module.constant(tuple(map(number_of, values)) * 2)  # indices may be negative
        middle = self.out(f"getelementptr inbounds i64, ptr {at}, i64 {len(values)}")
        place = self.word(index)
        if self.checked:
            self.check(place, -len(values), 2 * len(values) - 1)
        return self.load(Location(self.address_at(middle, place, BITS)))

    def span(self, *limits: Operand) -> Operand:
        """A range."""
        if all(isinstance(limit, Known) for limit in limits):
            return super().span(*limits)
        start, stop, step = (Known(0), *limits, Known(1)) if len(limits) == 1 else (*limits, Known(1))[:3]
        if not isinstance(step, Known):
            raise CompilationError("the step of a range is not known")
        return Counting(self.word(start), self.word(stop), step.value)

    def length(self, of: Operand) -> Operand:
        """How many elements a row, an array or a tuple has."""
        match of:
            case Slots(_, _, length):
                return Known(length)
            case Array(_, _, shape):
                return Number64(shape[0])
        return super().length(of)

    # ------------------------------------------------------------ operations

    def operation(self, op: Operator, *operands: Operand) -> Operand:
        """Write an operation; the result of one on known numbers is known."""
        known = [constant(operand) for operand in operands]
        if all(isinstance(value, int | float) for value in known):
            return Known(op.compute(*known))
        return self.binary(op.name, *operands) if len(operands) > 1 else self.unary(op.name, *operands)

    def unary(self, op: str, of: Operand) -> Operand:
        """Write an operation on one number."""
        match op:
            case "not":
                return self.truth(self.out(f"xor i1 {self.as_bool(of)}, true"))
            case "bool":
                return self.truth(self.as_bool(of))
            case "pos":
                return of
            case "neg" if isinstance(of, Real):
                return Real(self.out(f"fneg {of.kind} {of.text}"), of.kind)
            case "abs" if isinstance(of, Real):
                name = "llvm.fabs.f32" if of.kind == "float" else "llvm.fabs.f64"
                return Real(self.intrinsic(of.kind, name, of.kind, f"{of.kind} {of.text}"), of.kind)
        word = self.word(of)
        match op:
            case "neg":
                word = self.out(f"sub i64 0, {word}")
            case "inv":
                word = self.out(f"xor i64 {word}, -1")
            case "abs":
                word = self.intrinsic("i64", "llvm.abs.i64", "i64, i1", f"i64 {word}, i1 false")
            case "popcount":
                word = self.intrinsic("i64", "llvm.ctpop.i64", "i64", f"i64 {word}")
            case "length":
                zeros = self.intrinsic("i64", "llvm.ctlz.i64", "i64, i1", f"i64 {word}, i1 false")
                word = self.out(f"sub i64 {BITS}, {zeros}")
        return Number64(word)

    def binary(self, op: str, one: Operand, other: Operand) -> Operand:
        """Write an operation on two numbers."""
        if is_real(one) or is_real(other) or op == "truediv":
            return self.of_reals(op, one, other)
        if op == "pow":
            return self.power(one, other)
        words = self.word(one), self.word(other)
        if op in COMPARE:
            return self.truth(self.out(f"icmp {COMPARE[op]} i64 {', '.join(words)}"))
        if op in EXTREMES:
            name = f"llvm.{EXTREMES[op][0]}.i64"
            return Number64(self.intrinsic("i64", name, "i64, i64", f"i64 {words[0]}, i64 {words[1]}"))
        if op in ("shl", "shr"):
            return Number64(self.shifted(op, *words))
        if op in PLAIN:
            return Number64(self.out(f"{PLAIN[op]} i64 {', '.join(words)}"))
        return Number64(self.divided(*words, rest=op == "mod"))

    def shifted(self, op: str, word: str, amount: str) -> str:
        """A word that is shifted: by more bits than it has if that is known, else by fewer, which is checked."""
        if amount.isdigit() and int(amount) >= BITS:
            return self.out(f"ashr i64 {word}, {BITS - 1}") if op == "shr" else "0"
        if self.checked:
            self.check(amount, 0, BITS - 1)
        return self.out(f"{PLAIN[op]} i64 {word}, {amount}")

    def of_reals(self, op: str, one: Operand, other: Operand) -> Operand:
        """Write an operation on two numbers of which one is a floating-point number, or a quotient."""
        are_small = all(isinstance(each, Real) and each.kind == "float" for each in (one, other))
        kind = "float" if are_small else "double"
        first, second = self.real(one, kind), self.real(other, kind)
        if op in COMPARE_REALS:
            return self.truth(self.out(f"fcmp {COMPARE_REALS[op]} {kind} {first}, {second}"))
        if op in EXTREMES:
            beyond = self.out(f"fcmp {EXTREMES[op][1]} {kind} {second}, {first}")
            return Real(self.out(f"select i1 {beyond}, {kind} {second}, {kind} {first}"), kind)
        if op not in OF_REALS:
            raise CompilationError(f"{op} of floating-point numbers is not known here")
        return Real(self.out(f"{OF_REALS[op]} {kind} {first}, {second}"), kind)

    def divided(self, one: str, other: str, *, rest: bool) -> str:
        """The quotient or the rest of a division that rounds down; 0 for a division by 0."""
        if self.checked:
            self.check(other, 1, -2)  # any but 0
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

    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Jump to one of two blocks by a condition."""
        if (known := self.known_condition(node)) is not None:
            self.jump(yes if known else no)
            return
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
        """Write `and`, `or` and the choice between two numbers; of one that is known, what is chosen."""

        def keep(value: ast.expr) -> Operand:
            found = self.value(value)
            self.line(f"store i64 {self.word(found)}, ptr {kept}")
            return found

        if isinstance(node, ast.IfExp) and (known := self.known_condition(node.test)) is not None:
            return self.value(node.body if known else node.orelse)
        kept, end = self.slot("i64"), self.fresh("end")
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
        return Number64(self.out(f"load i64, ptr {kept}"))

    def instruction(self, function: object) -> Callable[..., Operand] | None:
        """What a function is done by that is not read."""
        if isinstance(function, Instruction):
            return partial(function.write, self)
        if function in MOVING and moves_bits():
            return partial(self.moved, MOVING[function])
        return self.wide if function is wide_product else super().instruction(function)

    def made(self, record: type, named: Mapping[str | None, Operand]) -> Operand | None:
        """A record: a named tuple of numbers, rows, tables and arrays, none of which changes its place."""
        names: tuple[str, ...] | None = getattr(record, "_fields", None)
        if names is None:
            return None
        if named.keys() != set(names):
            raise CompilationError(f"{record.__name__} is created without naming each field: {', '.join(names)}")
        values = (named[name] for name in names)
        kept = (Number64(self.word(value)) if is_number(value) else value for value in values)
        return WorkspaceOperand(names, tuple(kept))

    def called(self, function: FunctionType, operands: Sequence[Operand]) -> Operand:
        """Write a call of a function, which is written before."""
        given = [Number64(self.word(operand)) if is_number(operand) else operand for operand in operands]
        written = self.module.function(function, given)
        passed = [f"{kind} {text}" for operand in given for kind, text in parts_of(operand)]
        arguments = ", ".join([*[FAULT] * self.module.checked, *passed])
        found = self.out(f"call {written.kind} {written.name}({arguments})")
        parts = [Number64(self.out(f"extractvalue {written.kind} {found}, {part}")) for part in range(written.count)]
        if not parts:
            return NOTHING
        return parts[0] if written.single else Several(tuple(parts))

    def moved(self, instruction: str, bits: Operand, mask: Operand) -> Operand:
        """The bits of a word that are moved to or from where a mask has some."""
        given = f"i64 {self.word(bits)}, i64 {self.word(mask)}"
        return Number64(self.intrinsic("i64", instruction, "i64, i64", given))

    def wide(self, one: Operand, other: Operand) -> Operand:
        """The upper and the lower 32 bits of the product of two words of 32 bits."""
        whole = self.out(f"mul i64 {self.word(one)}, {self.word(other)}")
        return Several(
            (Number64(self.out(f"lshr i64 {whole}, 32")), Number64(self.out(f"and i64 {whole}, {0xFFFFFFFF}")))
        )
