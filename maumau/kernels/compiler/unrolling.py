"""Loops over known values, written out."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.folding import Folding, is_table
from maumau.kernels.compiler.syntax import (
    Bind,
    Jumping,
    Scope,
    copy_place,
    count_names,
    fresh_name,
    jumps,
    outside_loops,
    stored_names,
    with_names,
)

IGNORED = "_"
"""The name for what is not read."""
GOING_ON = Jumping(ast.Break, ast.Continue)
"""Puts `continue` in place of `break`."""
Leave = Callable[[ast.expr, Scope], list[ast.stmt]]
"""Statements in place of one that returns an expression."""


@dataclass(frozen=True)
class Frame:
    """The function that is being evaluated.

    names: those that it and the functions around it assign. counts: how often it assigns each. uses: how often each is
    in it. leave: what is written where it returns. goes_on: whether what follows the call is reached after that.
    """

    function: FunctionType
    names: set[str]
    counts: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    leave: Leave | None = None
    goes_on: bool = False


class Unrolling(Folding):
    """Writes loops over known values out."""

    def __init__(self) -> None:
        self._counted: dict[int, tuple[ast.For, Counter[str]]] = {}

    def names_of(self, node: ast.For) -> Counter[str]:
        """How often each name is in a loop, which may be written out several times."""
        if id(node) not in self._counted:
            self._counted[id(node)] = node, count_names(node.body)
        return self._counted[id(node)][1]

    def turns(self, statements: list[ast.stmt], scope: Scope, frame: Frame) -> list[ast.stmt]:
        """The statements of a loop: `break` of one that they end with and that is written out goes on with theirs."""
        match statements:
            case [*before, ast.For() as last] if self.is_written_out(last, scope):
                over: Any = self.expression(last.iter, scope)
                return [*before, *self.rounds(last, over.value, frame, GOING_ON)]
        return statements

    def is_written_out(self, node: ast.For, scope: Scope) -> bool:
        """Whether a loop is over known values of which not all are numbers, and ends by a last `if` with `break`, if it
        does before its end.
        """
        over = self.expression(node.iter, scope)
        if not isinstance(over, ast.Constant) or not isinstance(over.value, tuple) or is_table(over.value):
            return False
        match node.body:
            case [*before, ast.If(_, [*_, ast.Break()], [])]:
                return not any(map(jumps, outside_loops(before)))
        return not any(map(jumps, outside_loops(node.body)))

    def rounds(
        self, node: ast.For, values: tuple[object, ...], frame: Frame, jumping: Jumping | None = None
    ) -> list[ast.stmt]:
        """The statements of a loop for each of some known values; where a round may end the loop, in each other's else
        part. Names that are in this loop alone are others in each round.

        jumping: puts what goes on with the loop around in place of `break`.
        """
        inside = self.names_of(node)
        own = [
            name
            for name in dict.fromkeys(stored_names(node.body))
            if inside[name] == frame.uses[name] and name != IGNORED
        ]
        rounds = list[tuple[Bind, list[ast.stmt]]]()
        for number, value in enumerate(values, 1):
            body, names = node.body, {name: fresh_name(name, frame.names) for name in own if number > 1}
            if names:
                frame.names.update(names.values())
                body = with_names(body, lambda each: ast.Name(names.get(each.id, each.id), each.ctx))  # noqa: B023
                frame.counts.update({new: frame.counts[name] for name, new in names.items()})
                frame.uses.update({new: inside[name] for name, new in names.items()})
            rounds.append((Bind(node.target, value), body))
        if not any(map(jumps, outside_loops(node.body))):
            return [each for known, body in rounds for each in (known, *body)]
        found = list[ast.stmt]()
        for known, body in rounds[::-1]:
            match body:
                case [*before, ast.If(test, [*chosen, ast.Break() as last], [])]:
                    if jumping:
                        chosen = [jumping.visit(with_names(each, lambda name: name)) for each in (*chosen, last)]
                    elif any(map(jumps, outside_loops(chosen))):
                        raise CompilationError("a loop over known values that is left in the middle of a round")
                    found = [known, *before, copy_place(node, ast.If(test, chosen or [ast.Pass()], found))]
        return found
