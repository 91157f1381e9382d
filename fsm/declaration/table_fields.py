"""The fields of a table class, which undo, repetition, checks and compiled code all need."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def default_values(table: type) -> Mapping[str, Any]:
    """The value of every field, inherited ones included, in a new table: integers, lists and bytearrays.

    Raises TypeError for a class that is no dataclass, or that annotates names which are no fields.
    """
    names = [entry.name for entry in fields(table)] if is_dataclass(table) else []
    for base in table.__mro__:
        annotated = [name for name, kind in inspect.get_annotations(base).items() if "ClassVar" not in str(kind)]
        if missing := [name for name in annotated if name not in names]:
            raise TypeError(f"table {table.__name__}: {', '.join(missing)} no field, expected @dataclass on the class")
    blank = table()
    return {name: getattr(blank, name) for name in names}


def list_fields(table: type) -> tuple[str, ...]:
    """The names of the fields that are lists: a number or a mask for each seat."""
    return tuple(name for name, value in default_values(table).items() if isinstance(value, list))


def table_size(table: type) -> int:
    """Bytes of a saved table: eight for each integer, also in lists, one for each index of a bytearray."""
    values = default_values(table).values()
    return sum(
        8 if isinstance(value, int) else len(value) * (1 if isinstance(value, bytearray) else 8) for value in values
    )
