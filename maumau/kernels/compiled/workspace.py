"""Workspaces: records of arrays that a program takes as one argument.

A workspace is a `NamedTuple` whose fields are arrays, each annotated with one of the types below, numbers, and other
workspaces. Its class is the one place that names them: it says which arrays there are, `allocate` makes them, the
compiled function reads them as `work.tables`, and NumPy sees the same memory. A number is what it was when the function
was called. A compiled function can make such a record as well, by naming all its fields: also of tables, and of rows
that last as long as the function runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast, get_args, get_type_hints

from fsm.edge.numbers import np
from maumau.kernels.compiled.interface import Interface

if TYPE_CHECKING:
    from fsm.edge.numbers import Array
else:
    Array = Any  # NumPy is imported on first use

Bytes = Annotated[Array, "u1", 1]
ByteRows = Annotated[Array, "u1", 2]
ByteCubes = Annotated[Array, "u1", 3]
ShortRows = Annotated[Array, "i2", 2]
ShortWordRows = Annotated[Array, "u2", 2]
Halves = Annotated[Array, "i4", 1]
HalfRows = Annotated[Array, "i4", 2]
Integers = Annotated[Array, "i8", 1]
IntegerRows = Annotated[Array, "i8", 2]
Words = Annotated[Array, "u4", 1]
Reals = Annotated[Array, "f4", 1]
Doubles = Annotated[Array, "f8", 1]
DoubleRows = Annotated[Array, "f8", 2]

W = TypeVar("W", bound=tuple[Any, ...])


def allocate(workspace: type[W], **fields: int | tuple[int, ...] | Array) -> W:
    """Return a new workspace. fields: by name, the shape of an array of zeros, where a number is that of the elements
    of one axis; or an array whose values it begins with; or a number or another workspace, where the field is one.

    Raises KeyError for a field that is not there, and TypeError for one that is missing.
    """
    kinds = _types_of(workspace)
    return workspace(**{name: _field(given, kinds[name]) for name, given in fields.items()})


def _field(given: int | tuple[int, ...] | Array, kind: Any) -> Any:
    if isinstance(kind, type):
        return given
    return np.zeros(given, _dtype(kind)) if isinstance(given, int | tuple) else np.array(given, _dtype(kind))


def empty(hint: Any) -> Any:
    """Return a value of a type without elements: of a workspace, an array or a number. hint: the type."""
    if hint is Interface:
        return hint
    if hint is int:
        return 0
    if isinstance(hint, type):
        return hint(*map(empty, _types_of(hint).values()))
    return np.zeros((0,) * _axes(hint), _dtype(hint))


def warm_up_of(entry: Callable[..., Any]) -> tuple[Any, ...]:
    """Return arguments of the types that a function is annotated with, with which it does no work: zeros, arrays
    without elements, and `Interface` for the game.
    """
    return tuple(empty(hint) for name, hint in _types_of(entry).items() if name != "return")


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


@cache
def _types_of(annotated: Any) -> dict[str, Any]:
    return get_type_hints(annotated, include_extras=True)


def _dtype(hint: Any) -> Any:
    """Return the type of the elements of an array: the name of one, or the result of a function."""
    kind = get_args(hint)[1]
    return np.dtype(kind() if callable(kind) else kind)


def _axes(hint: Any) -> int:
    return cast(int, get_args(hint)[2])
