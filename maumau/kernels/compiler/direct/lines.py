"""Lines of LLVM text: modules, the bodies of functions, and blocks and integers of Python functions."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.operands import (
    BITS,
    Array,
    Location,
    Number64,
    Operand,
    Real,
    Record,
    Slots,
    TableOperand,
    Unknown,
    Written,
    kind_of,
    number_of,
)
from maumau.kernels.compiler.operators import Known, Several
from maumau.kernels.compiler.partial import Evaluation
from maumau.kernels.compiler.reading import FunctionReader

REAL_KINDS = {4: "float", 8: "double"}
"""The floating-point numbers of LLVM by their bytes."""


def real_text(value: float, kind: str) -> str:
    """A floating-point number in LLVM text: the bits of a double, also of one that is stored in fewer."""
    (value,) = struct.unpack("<f", struct.pack("<f", value)) if kind == "float" else (value,)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


ATTRIBUTES = 'nounwind "no-builtins"'
SMALL = "optsize"
"""The attribute of functions of a small program."""
APART = f"noinline {ATTRIBUTES}", f"noinline minsize {SMALL} {ATTRIBUTES}"
"""The attributes of functions marked `apart`: those that are not made small, and those that are."""
INLINED = 100
"""Lines up to which a function is put in the place of all its calls, four times as many where it is checked; a longer
one where it is called once, unless the program is to be small."""


LARGE, COPIED = 200, 1000
"""Lines of a function, with those of functions that it alone calls, and lines of all its copies, above which it is not
put in the place of its calls, unless it is checked.
"""
CALLED = re.compile(r"call \{[^}]*\} (@f\d+\.\w*)")
"""A call of a function of the module."""
FAULTY = "faulty"
"""The block by which a function is left where there is a fault."""
PACKAGE = __name__.partition(".")[0]
"""The package whose own functions are not checked: those of games are."""
FAULT = "ptr noalias %fault"
"""The address of a word that is not 0 once there was a fault."""
FAULTED = f"""
!0 = !{{!"branch_weights", i32 1000000, i32 1}}
define internal i64 @faulted({FAULT}) alwaysinline {ATTRIBUTES} {{
  %found = load i64, ptr %fault
  %sound = icmp eq i64 %found, 0
  br i1 %sound, label %end, label %clear, !prof !0
clear:
  store i64 0, ptr %fault
  ret i64 1
end:
  ret i64 0
}}"""
"""Whether there was a fault since this was asked last."""


class Module:
    """Writes functions, each once for the types of its arguments, and the constants that they read."""

    def __init__(
        self, names: dict[str, Any], writer: Callable[[Module, FunctionType, str], Any], small: bool, checked: bool
    ) -> None:
        """names: those that functions of `maumau.kernels.compiled` take for granted, with what they stand for. A rule
        function may be called as an instruction is. small: as of a program.
        writer: makes what writes a function of this name, with a method `written`. checked: whether functions take the
        address FAULT, of a word that is not 0 once a rule function has done what is an error in Python: an index that
        is not there, a division by 0, a shift by less than 0, a byte of more than 8 bits; or has shifted by 64 bits or
        more.
        """
        self.names, self.writer, self.small, self.checked = names, writer, small, checked
        self.evaluation = Evaluation(names)
        self.functions: list[tuple[str, str, str]] = []
        self.calls = Counter[str]()
        self.constants: dict[tuple[int, ...], str] = {}
        self.declarations: set[str] = set()
        self._written: dict[tuple[object, ...], Written] = {}
        self._apart: dict[str, str] = {}
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
        lengths: dict[str, int] = {}
        for name, _, body in self.functions:  # those that it calls stand before it
            alone = (lengths[called] for called in CALLED.findall(body) if self.calls[called] == 1)
            lengths[name] = body.count("\n") + sum(alone)
        functions = (
            f"{head} {self._attributes(name, body, lengths[name])} {body}" for name, head, body in self.functions
        )
        return "\n".join([*constants, *sorted(self.declarations), FAULTED * self.checked, *functions])

    def _attributes(self, name: str, body: str, whole: int) -> str:
        """The attributes of a function, which may be put in the place of its calls, or never.

        whole: its lines, with those of functions that it alone calls.
        """
        if name in self._apart:
            return self._apart[name]
        calls = self.calls[name]
        is_large = not self.checked and calls > 1 and whole > LARGE and whole * calls > COPIED
        if body.count("\n") <= INLINED << 2 * self.checked and not is_large:
            return f"alwaysinline {ATTRIBUTES}"
        if self.small:
            return f"noinline {SMALL} {ATTRIBUTES}"
        return f"alwaysinline {ATTRIBUTES}" if calls == 1 else ATTRIBUTES

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
            self._written[key] = self.writer(self, function, name).written(operands)
            if hasattr(function, "apart"):
                self._apart[name] = APART[function.apart]
            self._open.pop()
        written = self._written[key]
        self.calls[written.name] += 1
        return written

    def constant(self, values: tuple[int, ...]) -> str:
        """The address of a row of constants."""
        return self.constants.setdefault(values, f"@constant{len(self.constants)}")


class Body:
    """Writes the lines of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def fresh(self, word: str = "t") -> str:
        """A new name."""
        self._count += 1
        return f"{word}{self._count}"

    def out(self, text: str) -> str:
        """Write an instruction; the name of its result."""
        name = f"%{self.fresh()}"
        self.line(f"{name} = {text}")
        return name

    def address_at(self, base: str, index: int | str, bits: int = 8) -> str:
        """Write the address of an element of so many bits, of those that begin at `base`."""
        return self.out(f"getelementptr inbounds i{bits}, ptr {base}, i64 {index}")

    def increase(self, base: str, index: int | str, value: str) -> None:
        """Add to one of the words that begin at `base`."""
        at = self.address_at(base, index, 64)
        old = self.out(f"load i64, ptr {at}")
        self.line(f"store i64 {self.out(f'add i64 {old}, {value}')}, ptr {at}")

    def line(self, text: str) -> None:
        """Write an instruction without a result, or with a result that is named."""
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def definition(self, head: str, end: str = "ret void") -> str:
        """The whole function, which is not seen from outside. end: its last instruction."""
        return "\n".join([f"define internal {head} {{", *self.lines, f"  {end}", "}", ""])


