"""The syntax of functions, read from the files in which they are defined."""

from __future__ import annotations

import ast
import linecache
from functools import cache
from types import FunctionType

from fsm.edge.kept import kept_weakly


class NoSourceError(ValueError):
    """The source of a function cannot be read."""


@kept_weakly
def syntax_of(function: FunctionType) -> ast.FunctionDef:
    """The definition of a function. Raises NoSourceError for a lambda, and where the file does not have it.

    A function that a decorator put in the place of another one is read as it stands, not as the other one.
    """
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    for found in _definitions(text).get(code.co_name, ()):
        if min([found.lineno, *(each.lineno for each in found.decorator_list)]) == code.co_firstlineno:
            return found
    raise NoSourceError(f"{function.__name__}: its source cannot be read, expected a function with def")


@cache
def _definitions(text: str) -> dict[str, list[ast.FunctionDef]]:
    """All functions that are defined in the text of a file, by name."""
    found: dict[str, list[ast.FunctionDef]] = {}
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found
