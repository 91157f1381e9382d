"""Compiled functions run by Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

Function = Callable[..., Any]


def interpreted(function: Function, names: Mapping[str, object], made: dict[Function, Function] | None = None) -> Any:
    """A compiled function for Python, with the compiled functions that it calls.

    names: what they take for granted. made: those that are made already.
    """
    made = {} if made is None else made
    if function not in made:
        assert isinstance(function, FunctionType)
        scope = {**function.__globals__, **names}
        made[function] = FunctionType(function.__code__, scope)
        called = {
            name: value
            for name, value in function.__globals__.items()
            if isinstance(value, FunctionType) and ".compiled." in value.__module__
        }
        scope |= {name: interpreted(value, names, made) for name, value in called.items()}
    return made[function]
