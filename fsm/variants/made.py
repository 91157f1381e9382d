"""The classes that house rules make: tables with more fields and enumerations of other phases.

They stand in this module, as long as they are used, under a name made of their content, so that `pickle` finds them
again once the game with the same rules was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import make_dataclass
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

from fsm.declaration.arcs import Phase
from rules.visibility import seen_by_all


def table(base: type, more: Mapping[str, int]) -> type:
    """The class of a table with more integers, seen by all, each with its value on a new table."""
    added = [(name, int, seen_by_all(start)) for name, start in more.items()]
    content = f"{base.__module__}.{base.__qualname__} {tuple(more.items())}"
    return _kept(base.__name__, content, lambda: make_dataclass(base.__name__, added, bases=(base,), slots=True))


def phases(name: str, members: Sequence[tuple[str, str]]) -> type[Phase]:
    """The enumeration of these phases: names and values."""
    make: Any = Phase
    return _kept(name, str(tuple(members)), lambda: make(name, list(members)))


_made: WeakValueDictionary[str, type] = WeakValueDictionary()
"""The classes that are in use, by their names in this module."""


def _kept(name: str, content: str, make: Callable[[], type]) -> type:
    name = f"{name}_{sha256(content.encode()).hexdigest()[:16]}"
    made = _made.get(name)
    if made is None:
        made = _made[name] = make()
        made.__module__, made.__qualname__ = __name__, name
    return made


def __getattr__(name: str) -> type:
    """A class that is in use, for `pickle`."""
    try:
        return _made[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
