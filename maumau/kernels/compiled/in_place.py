"""Functions that are written in place of their calls when they are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def in_place(function: F) -> F:
    """Mark a function that is written in place of its calls: what it is given that is known decides what is written.

    It may call itself with parts of what it is given. It is called as a whole statement, or with a value that is
    assigned or returned; it does not return from within a loop that is not written out.
    """
    function.__dict__["in_place"] = True
    return function
