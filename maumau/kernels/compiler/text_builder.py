"""The lines of a function in LLVM text, with numbered values."""

from __future__ import annotations


class TextBuilder:
    """Writes lines. declarations: of the functions of LLVM that they call."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self._count = 0

    def out(self, text: str) -> str:
        """Write an instruction; the name of its result."""
        self._count += 1
        self.lines.append(f"  %t{self._count} = {text}")
        return f"%t{self._count}"

    def line(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {text}")

    def call(self, result: str, name: str, arguments: str, types: str) -> str:
        """Call a function of LLVM; the name of its result."""
        self.declarations.add(f"declare {result} @{name}({types})")
        return self.out(f"call {result} @{name}({arguments})")
