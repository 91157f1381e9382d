"""Programs in blocks of machine code, which are called with whole numbers and arrays."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from maumau.kernels.compiler.blocks import LoadedBlock
from maumau.kernels.compiler.objects import LoadedObject

if TYPE_CHECKING:
    import numpy as np

    from maumau.kernels.compiler.results import Array


NOTHING = ctypes.c_char * 0
"""No bytes of an array: where they lie is found in a quarter of the time of `array.ctypes.data`."""


class Area(NamedTuple):
    """Memory for which no numpy is needed: an array of the standard library, and its lengths along each axis."""

    memory: array[int]
    lengths: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """Its address and its lengths."""
        return self.memory.buffer_info()[0], *self.lengths

    def as_array(self, dtype: np.dtype[Any]) -> Array:
        """An array of numpy that shares its memory."""
        import numpy as np

        return np.ndarray(self.lengths, dtype, buffer=self.memory)


class NativeCode:
    """The entry of a program. A block takes words of 64 bits: a number is one, an array its address and its lengths.

    The types of areas are not compared.
    """

    def __init__(self, machine: LoadedBlock | LoadedObject, example: Callable[[], tuple[Any, ...]]) -> None:
        """machine: code in memory. example: makes arguments of the types that it takes."""
        self._machine, self._example = machine, example

    def __call__(self, *arguments: Any) -> int:
        """Call it. Raises TypeError for arrays of another type, and for those that do not lie in one piece."""
        return int(self._machine.call(*self._words(arguments)))

    def bound(self, *arguments: Any) -> Callable[[], int]:
        """A function that calls it with these arguments: where the arrays lie is found once. Raises TypeError."""
        words = self._words(arguments)

        def call(kept: tuple[Any, ...] = arguments) -> int:
            return int(self._machine.call(*words))

        return call

    def _words(self, arguments: tuple[Any, ...]) -> list[int]:
        """The words of arguments. Raises TypeError."""
        words: list[int] = []
        for position, argument in enumerate(arguments):
            if isinstance(argument, Area):
                words += argument.words
            elif hasattr(argument, "dtype") and argument.ndim:
                self._check(argument, self._types[position])
                words.append(ctypes.addressof(NOTHING.from_buffer(argument)))
                words += argument.shape
            else:
                words.append(index(argument))
        return words

    @cached_property
    def _types(self) -> list[Any]:
        """The type and the number of axes of each argument that is an array."""
        return [(each.dtype, each.ndim) if hasattr(each, "dtype") else None for each in self._example()]

    def _check(self, array: Array, kind: Any) -> None:
        if (array.dtype, array.ndim) != kind or not array.flags.carray:
            expected = f"{kind[0]}, {kind[1]} axes, in one piece" if kind else "a number"
            raise TypeError(f"an array of {array.dtype}, {array.ndim} axes, expected {expected}")