class Lines(FunctionReader[Unknown, Location], Body):
    """Writes the lines of one Python function."""

    def __init__(self, module: Module, function: FunctionType) -> None:
        FunctionReader.__init__(self, function)
        Body.__init__(self)
        self.module = module
        self.checked = module.checked and function.__module__.partition(".")[0] != PACKAGE
        self.slots: list[str] = []
        self.reached, self.may_fail = True, False

    def slot(self, kind: str) -> str:
        """Room in memory for as long as the function runs; its address."""
        name = f"%{self.fresh('s')}"
        self.slots.append(f"  {name} = alloca {kind}, align 16")
        return name

    def start(self, label: str) -> None:
        """Begin a block."""
        if self.reached:
            self.jump(label)
        self.label(label)
        self.reached = True

    def jump(self, label: str) -> None:
        """End a block."""
        self.line(f"br label %{label}")
        self.reached = False

    def intrinsic(self, result: str, name: str, types: str, given: str) -> str:
        """Call an intrinsic function of LLVM."""
        self.module.declarations.add(f"declare {result} @{name}({types})")
        return self.out(f"call {result} @{name}({given})")

    def check(self, word: str, least: int, most: int | str) -> None:
        """Leave the function, as there is a fault, unless a word is `least`, or at most `most` more."""
        offset = word if least == 0 else self.out(f"sub i64 {word}, {least}")
        self.leave_unless(self.out(f"icmp ule i64 {offset}, {most}"))

    def leave_unless(self, sound: str) -> None:
        """Go on if a condition holds, and else leave the function."""
        following = self.fresh("sound")
        self.line(f"br i1 {sound}, label %{following}, label %{FAULTY}, !prof !0")
        self.label(following)
        self.may_fail = True

    def field(self, of: Operand, name: str) -> Location | None:
        """Where an integer of a table or a record is."""
        if isinstance(of, TableOperand) and name in of.layout.scalars:
            location = list(of.layout.scalars).index(name)
            return Location(self.out(f"getelementptr inbounds i64, ptr {of.at[0]}, i64 {location}"))
        if isinstance(of, Record) and of.kind.fields and name in of.kind.fields:
            kind, offset, *_ = of.kind.fields[name]
            return self.stored(kind, self.out(f"getelementptr inbounds i8, ptr {of.at}, i64 {offset}"))
        return None

    def element(self, of: Operand, index: Operand) -> Location | None:
        """Where an element of a row or an array is."""
        if isinstance(of, Slots):
            at = self.word(index)
            if self.checked:
                self.check(at, -of.length, 2 * of.length - 1)
                at = self.from_the_end(at, str(of.length))
            return Location(self.address_at(of.at, at, of.bits), of.bits, of.bits > 8)
        if isinstance(of, Array) and of.kind.names is None and not self.axes_left(of, index):
            return self.stored(of.kind, self.address(of, index))
        return None

    def stored(self, kind: Any, at: str) -> Location:
        """A number of a type of numpy at an address."""
        if kind.kind == "f" and kind.itemsize in REAL_KINDS:
            return Location(at, 8 * kind.itemsize, real=REAL_KINDS[kind.itemsize])
        if kind.kind not in "iu" or (kind.kind == "u" and kind.itemsize == 8):
            raise CompilationError(f"numbers of type {kind}")
        return Location(at, 8 * kind.itemsize, kind.kind == "i")

    def indices(self, index: Operand) -> Sequence[Operand]:
        """The numbers of an index, one for each axis."""
        several = isinstance(index, Several) or (isinstance(index, Known) and isinstance(index.value, tuple))
        return self.parts(index) if several else (index,)

    def axes_left(self, of: Array, index: Operand) -> tuple[str, ...]:
        """The lengths of the axes for which an index has no number."""
        return of.shape[len(self.indices(index)) :]

    def address(self, of: Array, index: Operand) -> str:
        """The address of what is at an index of an array; a negative number counts from the end."""
        indices = self.indices(index)
        if len(indices) > len(of.shape):
            raise CompilationError("an index of more axes than the array has")
        location = "0"
        for part, length in zip(indices, of.shape, strict=False):
            at = self.from_the_end(self.word(part), length)
            location = at if location == "0" else self.out(f"add i64 {self.out(f'mul i64 {location}, {length}')}, {at}")
        for length in self.axes_left(of, index):
            location = self.out(f"mul i64 {location}, {length}")
        offset = self.out(f"mul i64 {location}, {of.kind.itemsize}")
        return self.out(f"getelementptr inbounds i8, ptr {of.at}, i64 {offset}")

    def from_the_end(self, index: str, length: str) -> str:
        """An index, which counts from the end if it is negative."""
        negative, other = self.out(f"icmp slt i64 {index}, 0"), self.out(f"add i64 {index}, {length}")
        return self.out(f"select i1 {negative}, i64 {other}, i64 {index}")

    def load(self, location: Location) -> Number64 | Real:
        """Read a number."""
        if location.real:
            return Real(self.out(f"load {location.real}, ptr {location.at}"), location.real)
        if location.bits == BITS:
            return Number64(self.out(f"load i64, ptr {location.at}"))
        found = self.out(f"load i{location.bits}, ptr {location.at}, align {location.bits // 8}")
        return Number64(self.out(f"{'sext' if location.signed else 'zext'} i{location.bits} {found} to i64"))

    def store(self, location: Location, word: str) -> None:
        """Write a number, or the lower bits of it that have room."""
        value = word if location.bits == BITS else self.out(f"trunc i64 {word} to i{location.bits}")
        self.line(f"store i{location.bits} {value}, ptr {location.at}, align {location.bits // 8}")

    def put(self, location: Location, operand: Operand) -> None:
        """Write a number as it is stored there."""
        if location.real:
            self.line(f"store {location.real} {self.real(operand, location.real)}, ptr {location.at}")
        else:
            word = self.word(operand)
            if self.checked and location.bits == 8:
                self.check(word, 0, 0xFF)
            self.store(location, word)

    def real(self, operand: Operand, kind: str) -> str:
        """A number as a floating-point number of a kind."""
        match operand:
            case Real(text, its) if its == kind:
                return text
            case Real(text, its):
                return self.out(f"{'fpext' if kind == 'double' else 'fptrunc'} {its} {text} to {kind}")
            case Known(value) if isinstance(value, int | float):
                return real_text(float(value), kind)
        return self.out(f"sitofp i64 {self.word(operand)} to {kind}")

    def word(self, operand: Operand) -> str:
        """An integer as 64 bits."""
        match operand:
            case Number64(text):
                return text
            case Known(value) if isinstance(value, int):
                return str(number_of(value))
        raise CompilationError("a value that is not an integer is used as one")

    def as_bool(self, operand: Operand) -> str:
        """Whether a number is not zero, as one bit."""
        return self.out(f"icmp ne i64 {self.word(operand)}, 0")

    def truth(self, bit: str) -> Number64:
        """One bit as a number."""
        return Number64(self.out(f"zext i1 {bit} to i64"))
