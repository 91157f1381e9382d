"""Frozen dataclasses that are made in a third of the time: what is the same for all classes is not compiled for each.

A declaration has forty kinds of values, and every start makes their classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Methods = dict[str, Callable[..., Any]]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(kind=None, /, *, frozen, eq=True, repr=True, kw_only=False):
        """As in the standard library, whose functions `fields` and `replace` know these classes; only for frozen ones.

        frozen: True. eq, repr: whether values are compared and shown by their fields. kw_only: whether fields are
        given by name.
        """

        def made(kind: type) -> type:
            derived = any(map(dataclasses.is_dataclass, kind.__bases__))
            dataclasses.dataclass(kind, eq=False, repr=False, kw_only=kw_only, frozen=derived)
            shared = FROZEN | (_comparing(kind) if eq else {}) | (SHOWN if repr else {})
            for name in shared.keys() - vars(kind).keys():
                setattr(kind, name, shared[name])
            kind.__dataclass_params__.frozen = frozen
            return kind

        return made(kind) if kind else made


def _set(self: Any, name: str, value: object) -> None:
    """Set a field for the first time, which `__init__` does, or what a class that is no dataclass adds to one."""
    if name in vars(self) if name in self.__dataclass_fields__ else "__dataclass_fields__" in vars(type(self)):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    vars(self)[name] = value


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _comparing(kind: type) -> Methods:
    """Methods that compare the fields."""
    values = attrgetter(*(entry.name for entry in fields(kind) if entry.compare))

    def equal(self: Any, other: Any) -> bool:
        return bool(values(self) == values(other)) if type(other) is type(self) else NotImplemented

    return {"__eq__": equal, "__hash__": lambda self: hash(values(self))}


def _shown(self: Any) -> str:
    given = (f"{entry.name}={getattr(self, entry.name)!r}" for entry in fields(self) if entry.repr)
    return f"{type(self).__qualname__}({', '.join(given)})"


FROZEN: Methods = {"__setattr__": _set, "__delattr__": _delete}
SHOWN: Methods = {"__repr__": _shown}
