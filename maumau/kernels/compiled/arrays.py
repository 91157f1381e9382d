"""Arrays that machine code takes, by the types of their elements; and records of such arrays, made by their classes.

A record is a `NamedTuple` whose fields are arrays, each annotated with one of the types below, numbers, and other
records. Its class is the one place that names them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast, get_args, get_type_hints

from fsm.edge.numbers import np

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
HalfCubes = Annotated[Array, "i4", 3]
Integers = Annotated[Array, "i8", 1]
IntegerRows = Annotated[Array, "i8", 2]
Words = Annotated[Array, "u4", 1]
Reals = Annotated[Array, "f4", 1]
Doubles = Annotated[Array, "f8", 1]
DoubleRows = Annotated[Array, "f8", 2]

W = TypeVar("W", bound=tuple[Any, ...])


def allocate(record: type[W], **fields: int | tuple[Any, ...] | Array) -> W:
    """Return a new record. fields: by name, the shape of an array of zeros, where a number is that of the elements
    of one axis; or an array whose values it begins with; or a number or another record, where the field is one.

    Raises KeyError for a field that is not there, and TypeError for one that is missing.
    """
    kinds = types_of(record)
    return record(**{name: _field(given, kinds[name]) for name, given in fields.items()})


ALIGNED = 8
"""Arrays in one piece of memory lie at places that this divides."""


def allocate_together(record: type[W], shapes: Mapping[str, tuple[int, ...]]) -> tuple[Array, W]:
    """Return a piece of memory of zeros, as bytes, and a record whose arrays lie in it. shapes: of these, by name."""
    kinds, places, size = {name: dtype_of(hint) for name, hint in types_of(record).items()}, dict[str, int](), 0
    for name, shape in shapes.items():
        places[name] = size
        size += -(-int(np.prod(shape)) * kinds[name].itemsize // ALIGNED) * ALIGNED
    memory = np.zeros(size, np.uint8)
    arrays = {name: np.ndarray(shape, kinds[name], memory.data, places[name]) for name, shape in shapes.items()}
    return memory, record(**arrays)


def _field(given: int | tuple[int, ...] | Array, kind: Any) -> Any:
    if isinstance(kind, type):
        return given
    return np.zeros(given, dtype_of(kind)) if isinstance(given, int | tuple) else np.array(given, dtype_of(kind))


@cache
def types_of(annotated: Any) -> dict[str, Any]:
    """Return what the fields of a class, or the arguments of a function, are annotated with, by name."""
    return get_type_hints(annotated, include_extras=True)


def dtype_of(hint: Any) -> Any:
    """Return the type of the elements of an array: the name of one, or the result of a function."""
    kind = get_args(hint)[1]
    return np.dtype(kind() if callable(kind) else kind)


def axes_of(hint: Any) -> int:
    """Return how many axes an array of a type has."""
    return cast(int, get_args(hint)[2])
