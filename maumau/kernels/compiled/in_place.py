"""Marks of compiled functions: those that are written in place of their calls, and those that never are."""

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


def apart(*, is_small: bool) -> Callable[[F], F]:
    """Mark a function that is never put in the place of its calls.

    is_small: whether it is made small instead of fast, in half the time to compile: it is called seldom, such as once
    for each decision. If not, it is worth a call where LLVM makes vectors of a loop: the constants of these are
    otherwise kept across the loops around the call, and loaded again after each other call in them.
    """

    def mark(function: F) -> F:
        function.__dict__["apart"] = is_small
        return function

    return mark
