"""Results that are kept as long as the object that they are about: the declaration, the arc, the function or the class.

A server gets requests for ever new sets of house rules: what is found for one goes when nobody uses it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import CodeType, FunctionType
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
Owner = TypeVar("Owner")
P = ParamSpec("P")
MISSING = object()
"""In place of a result that was not found yet."""
KEPT_BESIDE = FunctionType, CodeType, type
"""What does not keep its results itself."""
KEPT = "_kept"
"""The name under which an object keeps results, beside its cached properties."""


class KeptResults(dict[Any, Any]):
    """Results that an object keeps; a copy of the object finds its own."""

    def __reduce__(self) -> Any:
        return KeptResults, ()


_beside: WeakKeyDictionary[Any, KeptResults] = WeakKeyDictionary()
"""The results about functions, code and classes, which would show what they keep."""


def kept(function: Callable[Concatenate[Owner, P], T]) -> Callable[Concatenate[Owner, P], T]:
    """Call a function once for each first argument, which keeps the result, and others, which are hashed.

    A result about a function, code or a class must not refer to that.
    """

    def find(owner: Owner, /, *arguments: P.args, **named: P.kwargs) -> T:
        key = function, arguments
        try:
            return owner.__dict__[KEPT][key]  # type: ignore[no-any-return]  # nearly always
        except (AttributeError, KeyError):
            pass
        if isinstance(owner, KEPT_BESIDE):
            results = _beside.setdefault(owner, KeptResults())
        else:
            results = vars(owner).setdefault(KEPT, KeptResults())
        found = results.get(key, MISSING)
        if found is MISSING:
            results[key] = found = function(owner, *arguments, **named)
        return found  # type: ignore[no-any-return]

    return wraps(function)(find)
