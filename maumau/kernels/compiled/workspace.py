"""Workspaces: records of arrays that a program takes as one argument.

A workspace is a record of arrays (`maumau.kernels.compiled.arrays`): its class says which arrays there are, `allocate`
makes them, the compiled function reads them as `work.tables`, and NumPy sees the same memory. A number is what it was
when the function was called. A compiled function can make such a record as well, by naming all its fields: also of
tables, and of rows that last as long as the function runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsm.edge.numbers import np
from maumau.kernels.compiled.arrays import axes_of, dtype_of, types_of
from maumau.kernels.compiled.interface import Interface


def empty(hint: Any) -> Any:
    """Return a value of a type without elements: of a workspace, an array or a number. hint: the type."""
    if hint is Interface:
        return hint
    if hint is int:
        return 0
    if isinstance(hint, type):
        return hint(*map(empty, types_of(hint).values()))
    return np.zeros((0,) * axes_of(hint), dtype_of(hint))


def warm_up_of(entry: Callable[..., Any]) -> tuple[Any, ...]:
    """Return arguments of the types that a function is annotated with, with which it does no work: zeros, arrays
    without elements, and `Interface` for the game.
    """
    return tuple(empty(hint) for name, hint in types_of(entry).items() if name != "return")


def type_text(argument: Any) -> str:
    """Return the type of an argument in words: machine code for one type cannot be called with another."""
    if isinstance(argument, tuple):  # its fields are passed by their places
        names = getattr(argument, "_fields", map(str, range(len(argument))))
        fields = (f"{name}: {type_text(value)}" for name, value in zip(names, argument, strict=False))
        return f"{type(argument).__name__}({', '.join(fields)})"
    kind = argument if isinstance(argument, type) else getattr(argument, "dtype", type(argument).__name__)
    return f"{kind} {getattr(argument, 'ndim', 0)}"


def words_of(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the numbers and arrays of arguments: what a workspace holds stands in its place, nothing in that of the
    game.
    """
    words: list[Any] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            words += words_of(argument)
        elif argument is not Interface:
            words.append(argument)
    return words
