"""Programs in blocks of machine code, which are called with whole numbers and arrays."""

from __future__ import annotations

from array import array
from operator import index
from typing import Any, NamedTuple

from fsm.compiler.blocks import Block, LoadedBlock


class Area(NamedTuple):
    """Memory for which no numpy is needed: an array of the standard library, and its lengths along each axis."""

    memory: array[int]
    lengths: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """Its address and its lengths."""
        return self.memory.buffer_info()[0], *self.lengths


class NativeCode:
    """The entry of a program. A block takes words of 64 bits: a number is one, an array its address and its lengths.

    The types of areas are not compared.
    """

    def __init__(self, block: Block, example: tuple[Any, ...]) -> None:
        """example: arguments of the types that it takes. Raises OSError where memory cannot be executed."""
        self._types = [(each.dtype, each.ndim) if hasattr(each, "dtype") else None for each in example]
        words = sum(1 if kind is None else 1 + kind[1] for kind in self._types)
        self._block = LoadedBlock(block, words)

    def __call__(self, *arguments: Any) -> int:
        """Call it. Raises TypeError for arrays of another type, and for those that do not lie in one piece."""
        words: list[int] = []
        for argument, kind in zip(arguments, self._types, strict=True):
            if isinstance(argument, Area):
                words += argument.words
                continue
            if kind is None:
                words.append(index(argument))
                continue
            if (argument.dtype, argument.ndim) != kind or not argument.flags.carray:
                expected = f"{kind[0]}, {kind[1]} axes, in one piece"
                raise TypeError(f"an array of {argument.dtype}, {argument.ndim} axes, expected {expected}")
            words.append(argument.ctypes.data)
            words += argument.shape
        return int(self._block.call(*words))
