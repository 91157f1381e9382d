"""How a rule is written down: a plain function of the table, collected so that it can also be compiled.

A rule function reads and writes the plain fields of one table (integers, lists of integers, byte rings)
and uses integer work only. Python calls it as it stands; the compiler hands the very same function to
machine code. Nothing heavy is imported for that: the decorators here only collect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

RuleFunction = Callable[..., Any]
F = TypeVar("F", bound=RuleFunction)

COLLECTED: list[RuleFunction] = []
_refusals: dict[RuleFunction, str] = {}


def rule(function: F) -> F:
    """Collect `function` as part of a rule: a callback, a choice or a helper of one."""
    COLLECTED.append(function)
    return function


def guard(refusal: str) -> Callable[[F], F]:
    """Collect a guard: a function of the table that answers yes or no.

    `refusal` says why a move is refused when the guard answers no: `it is no seven`.
    """

    def mark(function: F) -> F:
        _refusals[function] = refusal
        return rule(function)

    return mark


def refusal_of(function: RuleFunction) -> str:
    """The sentence for a move that `function` refuses."""
    return _refusals.get(function, f"not so: {words(function)}")


def words(function: RuleFunction) -> str:
    """The name of a rule function as players say it: `fits_open_card` is `fits open card`."""
    return function.__name__.replace("_", " ")
