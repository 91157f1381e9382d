"""The classes that house rules make: tables with more fields and enumerations of other phases.

They stand in this module under a name made of their content, so that `pickle` finds them again once the game with the
same rules was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import make_dataclass
from functools import cache
from hashlib import sha256

from fsm.declaration.arcs import Phase
from rules.visibility import seen_by_all


def table(base: type, more: Mapping[str, int]) -> type:
    """The class of a table with more integers, seen by all, each with its value on a new table."""
    return _table(base, tuple(more.items()))


def phases(name: str, members: Sequence[tuple[str, str]]) -> type[Phase]:
    """The enumeration of these phases: names and values."""
    return _phases(name, tuple(members))


@cache
def _table(base: type, more: tuple[tuple[str, int], ...]) -> type:
    added = [(name, int, seen_by_all(start)) for name, start in more]
    made = make_dataclass(base.__name__, added, bases=(base,), slots=True)
    return _kept(made, f"{base.__module__}.{base.__qualname__} {more}")


@cache
def _phases(name: str, members: tuple[tuple[str, str], ...]) -> type[Phase]:
    made: type[Phase] = Phase(name, list(members))  # type: ignore[call-arg, assignment]
    return _kept(made, str(members))


def _kept(made: type, content: str) -> type:
    made.__module__ = __name__
    made.__qualname__ = f"{made.__name__}_{sha256(content.encode()).hexdigest()[:16]}"
    globals()[made.__qualname__] = made
    return made
