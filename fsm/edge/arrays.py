"""Arrays that machine code takes, by the types of their elements; and records of such arrays, made by their classes.

A record is a `NamedTuple` whose fields are arrays, each annotated with its type, numbers, and other records. Its
class is the one place that names them. `Array2D[np.uint8]` is the type of an array with two axes whose elements are
bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_type_hints

from fsm.edge.numbers import np

W = TypeVar("W", bound=tuple[Any, ...])

if TYPE_CHECKING:
    from fsm.edge.numbers import Array

    E = TypeVar("E", bound=np.generic)
    Array1D = np.ndarray[Any, np.dtype[E]]
    Array2D = np.ndarray[Any, np.dtype[E]]
    Array3D = np.ndarray[Any, np.dtype[E]]
else:
    Array = Any  # NumPy is imported on first use

    class ArrayType:
        """The type of arrays with a number of axes: in brackets follows the type of their elements."""

        def __init__(self, axes: int) -> None:
            self.axes = axes

        def __getitem__(self, element: Any) -> Any:
            return Annotated[Any, np.dtype(element), self.axes]

    Array1D, Array2D, Array3D = map(ArrayType, (1, 2, 3))


def allocate(record: type[W], **fields: int | tuple[Any, ...] | Array) -> W:
    """Return a new record. fields: by name, the shape of an array of zeros, where a number is that of the elements
    of one axis; or an array whose values it begins with; or a number or another record, where the field is one.
    Without fields, the arrays of the record have no elements, and its numbers are 0.

    Raises KeyError for a field that is not there, and TypeError for one that is missing.
    """
    kinds = types_of(record)
    if not fields:
        return record(*map(_without_elements, kinds.values()))
    return record(**{name: _field(given, kinds[name]) for name, given in fields.items()})


def _without_elements(kind: Any) -> Any:
    if kind is int:
        return 0
    if isinstance(kind, type):
        return allocate(kind)
    element, axes = array_type(kind)
    return np.zeros((0,) * axes, element)


ALIGNED = 8
"""Arrays in one piece of memory lie at places that this divides."""


def allocate_together(record: type[W], shapes: Mapping[str, tuple[int, ...]]) -> tuple[Array, W]:
    """Return a piece of memory of zeros, as bytes, and a record whose arrays lie in it. shapes: of these, by name."""
    kinds, places, size = {name: array_type(hint)[0] for name, hint in types_of(record).items()}, dict[str, int](), 0
    for name, shape in shapes.items():
        places[name] = size
        size += -(-int(np.prod(shape)) * kinds[name].itemsize // ALIGNED) * ALIGNED
    memory = np.zeros(size, np.uint8)
    arrays = {name: np.ndarray(shape, kinds[name], memory.data, places[name]) for name, shape in shapes.items()}
    return memory, record(**arrays)


def _field(given: int | tuple[int, ...] | Array, kind: Any) -> Any:
    if isinstance(kind, type):
        return given
    element, _ = array_type(kind)
    return np.zeros(given, element) if isinstance(given, int | tuple) else np.array(given, element)


@cache
def types_of(annotated: Any) -> dict[str, Any]:
    """Return what the fields of a class, or the arguments of a function, are annotated with, by name."""
    return get_type_hints(annotated, include_extras=True)


def array_type(hint: Any) -> tuple[Any, int]:
    """Return the type of the elements of an array, named by its annotation or by a function, and its number of axes."""
    _, kind, axes = get_args(hint)
    return np.dtype(kind() if callable(kind) else kind), axes
