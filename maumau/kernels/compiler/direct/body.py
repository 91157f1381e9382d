"""The body of a function in LLVM text: instructions whose results are numbered."""

from __future__ import annotations


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

    def increase(self, base: str, index: int, value: str) -> None:
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

    def definition(self, head: str) -> str:
        """The whole function, which is not seen from outside."""
        return "\n".join([f"define internal {head} {{", *self.lines, "}", ""])
