"""Modules of LLVM text: functions, each once for the types of its arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.functions import FunctionWriter
from maumau.kernels.compiler.direct.operands import Operand, Written, kind_of

ATTRIBUTES = 'nounwind "no-builtins"'
SMALL = "optsize"
"""The attribute of functions of a small program."""
INLINED = 100
"""Lines up to which a function is put in the place of all its calls; a longer one where it is called once, unless the
program is to be small."""


class ModuleWriter:
    """Writes functions, each once for the types of its arguments, and the constants that they read."""

    def __init__(self, names: dict[str, Any], small: bool) -> None:
        """names: those that functions of `maumau.kernels.compiled` take for granted, with what they stand for. A rule
        function may be called as an instruction is. small: as of a program.
        """
        self.names, self.small = names, small
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
        functions = (f"{head} {self._attributes(name, body)} {body}" for name, head, body in self.functions)
        return "\n".join([*constants, *sorted(self.declarations), *functions])

    def _attributes(self, name: str, body: str) -> str:
        """The attributes of a function, which may be put in the place of its calls, or never."""
        if body.count("\n") <= INLINED:
            return f"alwaysinline {ATTRIBUTES}"
        if self.small:
            return f"noinline {SMALL} {ATTRIBUTES}"
        return f"alwaysinline {ATTRIBUTES}" if self.calls[name] == 1 else ATTRIBUTES

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
