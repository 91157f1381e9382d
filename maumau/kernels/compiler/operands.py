"""What expressions of rule functions stand for, as far as it is known while they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

V = TypeVar("V")

UNKNOWN = object()
"""In place of a value that is not known while a function is read."""


@dataclass(frozen=True)
class Known:
    """A value that is known while a function is read: a number, a tuple of them, a function, a class."""

    value: Any


@dataclass(frozen=True)
class Several:
    """A tuple of which a part is not known."""

    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Method:
    """A method of a value."""

    of: Any
    name: str


Operand: TypeAlias = Known | Several | Method | V
"""What an expression stands for."""
NOTHING = Known(None)


def constant(value: object) -> Any:
    """What is known of a value: itself, or UNKNOWN."""
    return value.value if isinstance(value, Known) else UNKNOWN


def tuple_of(parts: Sequence[Any]) -> Known | Several:
    """A tuple; a known one, if all its parts are known."""
    if all(isinstance(part, Known) for part in parts):
        return Known(tuple(part.value for part in parts))
    return Several(tuple(parts))
