"""Results that are kept as long as the declaration, the arc or the function that they are about.

A server gets requests for ever new sets of house rules: what is found for one goes when nobody uses it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
Owner = TypeVar("Owner")
P = ParamSpec("P")
KEPT = "_kept"
"""The name under which an object keeps results, beside its cached properties."""


class Results(dict[Any, Any]):
    """Results that an object keeps; a copy of the object finds its own."""

    def __reduce__(self) -> Any:
        return Results, ()


def kept(function: Callable[Concatenate[Owner, P], T]) -> Callable[Concatenate[Owner, P], T]:
    """Call a function once for each first argument, which keeps the result, and others, which are hashed."""

    def find(owner: Owner, /, *arguments: P.args, **named: P.kwargs) -> T:
        results: dict[Any, T] | None = vars(owner).get(KEPT)
        if results is None:
            results = vars(owner)[KEPT] = Results()
        key = function, arguments
        if key not in results:
            results[key] = function(owner, *arguments, **named)
        return results[key]

    return wraps(function)(find)


def kept_weakly(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Call a function once for each function, code or class that is its argument; the result must not refer to that."""
    results: WeakKeyDictionary[Any, T] = WeakKeyDictionary()

    @wraps(function)
    def find(argument: Any) -> T:
        if (found := results.get(argument)) is None:
            found = results[argument] = function(argument)
        return found

    return find
