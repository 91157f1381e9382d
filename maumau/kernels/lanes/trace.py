"""Traces rule functions: runs their source on the values of a graph, so that the graph computes what they compute.

A function is read as it stands. An `if` whose condition depends on the game becomes a choice between two values, loops
over known ranges are unrolled, calls are put in place. A `while` whose condition depends on the game is taken to be
over: games in which it goes on leave the lanes.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from maumau.kernels.compiler.syntax import NoSourceError, syntax_of
from maumau.kernels.lanes.graph import Graph, Node, Row, UntraceableError, Value, is_mask, range_of

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
    ast.Mod: "mod",
    ast.FloorDiv: "div",
}
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
BITS = {"bit_count": "popcount", "bit_length": "length"}
ESCAPES = (ast.Return, ast.Break, ast.Continue)
MAX_POWER = 8
"""The greatest exponent of a power that is multiplied out."""
MAX_ROUNDS = 4096
"""Rounds of a loop that are unrolled at most."""


class Cells:
    """A list or a bytearray of values that rule functions change."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.values = list(values)

    def copy(self) -> Cells:
        """The cells as they are now."""
        return Cells(self.values)

    def take(self, other: Cells) -> None:
        """Become as the others are."""
        self.values = list(other.values)

    def merge(self, graph: Graph, condition: Value, one: Cells) -> None:
        """Become as `one` where the condition holds."""
        pairs = zip(one.values, self.values, strict=True)
        self.values = [mine if its is mine else graph.select(condition, its, mine) for its, mine in pairs]


class TracedTable:
    """A table whose fields are values, cells, or rows in memory."""

    def __init__(self, fields: dict[str, Value | Cells | Row]) -> None:
        self.fields = fields

    def copy(self) -> TracedTable:
        """The table as it is now."""
        return TracedTable({name: x.copy() if isinstance(x, Cells) else x for name, x in self.fields.items()})

    def take(self, other: TracedTable) -> None:
        """Become as the other is."""
        self.fields = other.copy().fields

    def merge(self, graph: Graph, condition: Value, one: TracedTable) -> None:
        """Become as `one` where the condition holds."""
        for name, its in one.fields.items():
            mine = self.fields[name]
            if isinstance(mine, Cells) and isinstance(its, Cells):
                mine.merge(graph, condition, its)
            elif its is not mine and not isinstance(its, Cells | Row) and not isinstance(mine, Cells | Row):
                self.fields[name] = graph.select(condition, its, mine)


Mutable = (TracedTable, Cells)


class _Nothing:
    """What a function gives that ends without `return`."""


NOTHING = _Nothing()


class _Forbidden:
    """A field that cannot be read in lanes. why: the reason."""

    def __init__(self, why: str) -> None:
        self.why = why


def forbidden(why: str) -> Any:
    """In place of a field's value: reading it ends the trace, for this reason."""
    return _Forbidden(why)


def trace(graph: Graph, function: Callable[..., Any], arguments: Sequence[Any], path: Value = True) -> Any:
    """What a rule function returns for `arguments`: tables, cells and values. path: the games that it is called for.

    Raises UntraceableError, which names the function and the line.
    """
    if not isinstance(function, FunctionType):
        raise UntraceableError(f"{getattr(function, '__name__', function)!r} is called, which is no rule function")
    try:
        return _Run(graph, function, path).call(arguments)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise UntraceableError(f"{function.__name__} ({_location(function)}): {error}") from None


def _location(function: FunctionType) -> str:
    """Where a function is written: its module, or the file of a module that cannot be imported by name."""
    module = sys.modules.get(function.__module__)
    return function.__code__.co_filename if module and not module.__spec__ else function.__module__


def _tree(function: FunctionType) -> ast.FunctionDef:
    """The syntax of a function."""
    try:
        return syntax_of(function)
    except NoSourceError as error:
        raise UntraceableError(str(error)) from None


@cache
def _escapes(statement: ast.stmt) -> bool:
    """Whether a statement may leave its block: by return, break or continue."""
    return any(isinstance(node, ESCAPES) for node in ast.walk(statement))


class _Assign:
    """A target of a loop and its next value. loop: the number of the loop."""

    def __init__(self, target: ast.expr, value: Any, loop: int) -> None:
        self.target, self.value, self.loop = target, value, loop


