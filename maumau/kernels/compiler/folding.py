"""Expressions, as far as what is in them is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiled.given import given
from maumau.kernels.compiler.operators import OPERATORS
from maumau.kernels.compiler.syntax import (
    Scope,
    bindings,
    constant_of,
    copy_place,
    junction,
    map_expressions,
    negation,
    stored_names,
)


def is_table(values: tuple[object, ...]) -> bool:
    """Whether a tuple has numbers alone, or rows of numbers: a loop over such is not written out."""
    rows = [each if isinstance(each, tuple) else (each,) for each in values]
    return bool(rows) and all(row and all(isinstance(each, int) for each in row) for row in rows)


class Folding:
    """Evaluates expressions as far as what they read is known. known: what stands in place of `given.NAME`, by name."""

    known: Mapping[str, object]

    def expression(self, node: ast.expr, scope: Scope) -> ast.expr:
        """What is left of an expression."""
        found: ast.expr = copy_place(node, self._expression(node, scope))
        return found

    def _expression(self, node: Any, scope: Scope) -> Any:
        parts: list[Any]
        match node:
            case ast.Constant():
                return node
            case ast.Name(name, ast.Load()):
                return scope.get(name, node)
            case ast.Attribute(of, name):
                return self.attribute(self.expression(of, scope), name)
            case ast.Tuple(parts):
                parts = [self.expression(each, scope) for each in parts]
                if all(isinstance(each, ast.Constant) for each in parts):
                    return constant_of(tuple(each.value for each in parts))
                return ast.Tuple(parts, ast.Load())
            case ast.UnaryOp() | ast.BinOp() | ast.Compare(_, [_], [_]) | ast.BoolOp() | ast.IfExp():
                return self.computed(node, scope)
            case ast.Subscript(of, ast.Slice()):
                return map_expressions(node, partial(self.expression, scope=scope))
            case ast.Subscript(of, index):
                of, index = self.expression(of, scope), self.expression(index, scope)
                if isinstance(of, ast.Constant) and isinstance(index, ast.Constant) and isinstance(of.value, tuple):
                    return constant_of(of.value[index.value])
                return ast.Subscript(of, index, ast.Load())
            case ast.Call():
                return self.call(node, scope)
            case ast.GeneratorExp(part, [ast.comprehension(target, over, [])]):
                over = self.expression(over, scope)
                inside = {name: value for name, value in scope.items() if name not in set(stored_names([target]))}
                return ast.GeneratorExp(self.expression(part, inside), [ast.comprehension(target, over, [], 0)])
        return map_expressions(node, partial(self.expression, scope=scope))

    def attribute(self, of: ast.expr, name: str) -> ast.expr:
        """What is left of an attribute: of `given` what is known, if it is."""
        value: Any = of.value if isinstance(of, ast.Constant) else None
        if value is given:
            if name in self.known:
                return constant_of(self.known[name])
            of = ast.Name("given", ast.Load())
        elif isinstance(value, type | ModuleType):
            return constant_of(getattr(value, name))
        return ast.Attribute(of, name, ast.Load())

    def computed(self, node: Any, scope: Scope) -> Any:
        """What is left of an operation on numbers, or of a choice between values."""
        parts: list[Any]
        match node:
            case ast.UnaryOp(ast.Not(), value):
                return negation(self.expression(value, scope))
            case ast.UnaryOp(op, value):
                return self.operation(op, partial(ast.UnaryOp, op), self.expression(value, scope))
            case ast.BinOp(one, op, other):
                parts = [self.expression(each, scope) for each in (one, other)]
                return self.operation(op, lambda one, other, op=op: ast.BinOp(one, op, other), *parts)
            case ast.Compare(one, [op], [other]):
                parts = [self.expression(each, scope) for each in (one, other)]
                return self.operation(op, lambda one, other, op=op: ast.Compare(one, [op], [other]), *parts)
            case ast.BoolOp(op, values):
                return junction(op, (self.expression(each, scope) for each in values))
            case ast.IfExp(test, yes, no):
                holds = self.expression(test, scope)
                if isinstance(holds, ast.Constant):
                    return self.expression(yes if holds.value else no, scope)
                return ast.IfExp(holds, self.expression(yes, scope), self.expression(no, scope))
        return node

    def call(self, node: Any, scope: Scope) -> ast.expr:
        """What is left of a call."""
        match node:
            case ast.Call(ast.Name("all" | "any" as quantifier), [ast.GeneratorExp(part, [comprehension])]):
                over: Any = self.expression(comprehension.iter, scope)
                if isinstance(over, ast.Constant):
                    each_value: Any = over.value
                    scopes = ({**scope, **dict(bindings(comprehension.target, value))} for value in each_value)
                    parts = (self.expression(part, each) for each in scopes)
                    return junction(ast.And() if quantifier == "all" else ast.Or(), parts)
        called: Any = self.expression(node.func, scope)
        arguments: list[Any] = [self.expression(each, scope) for each in node.args]
        keywords = [ast.keyword(each.arg, self.expression(each.value, scope)) for each in node.keywords]
        known: list[Any] = [each.value if isinstance(each, ast.Constant) else None for each in arguments]
        match called, known:
            case ast.Name("getattr"), [_, str() as name]:
                return ast.Attribute(arguments[0], name, ast.Load())
            case ast.Name("len"), [tuple()]:
                return constant_of(len(known[0]))
            case ast.Name("enumerate"), [tuple()]:
                return constant_of(tuple(enumerate(known[0])))
        function: Any = called.value if isinstance(called, ast.Constant) else None
        if hasattr(function, "in_place"):
            raise CompilationError(f"{function.__name__} is called within an expression, but is written in place")
        return ast.Call(called, arguments, keywords)

    def operation(self, op: ast.AST, make: Callable[..., ast.expr], *parts: Any) -> ast.expr:
        """An operation; its result, where all is known."""
        if all(isinstance(each, ast.Constant) for each in parts):
            values = [each.value for each in parts]
            if isinstance(op, ast.Is | ast.IsNot):
                return constant_of((values[0] is values[1]) == isinstance(op, ast.Is))
            if isinstance(op, ast.In | ast.NotIn):
                return constant_of((values[0] in values[1]) == isinstance(op, ast.In))
            if isinstance(op, ast.Eq | ast.NotEq) or all(isinstance(each, int) for each in values):
                return constant_of(OPERATORS[type(op)].compute(*values))
        return make(*parts)
