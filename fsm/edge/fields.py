"""The fields of plain data from outside, such as records and requests, checked against tables of their types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from rules.notation import shown

Types = Mapping[str, tuple[Any, ...]]
"""The type of each field, and what it is in words. What an item of a list, or of an object, is called may follow, with
the type and the words of each; or the types of the fields of an object, and which of them must be there.
"""
TEXT, OPTIONAL_TEXT = (str, "a text"), (str | None, "a text")
TRUTH = (bool, bool | None)


MOST_FAULTS = 20
"""The faults that one message lists at most."""


def check_fields(
    fields: Mapping[str, Any],
    types: Types,
    fault: Callable[[str], Exception] = ValueError,
    *,
    required: Collection[str] = (),
    known: Collection[str] | None = None,
    of: str = "",
) -> None:
    """Raise `fault` with all that is wrong: fields that are not known, and those of another type than in `types`, also
    inside of others, each with the way to it.

    required: the names that must be there. known: those that there may be; any, if nothing is said. of: whose fields
    they are, in words. Truth values are no numbers.
    """
    unknown = [] if known is None else sorted(name for name in map(str, fields) if name not in known)
    faults = [f"unknown field {shown(name)}{of}, expected some of {', '.join(known or ())}" for name in unknown]
    faults += _faults(fields, types, required)
    if faults:
        more = [f"and {len(faults) - MOST_FAULTS} more"] * (len(faults) > MOST_FAULTS)
        raise fault("; ".join([*faults[:MOST_FAULTS], *more]))


def _faults(fields: Mapping[str, Any], types: Types, required: Collection[str] = ()) -> Iterator[str]:
    for name in types:
        if name in fields or name in required:
            yield from _wrong(name, fields.get(name), *types[name])


def _wrong(where: str, value: Any, kind: Any, expected: str, *inside: Any) -> Iterator[str]:
    """What is wrong with a value, which stands at `where`, and with those inside of it."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind not in TRUTH):
        yield f"{where}: {shown(value)}, expected {expected}"
    elif inside and isinstance(inside[0], str):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value, 1):
            yield from _wrong(f"{inside[0]} {shown(key)}", item, *inside[1:])
    elif inside:
        yield from (f"{where}: {fault}" for fault in _faults(value, *inside))
