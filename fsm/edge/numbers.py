"""Validation of what comes in: numbers, finite ones and integers of any type, truth values, and fields of plain data.

Public functions convert numbers to plain `int` here: NumPy integers would overflow in the arithmetic of random words,
and machine code would be compiled again for their types.

Arrays of numbers are those of NumPy, which is imported when it is first used, and need not be installed to import what
uses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from math import inf, isfinite
from operator import index
from types import NoneType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from fsm.edge.extras import Later
from rules.chance import SEED_LIMIT
from rules.notation import shown

if TYPE_CHECKING:
    import numpy

    np = numpy
else:
    np = Later("numpy")

Array: TypeAlias = "np.ndarray[Any, Any]"
Notify = Callable[[str], None]
"""A function of a line of text, which is called before work that takes long."""
MAX_THREADS = 1024
"""The greatest number of threads that may be asked for."""


def as_int(what: str, number: SupportsIndex, least: int | None = None, most: int | None = None) -> int:
    """Return the plain integer that `number` is: an int or an integer of another library.

    what: names the number in errors. least, most: the bounds of the number, if it has any. Raises TypeError for
    everything else, also for truth values and for floating-point numbers without a fraction. Raises ValueError for a
    number out of bounds.
    """
    plain = number if type(number) is int else _as_index(what, number)
    if most is not None and least is not None and not least <= plain <= most:
        raise ValueError(f"{what}: {shown(plain)} is out of range; use {bounds(least, most)}")
    if least is not None and plain < least:
        raise ValueError(f"{what}: {shown(plain)} is too small; use {least:,} or more")
    return plain


def _as_index(what: str, number: SupportsIndex) -> int:
    try:
        if isinstance(number, bool) or getattr(number, "dtype", None) == "bool":
            raise TypeError
        return index(number)
    except TypeError:
        kind = type(number).__name__
        raise TypeError(f"{what}: {shown(number)} is of type {kind}; give a whole number") from None


def of_type(what: str, given: object, kind: Any, expected: str) -> None:
    """Raise TypeError unless `given` is of a type. expected: the type in words."""
    if not isinstance(given, kind):
        raise TypeError(f"{what}: {shown(given)} is of type {type(given).__name__}; give {expected}")


def check_notify(notify: object) -> None:
    """Raise TypeError unless `notify` can be called, or is None."""
    of_type("notify", notify, (Callable, NoneType), "a function of a line of text")


def bounds(least: int, most: int) -> str:
    """Return the numbers from `least` to `most` in words: `1 to 100,000`, `2`."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def real(what: str, number: float) -> float:
    """A finite number, also one of NumPy, as a plain one. Raises TypeError or ValueError."""
    from numbers import Real

    if not isinstance(number, Real) or isinstance(number, bool):
        raise TypeError(f"{what}: {shown(number)} is of type {type(number).__name__}; give a number")
    try:
        plain = float(number)
    except OverflowError:  # an integer
        plain = inf
    if not isfinite(plain):
        raise ValueError(f"{what}: {shown(number)} is not finite; give a finite number")
    return plain


def as_bool(what: str, value: object) -> bool:
    """A truth value, also one of NumPy, as a plain one. Raises TypeError for everything else, also for 0 and 1."""
    if not isinstance(value, bool) and (getattr(value, "dtype", None) != "bool" or getattr(value, "shape", None) != ()):
        raise TypeError(f"{what}: {shown(value)} is of type {type(value).__name__}; give True or False")
    return bool(value)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: SupportsIndex | None) -> int:
    """Return a number of threads. threads: None for one for each core. Raises TypeError or ValueError."""
    return cores() if threads is None else as_int("threads", threads, 1, MAX_THREADS)


def seed_number(what: str, number: SupportsIndex, limit: int = SEED_LIMIT) -> int:
    """A seed or the number of a game: 0 to below a limit, 2**63. Raises TypeError or ValueError."""
    return as_int(what, number, 0, limit - 1)


def as_array(what: str, given: object) -> Array:
    """What is given, as an array. Raises TypeError for truth values in a sequence, ValueError for masked numbers.

    NumPy takes both for numbers.
    """
    if np.ma.is_masked(given):
        raise ValueError(f"{what}: some numbers are masked; give an array without a mask")
    if not isinstance(given, np.ndarray):
        for number in np.asarray(given, object).flat:
            if isinstance(number, bool | np.bool_):
                raise TypeError(f"{what}: {number} is of type {type(number).__name__}; give a whole number")
    return np.asarray(given)


Types = Mapping[str, Any]
"""The type of each field, or a tuple of the type and what it is in words. Two forms may follow: the name of an item of
a list or an object, with the type and the words of each; or the types of the fields of an object, and which of them are
required.
"""
PLAIN = {str: "a text", int: "a whole number", bool: "true or false"}
WORDS: Mapping[Any, str] = PLAIN | {kind | None: words for kind, words in PLAIN.items()}
"""The words for each type, unless a list of fields gives others."""
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
    they are, in words. Truth values are not numbers.
    """
    unknown = [] if known is None else sorted(name for name in map(str, fields) if name not in known)
    faults = [f"unknown field {shown(name)}{of} (known: {', '.join(known or ())})" for name in unknown]
    faults += _faults(fields, types, required)
    if faults:
        more = [f"and {len(faults) - MOST_FAULTS} more"] * (len(faults) > MOST_FAULTS)
        raise fault("; ".join([*faults[:MOST_FAULTS], *more]))


def _faults(fields: Mapping[str, Any], types: Types, required: Collection[str] = ()) -> Iterator[str]:
    for name in types:
        if name in fields:
            kind = types[name]
            yield from _wrong(name, fields[name], *(kind if isinstance(kind, tuple) else (kind,)))
        elif name in required:
            yield f"missing field {shown(name)}"


def _wrong(where: str, value: Any, kind: Any, expected: str = "", *inside: Any) -> Iterator[str]:
    """What is wrong with a value, which stands at `where`, and with those inside of it."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind not in TRUTH):
        yield f"{where}: {shown(value)} is not {expected or WORDS[kind]}"
    elif inside and isinstance(inside[0], str):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value, 1):
            yield from _wrong(f"{inside[0]} {shown(key)}", item, *inside[1:])
    elif inside:
        yield from (f"{where}: {fault}" for fault in _faults(value, *inside))
