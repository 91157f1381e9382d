"""Compiled functions run by Python. Loops over constant tuples are written out, as the compiler writes them out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from maumau.kernels.compiler.operators import OPERATORS, syntax_of

Function = Callable[..., Any]


def interpreted(function: Function, names: Mapping[str, object], made: dict[Function, Function] | None = None) -> Any:
    """A compiled function for Python, with the compiled functions that it calls.

    names: what they take for granted. made: those that are made already.
    """
    made = {} if made is None else made
    if function not in made:
        assert isinstance(function, FunctionType)
        scope = {**function.__globals__, **names}
        made[function] = FunctionType(_code(function, scope), scope)
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType) and ".compiled." in called.__module__:
                scope[name] = interpreted(called, names, made)
    return made[function]


def _code(function: FunctionType, scope: Mapping[str, object]) -> CodeType:
    """The code of a function; where it reads constant tuples, with what is known put in place of names."""
    code = function.__code__
    known = {name: scope[name] for name in code.co_names if _is_plain(scope.get(name))}
    if not any(isinstance(value, tuple) for value in known.values()):
        return code
    tree = ast.Module([_put(syntax_of(function), known)], [])
    found: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), code.co_filename, "exec"), found)
    return found[function.__name__].__code__  # type: ignore[no-any-return]


def _is_plain(value: object) -> bool:
    """Whether a value is a number, a text, or a tuple of such."""
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, int | str)


def _put(node: Any, known: Mapping[str, Any]) -> Any:
    """Syntax with what is known in place of names; a list for a statement of which nothing or more than one is left."""
    match node:
        case ast.Name(name, ast.Load()) if name in known:
            return ast.Constant(known[name])
        case ast.For(target, ast.Name(name), body) if name in known and not any(map(_jumps, ast.walk(node))):
            rounds = ({**known, **dict(_named(target, value))} for value in known[name])
            return [each for names in rounds for each in _put(body, names)] or ast.Pass()
        case ast.If(test, body, orelse) if isinstance(holds := _put(test, known), ast.Constant):
            return _put(body if holds.value else orelse, known) or ast.Pass()
        case list():
            parts = [_put(each, known) for each in node]
            return [each for part in parts for each in (part if isinstance(part, list) else [part])]
        case ast.AST():
            fields = {name: _put(value, known) for name, value in ast.iter_fields(node)}
            return _computed(ast.copy_location(type(node)(**fields), node))
    return node


def _jumps(node: ast.AST) -> bool:
    """Whether a statement leaves a loop or its round."""
    return isinstance(node, ast.Break | ast.Continue)


def _named(target: ast.expr, value: Any) -> Iterator[tuple[str, Any]]:
    """What the names of the target of a loop stand for."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        for each, part in zip(target.elts, value, strict=True):
            yield from _named(each, part)


def _computed(node: ast.AST) -> ast.AST:
    """An expression, as far as Python does not compute it itself when it compiles: comparisons, and named fields."""
    match node:
        case ast.Compare(ast.Constant(one), [op], [ast.Constant(other)]):
            return ast.Constant(OPERATORS[type(op)].compute(one, other))
        case ast.IfExp(ast.Constant(holds), yes, no):
            return yes if holds else no
        case ast.Subscript(ast.Constant(tuple() as values), ast.Constant(int() as index)):
            return ast.Constant(values[index])
        case ast.Call(ast.Name("getattr"), [of, ast.Constant(str() as name)]):
            return ast.Attribute(of, name, ast.Load())
        case ast.Expr(ast.Call(ast.Name("setattr"), [of, ast.Constant(str() as name), value])):
            return ast.Assign([ast.Attribute(of, name, ast.Store())], value)
    return node
