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
        is_beside = isinstance(owner, KEPT_BESIDE)
        try:
            return (_beside[owner] if is_beside else owner.__dict__[KEPT])[key]  # type: ignore[no-any-return]
        except (AttributeError, KeyError):
            pass
        new = KeptResults()
        results = _beside.setdefault(owner, new) if is_beside else vars(owner).setdefault(KEPT, new)
        results[key] = found = function(owner, *arguments, **named)
        return found

    return wraps(function)(find)
