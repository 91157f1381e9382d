"""Traces rule functions: runs their source on the values of a graph, so that the graph computes what they compute.

A function is read as it stands. An `if` whose condition depends on the game becomes a choice between two values, loops
over ranges are unrolled, as far as any game may go on in them, and calls are put in place. A `while` whose condition
depends on the game is taken to be over: games in which it goes on leave the lanes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.operators import (
    NOTHING,
    Known,
    NoSourceError,
    Operand,
    Operator,
    Several,
    constant,
    tuple_of,
)
from maumau.kernels.compiler.reading import FunctionReader
from maumau.kernels.lanes.cells import Cells, Forbidden, LanePiles, TracedTable
from maumau.kernels.lanes.graph import LaneGraph, LaneRow
from maumau.kernels.lanes.moving import move
from maumau.kernels.lanes.nodes import Operation, Value, is_mask, range_of
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.rounds import LoopAgain, LoopEnd, LoopRound, NextItem, Span, after_loop, escapes_block

MAX_ROUNDS = 4096
"""Rounds of a loop that are unrolled at most."""
MAX_SPAN = 64
"""Rounds, at most, of a loop over a range that depends on the game: all of them are computed for every game."""


def trace(graph: LaneGraph, function: Callable[..., Any], arguments: Sequence[Any], path: Value = True) -> Any:
    """What a rule function returns for `arguments`: tables, cells and values. path: the games that it is called for.

    Raises UntraceableError, which names the function and the line.
    """
    if not isinstance(function, FunctionType):
        raise UntraceableError(f"{getattr(function, '__name__', function)!r} is called, but is not a rule function")
    try:
        run = _Run(graph, function, path)
    except NoSourceError as error:
        raise UntraceableError(str(error)) from None
    with run.at(run.tree):
        found = run.result(run.bound(function, [*map(traced, arguments)], {}))
    return plain(found)


Unknown = Operation | Cells | LaneRow | TracedTable
Traced = Operand[Unknown]
"""What an expression stands for."""


def traced(value: Any) -> Traced:
    """What stands for a value of a graph, or for what is known."""
    return value if isinstance(value, Unknown) else Known(value)


def plain(operand: Traced) -> Any:
    """The value that an operand stands for."""
    if isinstance(operand, Several):
        return tuple(map(plain, operand.parts))
    return operand.value if isinstance(operand, Known) else operand


def number(operand: Traced) -> Value:
    """The integer that an operand stands for."""
    found = plain(operand)
    if not isinstance(found, int | Operation):
        raise UntraceableError("a value that is not an integer is used as one")
    return found


@dataclass(frozen=True)
class _Place:
    """A field of a table, by its name, or an element of cells or of a row, by its index."""

    of: TracedTable | Cells | LaneRow
    at: Any


class _Run(FunctionReader[Unknown, _Place]):
    """One call of a function."""

    refusal = UntraceableError

    def __init__(self, graph: LaneGraph, function: FunctionType, path: Value) -> None:
        super().__init__(function)
        self.graph, self.path = graph, path
        self.loops = 0

    def result(self, arguments: Sequence[Traced]) -> Traced:
        self.names = dict(zip((arg.arg for arg in self.tree.args.args), arguments, strict=True))
        return self.block(self.tree.body)

    def condition(self, node: ast.expr) -> Value:
        return self.graph.as_bool(number(self.value(node)))

    # ------------------------------------------------------------ statements

    def block(self, waiting: Sequence[Any]) -> Traced:
        """Run statements, with those that follow from loops: what is returned."""
        rounds = 0
        while waiting:
            rounds += 1
            if rounds > MAX_ROUNDS:
                raise self.error(self.tree, f"more than {MAX_ROUNDS:,} statements in a row")
            statement, waiting = waiting[0], waiting[1:]
            match statement:
                case ast.Return(value):
                    return self.value(value) if value else NOTHING
                case ast.If() | LoopRound():
                    condition, one, other, left = self.branches(statement, waiting)
                    if not isinstance(condition, Operation):
                        waiting = [*(one if condition else other), *waiting]
                    elif left is not None:
                        found = self.both(condition, [*one, *waiting], [*other, *left])
                        return NOTHING if NOTHING in found else self.selected(condition, *found)
                    else:
                        self.both(condition, one, other)
                case ast.For(orelse=[]) | ast.While(orelse=[]) | ast.Break() | ast.Continue():
                    waiting = self.looped(statement, waiting)
                case LoopAgain(loop, left):
                    self.go_on(loop, self.condition(loop.test), left)
                case NextItem(target, value):
                    self.assign(target, value)
                case ast.Assert(test):
                    self.forbid_unless(test)
                case ast.stmt():
                    self.statement(statement)
        return NOTHING

    def branches(
        self, statement: ast.If | LoopRound, waiting: Sequence[Any]
    ) -> tuple[Value, Sequence[Any], Sequence[Any], Sequence[Any] | None]:
        """The condition of a choice, what is done where it holds and where it does not, and, if one of the two leaves
        its block, what then follows where it does not hold.
        """
        if isinstance(statement, ast.If):
            left = waiting if escapes_block(statement) else None
            return self.condition(statement.test), statement.body, statement.orelse, left
        escapes = any(isinstance(part, ast.stmt) and escapes_block(part) for part in statement.body)
        left = after_loop(waiting, statement.loop) if escapes else None
        return statement.condition, statement.body, (), left

    def forbid_unless(self, test: ast.expr) -> None:
        fails = self.graph.negation(self.condition(test))
        if fails is not False:
            self.graph.forbid(self.graph.both(self.path, fails), f"an assertion of {self.function.__name__} fails")

    def looped(self, statement: Any, waiting: Sequence[Any]) -> Sequence[Any]:
        """The statements that follow: for a loop its rounds, else those after the round or the loop."""
        if isinstance(statement, ast.For):
            self.loops += 1
            return [*self.rounds(statement, self.loops), LoopEnd(self.loops), *waiting]
        if isinstance(statement, ast.While):
            condition = self.condition(statement.test)
            if isinstance(condition, Operation):
                self.go_on(statement, condition, 0 if escapes_block(statement) else self.graph.rounds)
                return waiting
            if not condition:
                return waiting
            if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(statement)):
                raise self.error(statement, "a while loop with break or continue")
            return [*statement.body, statement, *waiting]
        position = next(
            position for position, part in enumerate(waiting) if isinstance(part, NextItem | LoopRound | LoopEnd)
        )
        if isinstance(statement, ast.Break):
            return after_loop(waiting, waiting[position].loop)
        return waiting[position:]

    def go_on(self, loop: ast.While, condition: Value, left: int) -> None:
        """The rounds of a loop: games that go on after so many of them leave the lanes."""
        if left and isinstance(condition, Operation):
            self.both(condition, [*loop.body, LoopAgain(loop, left - 1)], [])
        elif condition is not False:
            self.graph.forbid(self.graph.both(self.path, condition), f"a loop of {self.function.__name__} goes on")

    def rounds(self, statement: ast.For, loop: int) -> Iterator[Any]:
        """The rounds of a loop, as statements."""
        with self.at(statement.iter):
            found = self.value(statement.iter)
            if isinstance(span := constant(found), Span):
                return iter(()) if move(self, statement, span) else self.rounds_of_span(statement, span, loop)
            if isinstance(found, Operation) or constant(self.length(found)) > MAX_ROUNDS:
                raise CompilationError("a loop whose range depends on the game")
            parts = self.parts(found)
        return (each for part in parts for each in (NextItem(statement.target, part, loop), *statement.body))

    def rounds_of_span(self, statement: ast.For, span: Span, loop: int) -> Iterator[LoopRound]:
        """A round for each number that the range may have in any game."""
        graph, most = self.graph, max(range_of(span.count)[1], 0)
        if most > MAX_SPAN:
            raise CompilationError(f"a loop of up to {most:,} rounds, as many as the game says")
        for number in range(most):
            item = traced(graph.binary("add", span.start, number * span.step))
            goes_on = graph.compare("lt", number, span.count)
            yield LoopRound(goes_on, [NextItem(statement.target, item, loop), *statement.body], loop)

    def span(self, *limits: Traced) -> Traced:
        if all(isinstance(limit, Known) for limit in limits):
            return super().span(*limits)
        start, end, step = map(plain, [Known(0), *limits, Known(1)] if len(limits) == 1 else [*limits, Known(1)][:3])
        if step not in (1, -1):
            raise CompilationError("a range that depends on the game, with a step that is not 1 or -1")
        return Known(Span(start, self.graph.difference(*((end, start) if step == 1 else (start, end))), step))

    def both(self, condition: Operation, one: Sequence[Any], other: Sequence[Any]) -> tuple[Traced, Traced]:
        """Run two lists of statements, each for its games, and join what they change. What both return."""
        graph, path, names = self.graph, self.path, self.names
        tables = [each for each in names.values() if isinstance(each, TracedTable | Cells)]
        before = [table.copy() for table in tables]
        self.path, self.names = graph.both(path, condition), dict(names)
        returned, first = self.block(one), self.names
        after = [table.copy() for table in tables]
        for table, old in zip(tables, before, strict=True):
            table.take(old)  # type: ignore[arg-type]
        self.path, self.names = graph.both(path, graph.negation(condition)), dict(names)
        otherwise, second = self.block(other), self.names
        self.path, self.names = path, names
        for table, new in zip(tables, after, strict=True):
            table.merge(graph, condition, new)  # type: ignore[arg-type]
        for name in first:
            if name in second and first[name] is not second[name]:
                names[name] = self.selected(condition, first[name], second[name])
        return returned, otherwise

    def selected(self, condition: Operation, one: Traced, other: Traced) -> Traced:
        """A choice between two values, or between the parts of two tuples."""
        first, second = plain(one), plain(other)
        if first is second:
            return one
        if isinstance(first, int | Operation) and isinstance(second, int | Operation):
            return traced(self.graph.select(condition, first, second))
        if not isinstance(first, tuple) or not isinstance(second, tuple):
            raise self.error(self.tree, "a choice between two values that are not integers")
        parts = self.parts(one), self.parts(other, len(first))
        return tuple_of([self.selected(condition, *pair) for pair in zip(*parts, strict=True)])

    # ------------------------------------------------------------ values

    def parts(self, of: Traced, count: int | None = None) -> Sequence[Traced]:
        return super().parts(tuple_of([*map(traced, of.values)]) if isinstance(of, Cells) else of, count)

    def field(self, of: Traced, name: str) -> _Place | None:
        return _Place(of, name) if isinstance(of, TracedTable) and name in of.fields else None

    def element(self, of: Traced, index: Traced) -> _Place | None:
        return _Place(of, self.graph.number(number(index))) if isinstance(of, Cells | LaneRow) else None

    def load(self, place: _Place) -> Traced:
        of, at = place.of, place.at
        if isinstance(of, LaneRow):
            return traced(self.graph.load(of, at))
        if isinstance(of, LanePiles):
            return traced(of.load(self.graph, at, self.path))
        if isinstance(of, Cells) and isinstance(at, Operation):
            at = self.in_list(of, at)
            first, last = range_of(at)
            return traced(self.graph.pick(of.values[first : last + 1], at, first))
        if isinstance(of, Cells):
            return traced(of.values[at])
        found = of.fields[at]
        if isinstance(found, Forbidden):
            raise UntraceableError(f"{at}: {found}")
        return traced(found)

    def put(self, place: _Place, value: Traced) -> None:
        graph, of, at = self.graph, place.of, place.at
        stored = graph.number(number(value))
        if isinstance(of, LaneRow):
            graph.store(of, at, stored, self.path)
        elif isinstance(of, LanePiles):
            of.store(graph, at, stored, self.path)
        elif isinstance(of, Cells) and isinstance(at, Operation):
            at = self.in_list(of, at)
            first, last = range_of(at)
            for position in range(first, last + 1):
                is_it = graph.compare("eq", at, position)
                of.values[position] = graph.select(is_it, stored, of.values[position])
        elif isinstance(of, Cells):
            of.values[at] = stored
        elif isinstance(of.fields.get(at), Cells | LaneRow):
            raise UntraceableError(f"{at} is assigned to, but is not a number of the table")
        else:
            of.fields[at] = stored

    def in_list(self, cells: Cells, index: Value) -> Value:
        """An index that is in the list, in the games for which this is run."""
        return self.graph.required(
            index, (0, len(cells.values) - 1), self.path, f"an index in {self.function.__name__} is outside of its list"
        )

    def entry(self, values: tuple[int, ...], index: Traced) -> Traced:
        at, what = self.graph.number(number(index)), f"an index in {self.function.__name__} is outside of its tuple"
        if isinstance(at, Operation):
            at = self.graph.required(at, (-len(values), len(values) - 1), self.path, what)
        return traced(self.graph.look_up(values, at))

    def length(self, of: Traced) -> Traced:
        return Known(of.length) if isinstance(of, LaneRow | LanePiles) else super().length(of)

    def called(self, function: FunctionType, operands: Sequence[Traced]) -> Traced:
        return _Run(self.graph, function, self.path).result(operands)

    # ------------------------------------------------------------ operations

    def operation(self, op: Operator, *operands: Traced) -> Traced:
        if op.name == "pow":
            return self.power(*operands)
        return traced(self.computed(op.name, *map(number, operands)))

    def computed(self, name: str, *values: Value) -> Value:
        graph, one = self.graph, values[0]
        match name, values:
            case "pos" | "int", _:
                return graph.number(one)
            case "bool", _:
                return graph.as_bool(one)
            case "not", _:
                return graph.negation(graph.as_bool(one))
            case "abs", _:
                return graph.select(graph.compare("lt", one, 0), graph.unary("neg", one), one)
            case "min" | "max", (_, other):
                return graph.select(graph.compare("lt" if name == "min" else "gt", other, one), other, one)
            case "mod" | "div", (_, other):
                what = f"{self.function.__name__} divides by less than 1"
                other = graph.required(other, (1, max(range_of(other)[1], 1)), self.path, what)
                return graph.binary(name, one, other)
            case "truediv", _:
                raise UntraceableError("Div is not known here")
            case "eq" | "ne" | "lt" | "le" | "gt" | "ge", (_, other):
                return graph.compare(name, one, other)
            case _, (_, other):
                return graph.binary(name, one, other)
        return graph.unary(name, one)

    def chosen(self, node: ast.BoolOp | ast.IfExp) -> Traced:
        return traced(self.connected(node)) if isinstance(node, ast.BoolOp) else self.either(node)

    def connected(self, node: ast.BoolOp) -> Value:
        """`and` and `or`; each part is evaluated for the games that the parts before leave open."""
        graph, path = self.graph, self.path
        conjunction = isinstance(node.op, ast.And)
        found: Value = conjunction
        for part in node.values:
            value = number(self.value(part))
            if is_mask(found) and is_mask(value):
                found = graph.both(found, value) if conjunction else graph.either(found, value)
            else:
                decided = graph.as_bool(found)
                found = graph.select(decided, *((value, found) if conjunction else (found, value)))
            as_bool = graph.as_bool(found)
            self.path = graph.both(path, as_bool if conjunction else graph.negation(as_bool))
            if not isinstance(as_bool, Operation) and as_bool is not conjunction:
                break
        self.path = path
        return found

    def either(self, node: ast.IfExp) -> Traced:
        graph, path, condition = self.graph, self.path, self.condition(node.test)
        if not isinstance(condition, Operation):
            return self.value(node.body if condition else node.orelse)
        self.path = graph.both(path, condition)
        one = self.value(node.body)
        self.path = graph.both(path, graph.negation(condition))
        other = self.value(node.orelse)
        self.path = path
        return self.selected(condition, one, other)
