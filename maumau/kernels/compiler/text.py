"""Pieces of generated source that several modules write."""

from __future__ import annotations

from fsm.declaration.arcs import Guards
from maumau.kernels.compiler.naming import mention


def either(condition: str, then: list[str], otherwise: list[str]) -> list[str]:
    """An if statement; one in its else part goes on as elif."""
    lines = [f"if {condition}:", *(f"    {line}" for line in then)]
    if otherwise and otherwise[0].startswith("if "):
        return [*lines, f"el{otherwise[0]}", *otherwise[1:]]
    return [*lines, "else:", *(f"    {line}" for line in otherwise)] if otherwise else lines


def case(index: int, count: int, condition: str) -> str:
    """The head of case number `index` of `count` cases, one of which is true."""
    if index == count - 1:
        return "else" if index else "if True"
    return f"{'elif' if index else 'if'} {condition}"


def conjunction(when: Guards, unless: Guards = ()) -> str:
    """The condition that all guards of `when` hold and none of `unless`."""
    parts = [f"{mention(guard)}(table)" for guard in when] + [f"not {mention(guard)}(table)" for guard in unless]
    return " and ".join(parts)
