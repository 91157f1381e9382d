"""The rounds of loops, among the statements that a function still has to run."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from maumau.kernels.lanes.nodes import Value

ESCAPES = (ast.Return, ast.Break, ast.Continue)


@dataclass(frozen=True)
class Span:
    """A range that depends on the game. count: how many numbers there are; not one if it is below 0."""

    start: Value
    count: Value
    step: int


def after_loop(waiting: Sequence[Any], loop: int) -> Sequence[Any]:
    """The end of a loop, and the statements that follow it."""
    return waiting[next(n for n, part in enumerate(waiting) if isinstance(part, LoopEnd) and part.loop == loop) :]


@cache
def escapes_block(statement: ast.stmt) -> bool:
    """Whether a statement may leave its block: by return, break or continue."""
    return any(isinstance(node, ESCAPES) for node in ast.walk(statement))


@dataclass(frozen=True)
class NextItem:
    """A target of a loop and its next value. loop: the number of the loop."""

    target: ast.expr
    value: Any
    loop: int


@dataclass(frozen=True)
class LoopRound:
    """A round of a loop that not all games go on in: the condition, and the statements."""

    condition: Value
    body: Sequence[Any]
    loop: int


@dataclass(frozen=True)
class LoopAgain:
    """A `while` of which so many rounds are left, at most, that not all games go on in."""

    loop: ast.While
    left: int


@dataclass(frozen=True)
class LoopEnd:
    """The end of a loop."""

    loop: int
