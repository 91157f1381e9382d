"""The fields of plain data from outside, such as records and requests, checked against tables of their types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from rules.notation import shown

Types = Mapping[str, tuple[Any, str]]
"""The type of each field, and what it is in words."""
TEXT, OPTIONAL_TEXT = (str, "a text"), (str | None, "a text")


def check_types(fields: Mapping[str, Any], types: Types, fault: Callable[[str], Exception] = ValueError) -> None:
    """Raise `fault` for the first field, in the order of `types`, that is there and of another type.

    Truth values are no numbers.
    """
    for name, (kind, expected) in types.items():
        value = fields.get(name)
        if name in fields and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            raise fault(f"{name}: {shown(value)}, expected {expected}")


def check_names(
    fields: Mapping[str, Any], known: Collection[str], of: str = "", fault: Callable[[str], Exception] = ValueError
) -> None:
    """Raise `fault` for the first field that is not known. of: whose fields they are, in words."""
    if unknown := sorted(name for name in map(str, fields) if name not in known):
        raise fault(f"unknown field {shown(unknown[0])}{of}, expected some of {', '.join(known)}")
