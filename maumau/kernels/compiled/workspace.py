"""Workspaces: records of arrays that a program takes as one argument.

A workspace is a record of arrays (`fsm.edge.arrays`): its class says which arrays there are, `allocate`
makes them, the compiled function reads them as `work.tables`, and NumPy sees the same memory. A number is what it was
when the function was called. A compiled function can make such a record as well, by naming all its fields: also of
tables, and of rows that last as long as the function runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fsm.edge.arrays import array_type, types_of
from maumau.kernels.compiled.interface import Interface


def argument_types(entry: Callable[..., Any]) -> tuple[Any, ...]:
    """Return what the arguments of a function are annotated with: numbers, arrays, records, and `Interface`."""
    return tuple(hint for name, hint in types_of(entry).items() if name != "return")


def is_record(hint: Any) -> bool:
    """Whether a type is that of a record of arrays."""
    return isinstance(hint, type) and issubclass(hint, tuple)


def type_text(hint: Any) -> str:
    """Return the type of an argument in words: machine code for one type cannot be called with another."""
    if is_record(hint):  # its fields are passed by their places
        return f"{hint.__name__}({', '.join(f'{name}: {type_text(its)}' for name, its in types_of(hint).items())})"
    return hint.__name__ if isinstance(hint, type) else " ".join(map(str, array_type(hint)))


def word_types(hints: Iterable[Any]) -> Iterator[Any]:
    """Yield the types of what `words_of` finds in arguments of some types."""
    for hint in hints:
        if is_record(hint):
            yield from word_types(types_of(hint).values())
        elif hint is not Interface:
            yield hint


def words_of(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the numbers and arrays of arguments: what a workspace holds stands in its place."""
    words: list[Any] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            words += words_of(argument)
        else:
            words.append(argument)
    return words
