"""The fields of plain data from outside, such as records and requests, checked against tables of their types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from rules.notation import shown

Types = Mapping[str, tuple[Any, str]]
"""The type of each field, and what it is in words."""
TEXT, OPTIONAL_TEXT = (str, "a text"), (str | None, "a text")


MOST_FAULTS = 20
"""The faults that one message lists at most."""


def check_fields(
    fields: Mapping[str, Any],
    types: Types,
    fault: Callable[[str], Exception] = ValueError,
    *,
    known: Collection[str] | None = None,
    of: str = "",
) -> None:
    """Raise `fault` with all that is wrong: fields that are not known, and those of another type than in `types`.

    known: the names that there may be; any, if nothing is said. of: whose fields they are, in words. Truth values are
    no numbers.
    """
    unknown = [] if known is None else sorted(name for name in map(str, fields) if name not in known)
    faults = [f"unknown field {shown(name)}{of}, expected some of {', '.join(known or ())}" for name in unknown]
    for name, (kind, expected) in types.items():
        value = fields.get(name)
        if name in fields and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            faults.append(f"{name}: {shown(value)}, expected {expected}")
    if faults:
        more = [f"and {len(faults) - MOST_FAULTS} more"] * (len(faults) > MOST_FAULTS)
        raise fault("; ".join([*faults[:MOST_FAULTS], *more]))
