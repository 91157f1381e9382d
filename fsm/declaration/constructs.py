"""What rule functions must do without to be compiled: it is named where a game is declared, with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from opcode import opmap
from types import CodeType, FunctionType
from typing import Any
from warnings import warn_explicit

from fsm.edge.errors import CompilationWarning
from fsm.edge.kept import kept_weakly
from rules.rule import RuleFunction, label, mark_of

OPERATIONS = (
    *("BUILD_LIST", "BUILD_SET", "BUILD_MAP", "BUILD_STRING", "BUILD_SLICE", "BINARY_SLICE", "FORMAT_VALUE"),
    *("FORMAT_SIMPLE", "IMPORT_NAME", "RAISE_VARARGS", "MAKE_FUNCTION", "YIELD_VALUE", "STORE_GLOBAL", "BEFORE_WITH"),
    *("PUSH_EXC_INFO", "LIST_APPEND", "SET_ADD", "MAP_ADD", "SET_UPDATE", "LIST_EXTEND"),
)
REFUSED = frozenset(opmap[name] for name in OPERATIONS if name in opmap)
CONSTRUCTS = (
    *("JoinedStr", "List", "Set", "Dict", "ListComp", "SetComp", "DictComp", "GeneratorExp", "Slice", "Lambda"),
    *("FunctionDef", "ClassDef", "Try", "With", "Raise", "Global", "Import", "ImportFrom", "Yield", "YieldFrom"),
)
"""Operations of Python that no compiled function has, and the names of the syntax that says what they are."""


def warn_of(functions: Iterable[RuleFunction]) -> None:
    """Warn of each function that cannot be compiled, at its line. functions: rule functions of a game."""
    for function in dict.fromkeys(functions):
        for line, construct in _uncompiled(function):
            file = function.__code__.co_filename
            where = f"{file}:{line}: {label(function)!r} cannot be compiled: {construct}"
            warn_explicit(f"{where}; the game can only be stepped", CompilationWarning, file, line)


@kept_weakly
def _uncompiled(function: RuleFunction) -> tuple[tuple[int, str], ...]:
    code = function.__code__
    others = [name for name in code.co_names if _is_no_rule(function.__globals__.get(name))]
    if not others and REFUSED.isdisjoint(code.co_code[::2]) and not any(map(_is_strange, _constants(code))):
        return ()
    from fsm.fingerprint import source_tree

    tree = source_tree(function)
    found = _found(tree, others) if tree else ()
    return tuple((code.co_firstlineno + line - 1, construct) for line, construct in found)[:1]


def _is_no_rule(value: object) -> bool:
    return isinstance(value, FunctionType) and mark_of(value) is None


def _is_strange(constant: object) -> bool:
    return isinstance(constant, str | bytes | float | complex | CodeType)


def _constants(code: CodeType) -> tuple[object, ...]:
    """The constants of code, without its docstring."""
    first, *others = code.co_consts or (None,)
    return tuple(others) if isinstance(first, str) else (first, *others)


def _found(tree: Any, others: list[str]) -> Iterator[tuple[int, str]]:
    from ast import Name, walk

    for node in (each for statement in getattr(tree, "body", ()) for each in walk(statement)):
        if type(node).__name__ in CONSTRUCTS:
            yield getattr(node, "lineno", 1), f"{type(node).__name__} is not known there"
        elif isinstance(node, Name) and node.id in others:
            yield node.lineno, f"{node.id} is called, which is no rule function"