class _End:
    """The end of a loop."""

    def __init__(self, loop: int) -> None:
        self.loop = loop


class _Run:
    """One call of a function."""

    def __init__(self, graph: Graph, function: FunctionType, path: Value) -> None:
        self.graph, self.function, self.path = graph, function, path
        self.tree = _tree(function)
        self.loops = 0

    def call(self, arguments: Sequence[Any]) -> Any:
        names = [arg.arg for arg in self.tree.args.args]
        defaults = self.function.__defaults__ or ()
        given = [*arguments, *defaults[len(defaults) - (len(names) - len(arguments)) :]]
        if self.tree.args.vararg or self.tree.args.kwarg or self.tree.args.kwonlyargs or len(given) != len(names):
            raise self.error(self.tree, "its arguments are not plain ones")
        found = self.block(list(self.tree.body), dict(zip(names, given, strict=True)))
        return None if found is NOTHING else found

    def error(self, where: ast.AST, what: str) -> UntraceableError:
        line = getattr(where, "lineno", self.tree.lineno)
        return UntraceableError(f"{self.function.__name__} ({_location(self.function)}, line {line}): {what}")

    # ------------------------------------------------------------ statements

    def block(self, statements: list[Any], names: dict[str, Any]) -> Any:
        """Run statements, with those that follow from loops: what is returned, or NOTHING."""
        waiting = statements
        rounds = 0
        while waiting:
            rounds += 1
            if rounds > MAX_ROUNDS:
                raise self.error(self.tree, f"more than {MAX_ROUNDS:,} statements in a row")
            statement, waiting = waiting[0], waiting[1:]
            if isinstance(statement, ast.Return):
                return self.value(statement.value, names) if statement.value else None
            if isinstance(statement, ast.If):
                condition = self.graph.as_bool(self.value(statement.test, names))
                if not isinstance(condition, Node):
                    waiting = [*(statement.body if condition else statement.orelse), *waiting]
                elif _escapes(statement):
                    return self.forked(statement, condition, waiting, names)
                else:
                    self.branch(statement, condition, names)
            elif isinstance(statement, ast.For | ast.While | ast.Break | ast.Continue):
                waiting = self.looped(statement, waiting, names)
            else:
                self.simple(statement, names)
        return NOTHING

    def simple(self, statement: Any, names: dict[str, Any]) -> None:
        """A statement that changes nothing in the order of the others."""
        if isinstance(statement, _Assign):
            self.assign(statement.target, statement.value, names)
        elif isinstance(statement, ast.Expr):
            if not isinstance(statement.value, ast.Constant):
                self.value(statement.value, names)
        elif isinstance(statement, ast.Assign):
            value = self.value(statement.value, names)
            for target in statement.targets:
                self.assign(target, value, names)
        elif isinstance(statement, ast.AnnAssign):
            if statement.value:
                self.assign(statement.target, self.value(statement.value, names), names)
        elif isinstance(statement, ast.AugAssign):
            old = self.value(_loaded(statement.target), names)
            new = self.binary(statement, statement.op, old, self.value(statement.value, names))
            self.assign(statement.target, new, names)
        elif isinstance(statement, ast.Assert):
            fails = self.graph.negation(self.graph.as_bool(self.value(statement.test, names)))
            if fails is not False:
                self.graph.forbid(self.graph.both(self.path, fails), f"an assertion of {self.function.__name__} fails")
        elif not isinstance(statement, ast.Pass | _End):
            raise self.error(statement, f"a statement that is not known here: {type(statement).__name__}")

    def looped(self, statement: Any, waiting: list[Any], names: dict[str, Any]) -> list[Any]:
        """The statements that follow: for a loop its rounds, else those after the round or the loop."""
        if getattr(statement, "orelse", None):
            raise self.error(statement, "a loop with else")
        if isinstance(statement, ast.For):
            self.loops += 1
            rounds = [
                [_Assign(statement.target, item, self.loops), *statement.body] for item in self.items(statement, names)
            ]
            return [part for each in rounds for part in each] + [_End(self.loops), *waiting]
        if isinstance(statement, ast.While):
            condition = self.graph.as_bool(self.value(statement.test, names))
            if isinstance(condition, Node):
                self.graph.forbid(self.graph.both(self.path, condition), f"a loop of {self.function.__name__} goes on")
            if isinstance(condition, Node) or not condition:
                return waiting
            if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(statement)):
                raise self.error(statement, "a while loop with break or continue")
            return [*statement.body, statement, *waiting]
        position = next(position for position, part in enumerate(waiting) if isinstance(part, _Assign | _End))
        if isinstance(statement, ast.Break):
            loop = waiting[position].loop
            position = next(n for n, part in enumerate(waiting) if isinstance(part, _End) and part.loop == loop)
        return waiting[position:]

    def items(self, statement: ast.For, names: dict[str, Any]) -> list[Any]:
        found = self.value(statement.iter, names)
        if isinstance(found, Cells):
            return list(found.values)
        if isinstance(found, range | tuple | list) and len(found) <= MAX_ROUNDS:
            return list(found)
        raise self.error(statement, "a loop over what depends on the game")

    def branch(self, statement: ast.If, condition: Node, names: dict[str, Any]) -> None:
        """Both branches of an `if` that goes on after it, and a choice between what they changed."""
        self.both(condition, names, list(statement.body), list(statement.orelse))

    def forked(self, statement: ast.If, condition: Node, waiting: list[Any], names: dict[str, Any]) -> Any:
        """Both branches with all that follows, and a choice between what they return."""
        one, other = self.both(condition, names, [*statement.body, *waiting], [*statement.orelse, *waiting])
        if one is NOTHING and other is NOTHING:
            return NOTHING
        if one is NOTHING or other is NOTHING or one is None or other is None:
            return None
        return self.chosen(statement, condition, one, other)

    def both(self, condition: Node, names: dict[str, Any], one: list[Any], other: list[Any]) -> tuple[Any, Any]:
        """Run two lists of statements, each for its games, and join what they change. What both return."""
        graph, path, tables = self.graph, self.path, [x for x in names.values() if isinstance(x, Mutable)]
        before = [table.copy() for table in tables]
        first, second = dict(names), dict(names)
        self.path = graph.both(path, condition)
        returned = self.block(one, first)
        after = [table.copy() for table in tables]
        for table, old in zip(tables, before, strict=True):
            table.take(old)  # type: ignore[arg-type]
        self.path = graph.both(path, graph.negation(condition))
        otherwise = self.block(other, second)
        self.path = path
        for table, new in zip(tables, after, strict=True):
            table.merge(graph, condition, new)  # type: ignore[arg-type]
        for name in first.keys() & second.keys():
            if first[name] is not second[name]:
                names[name] = self.chosen(self.tree, condition, first[name], second[name])
        return returned, otherwise

    def chosen(self, where: ast.AST, condition: Node, one: Any, other: Any) -> Any:
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            return tuple(self.chosen(where, condition, *pair) for pair in zip(one, other, strict=True))
        if one is other or (isinstance(one, int | Node) and isinstance(other, int | Node)):
            return self.graph.select(condition, one, other) if one is not other else one
        raise self.error(where, "a choice between two values that are no integers")

    def assign(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for part, each in zip(target.elts, value, strict=True):
                self.assign(part, each, names)
        elif isinstance(target, ast.Attribute):
            table = self.value(target.value, names)
            if not isinstance(table, TracedTable) or isinstance(table.fields.get(target.attr), Cells | Row):
                raise self.error(target, f"{target.attr} is assigned to, which is no number of the table")
            table.fields[target.attr] = self.graph.number(value)
        elif isinstance(target, ast.Subscript):
            self.store(target, self.value(target.value, names), self.value(target.slice, names), value)
        else:
            raise self.error(target, "an assignment that is not known here")

    def store(self, where: ast.Subscript, cells: Any, index: Value, value: Value) -> None:
        graph, index = self.graph, self.graph.number(index)
        if isinstance(cells, Row):
            graph.store(cells, index, value, self.path)
        elif isinstance(cells, Cells) and not isinstance(index, Node):
            cells.values[index] = graph.number(value)
        elif isinstance(cells, Cells):
            index = self.in_list(cells, index)
            first, last = range_of(index)
            for position in range(first, last + 1):
                is_it = graph.compare("eq", index, position)
                cells.values[position] = graph.select(is_it, graph.number(value), cells.values[position])
        else:
            raise self.error(where, "an element of what is no list of the table is assigned to")

    def in_list(self, cells: Cells, index: Value) -> Value:
        """An index that is in the list, in the games for which this is run."""
        return self.graph.required(
            index, (0, len(cells.values) - 1), self.path, f"an index in {self.function.__name__} is outside of its list"
        )

    # ------------------------------------------------------------ expressions

    def value(self, expression: ast.expr, names: dict[str, Any]) -> Any:
        found = getattr(self, f"_{type(expression).__name__}", None)
        if found is None:
            raise self.error(expression, f"an expression that is not known here: {type(expression).__name__}")
        try:
            return found(expression, names)
        except UntraceableError as error:
            raise error if ", line " in str(error) else self.error(expression, str(error)) from None

    def _Constant(self, expression: ast.Constant, names: dict[str, Any]) -> Any:  # noqa: N802
        return expression.value

    def _Name(self, expression: ast.Name, names: dict[str, Any]) -> Any:  # noqa: N802
        name = expression.id
        closure = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        if name in names:
            return names[name]
        if name in closure:
            return closure[name].cell_contents
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise self.error(expression, f"{name} has no value in every game")

    def _Attribute(self, expression: ast.Attribute, names: dict[str, Any]) -> Any:  # noqa: N802
        value, name = self.value(expression.value, names), expression.attr
        if isinstance(value, TracedTable):
            found = value.fields[name]
            if isinstance(found, _Forbidden):
                raise self.error(expression, f"{name}: {found.why}")
            return found
        if isinstance(value, int | Node) and name in BITS:
            return lambda: self.graph.unary(BITS[name], value)
        if isinstance(value, ModuleType | type):
            return getattr(value, name)
        raise self.error(expression, f"the attribute {name} is read of what is no table")

    def _BinOp(self, expression: ast.BinOp, names: dict[str, Any]) -> Any:  # noqa: N802
        one, other = self.value(expression.left, names), self.value(expression.right, names)
        return self.binary(expression, expression.op, one, other)

    def binary(self, where: ast.AST, op: ast.operator, one: Any, other: Any) -> Value:
        if isinstance(op, ast.Pow) and isinstance(one, int | Node) and type(other) is int and 0 <= other <= MAX_POWER:
            return self.power(one, other)
        if type(op) not in BINARY or not isinstance(one, int | Node) or not isinstance(other, int | Node):
            raise self.error(where, f"an operation that is not known here: {type(op).__name__}")
        return self.graph.binary(BINARY[type(op)], one, other)

    def power(self, one: Value, exponent: int) -> Value:
        """A value multiplied by itself."""
        found: Value = 1
        for _ in range(exponent):
            found = self.graph.binary("mul", found, one)
        return found

    def _UnaryOp(self, expression: ast.UnaryOp, names: dict[str, Any]) -> Any:  # noqa: N802
        value = self.value(expression.operand, names)
        if isinstance(expression.op, ast.Not):
            return self.graph.negation(self.graph.as_bool(value))
        if isinstance(expression.op, ast.UAdd):
            return value
        return self.graph.unary("neg" if isinstance(expression.op, ast.USub) else "inv", value)

    def _BoolOp(self, expression: ast.BoolOp, names: dict[str, Any]) -> Any:  # noqa: N802
        """`and` and `or`; each part is evaluated for the games that the parts before leave open."""
        graph, path = self.graph, self.path
        conjunction = isinstance(expression.op, ast.And)
        found: Value = conjunction
        for part in expression.values:
            value = self.value(part, names)
            if is_mask(found) and is_mask(value):
                found = graph.both(found, value) if conjunction else graph.either(found, value)
            else:
                decided = graph.as_bool(found)
                found = graph.select(decided, *((value, found) if conjunction else (found, value)))
            as_bool = graph.as_bool(found)
            self.path = graph.both(path, as_bool if conjunction else graph.negation(as_bool))
            if not isinstance(as_bool, Node) and as_bool is not conjunction:
                break
        self.path = path
        return found

    def _Compare(self, expression: ast.Compare, names: dict[str, Any]) -> Any:  # noqa: N802
        left = self.value(expression.left, names)
        found: Value = True
        for op, comparator in zip(expression.ops, expression.comparators, strict=True):
            right = self.value(comparator, names)
            found = self.graph.both(found, self.compared(expression, op, left, right))
            left = right
        return found

    def compared(self, where: ast.AST, op: ast.cmpop, left: Any, right: Any) -> Value:
        graph = self.graph
        if isinstance(op, ast.In | ast.NotIn) and isinstance(right, tuple | range | Cells):
            is_in: Value = False
            for item in right.values if isinstance(right, Cells) else right:
                is_in = graph.either(is_in, graph.compare("eq", left, item))
            return is_in if isinstance(op, ast.In) else graph.negation(is_in)
        if type(op) not in COMPARE or not isinstance(left, int | Node) or not isinstance(right, int | Node):
            raise self.error(where, f"a comparison that is not known here: {type(op).__name__}")
        return graph.compare(COMPARE[type(op)], left, right)

    def _IfExp(self, expression: ast.IfExp, names: dict[str, Any]) -> Any:  # noqa: N802
        graph, path = self.graph, self.path
        condition = graph.as_bool(self.value(expression.test, names))
        if not isinstance(condition, Node):
            return self.value(expression.body if condition else expression.orelse, names)
        self.path = graph.both(path, condition)
        one = self.value(expression.body, names)
        self.path = graph.both(path, graph.negation(condition))
        other = self.value(expression.orelse, names)
        self.path = path
        return self.chosen(expression, condition, one, other)

    def _Tuple(self, expression: ast.Tuple, names: dict[str, Any]) -> Any:  # noqa: N802
        return tuple(self.value(part, names) for part in expression.elts)

    def _Subscript(self, expression: ast.Subscript, names: dict[str, Any]) -> Any:  # noqa: N802
        graph = self.graph
        cells, index = self.value(expression.value, names), graph.number(self.value(expression.slice, names))
        if isinstance(cells, Row):
            return graph.load(cells, index)
        if isinstance(cells, Cells) and not isinstance(index, Node):
            return cells.values[index]
        if isinstance(cells, Cells):
            index = self.in_list(cells, index)
            first, last = range_of(index)
            return graph.pick(cells.values[first : last + 1], index, first)
        if isinstance(cells, tuple | list) and not isinstance(index, Node):
            return cells[index]
        if isinstance(cells, tuple) and all(isinstance(entry, int) for entry in cells):
            return graph.look_up(cells, index)
        raise self.error(expression, "an element of what is neither a list of the table nor a tuple of integers")

    def _Call(self, expression: ast.Call, names: dict[str, Any]) -> Any:  # noqa: N802
        called = self.value(expression.func, names)
        if expression.keywords:
            raise self.error(expression, "a call with keywords")
        arguments = [self.value(argument, names) for argument in expression.args]
        if called in BUILTINS:
            return BUILTINS[called](self, *arguments)
        if isinstance(called, FunctionType) and called.__name__ == "<lambda>" and not arguments:
            return called()  # a method of an integer, see `_Attribute`
        return trace(self.graph, called, arguments, self.path)

    def _range(self, *limits: Value) -> range:
        if any(isinstance(limit, Node) for limit in limits):
            raise UntraceableError("a loop over a range whose ends depend on the game")
        return range(*(int(limit) for limit in limits if not isinstance(limit, Node)))

    def _int(self, value: Value) -> Value:
        return self.graph.number(value)

    def _bool(self, value: Value) -> Value:
        return self.graph.as_bool(value)

    def _len(self, of: Any) -> int:
        return of.length if isinstance(of, Row) else len(of.values) if isinstance(of, Cells) else len(of)

    def _min(self, *values: Value) -> Value:
        return self._extreme("lt", values)

    def _max(self, *values: Value) -> Value:
        return self._extreme("gt", values)

    def _extreme(self, op: str, values: Sequence[Value]) -> Value:
        found, *rest = values
        for value in rest:
            found = self.graph.select(self.graph.compare(op, value, found), value, found)
        return found

    def _abs(self, value: Value) -> Value:
        return self.graph.select(self.graph.compare("lt", value, 0), self.graph.unary("neg", value), value)


BUILTINS: dict[Any, Callable[..., Any]] = {
    range: _Run._range,
    int: _Run._int,
    bool: _Run._bool,
    len: _Run._len,
    min: _Run._min,
    max: _Run._max,
    abs: _Run._abs,
}


def _loaded(target: ast.expr) -> ast.expr:
    """The expression that reads what an assignment writes."""
    parts = {name: getattr(target, name) for name in target._fields} | {"ctx": ast.Load()}
    return ast.copy_location(type(target)(**parts), target)
