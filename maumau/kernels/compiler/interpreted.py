"""Compiled functions run by Python, with what is known put in place, as the compiler does."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from copy import deepcopy
from types import FunctionType
from typing import Any

from maumau.kernels.compiler.partial import Evaluation

Function = Callable[..., Any]


def interpreted(
    function: Function,
    names: Mapping[str, object],
    made: dict[Any, Function] | None = None,
    known: Mapping[str, object] | None = None,
) -> Any:
    """A compiled function for Python, with the compiled functions that it calls.

    names: what they take for granted. made: those that are made already. known: arguments of it that are known.
    """
    made, known = {} if made is None else made, known or {}
    key = (function, *((name, id(value)) for name, value in known.items())) if known else function
    if key not in made:
        assert isinstance(function, FunctionType)
        scope: dict[str, object] = {"__builtins__": builtins, "known": known}

        def mentioned(value: object, known: Mapping[str, object]) -> str:
            name = f"known_{id(value)}_{'_'.join(str(id(each)) for each in known.values())}"
            scope[name] = interpreted(value, names, made, known) if is_compiled(value) else value  # type: ignore[arg-type]
            return name

        tree = mentioning(Evaluation(names).evaluated(function, known), mentioned)
        found: dict[str, Any] = {}
        exec(compile(ast.Module([tree], []), function.__code__.co_filename, "exec"), {}, found)
        made[key] = FunctionType(found[tree.name].__code__, scope)
    return made[key]


def is_compiled(value: object) -> bool:
    """Whether something is a function that is compiled, and no rule function."""
    return isinstance(value, FunctionType) and ".compiled." in (value.__module__ or "")


def mentioning(
    tree: ast.FunctionDef, mentioned: Callable[[object, Mapping[str, object]], str], drop: bool = False
) -> ast.FunctionDef:
    """A function with names in place of all that cannot be written in Python, such as functions.

    mentioned: gives something a name; a compiled function that is called with known arguments, by their names. drop:
    whether these arguments are left out of calls.
    """

    class Naming(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            return node if is_plain(node.value) else self.name(node, node.value, {})

        def visit_Call(self, node: Any) -> ast.AST:
            known: dict[str, object] = {}
            function: Any = node.func.value if isinstance(node.func, ast.Constant) else None
            if is_compiled(function):
                names = function.__code__.co_varnames
                known = {
                    name: each.value
                    for name, each in zip(names, node.args, strict=False)
                    if isinstance(each, ast.Constant) and isinstance(each.value, tuple)
                }
                if known:
                    left = [each for name, each in zip(names, node.args, strict=False) if name not in known or not drop]
                    node = ast.Call(self.name(node, function, known), left, node.keywords)
            return self.generic_visit(node)

        def name(self, node: ast.AST, value: object, known: Mapping[str, object]) -> ast.expr:
            return ast.copy_location(ast.Name(mentioned(value, known), ast.Load()), node)

    named = ast.FunctionDef(tree.name, deepcopy(tree.args), [Naming().visit(each) for each in tree.body], [], None)
    for argument in named.args.args:
        argument.annotation = None
    return ast.fix_missing_locations(ast.copy_location(named, tree))


def is_plain(value: object) -> bool:
    """Whether a value is a number, a text, None, or a tuple of such."""
    return all(map(is_plain, value)) if isinstance(value, tuple) else value is None or type(value) in (int, str, bool)
