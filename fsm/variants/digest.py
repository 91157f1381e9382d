"""What a house rule does, as a hash that is the same on every machine and for every version of Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from itertools import zip_longest
from types import CodeType, FunctionType
from typing import Any

from fsm.fingerprint import fingerprint, reached, source_tree
from rules.rule import mark_of

TABLES = re.compile(r"\b(?!CardTable\b)[A-Z]\w*Table\b")
"""The table of a game, which records of 0.1.0 know as `Table`."""
LATER = (
    *("Choice.form", "Offer.forms", "Offer.seen_as", "Control.seen_as", "Arcs.but", "AddField.named"),
    *("SplitArcs.put_after", "ChangeArcs.put_before", "ChangeArcs.put_after", "SmallDeck.large"),
)
"""Fields that came after 0.1.0: digests name them only where they are given."""
CALLED = {"conditions": "when", "before": "then", "put_before": "before"}
"""The names of fields in 0.1.0, by which digests still know them."""
PLAIN = (bool, int, float, str, bytes, type(None))


def digest(*values: object) -> str:
    """A hash over values: dataclasses, tuples, plain values, and rule functions with all that they call and read."""
    functions: dict[FunctionType, None] = {}
    texts = [_text(value, functions) for value in values]
    texts += sorted(map(_source, reached(functions)))
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def _text(value: Any, functions: dict[FunctionType, None]) -> str:
    if isinstance(value, FunctionType):
        functions[value] = None
        return value.__name__
    if isinstance(value, str):
        return repr(str(value))
    if isinstance(value, Mapping):
        return repr(sorted((key, _text(each, functions)) for key, each in value.items()))
    if isinstance(value, tuple | list):
        named = zip_longest(getattr(value, "_fields", ()), value)
        given = (each for name, each in named if each or f"{type(value).__name__}.{name}" not in LATER)
        return f"({', '.join(_text(each, functions) for each in given)})"
    if is_dataclass(value):
        kind, names = type(value).__name__, [entry.name for entry in fields(value) if entry.compare]
        compared = {name: each for name in names if (each := getattr(value, name)) or f"{kind}.{name}" not in LATER}
        parts = (f"{CALLED.get(name, name)}={_text(each, functions)}" for name, each in compared.items())
        return f"{kind}({', '.join(parts)})"
    return repr(value)


def _source(function: Any) -> str:
    """A function as text: its statements without docstring, what it refuses, and the plain values that it reads."""
    tree = source_tree(function)
    text = fingerprint(function) if tree is None else TABLES.sub("Table", ast.unparse(tree))
    used = _names(function.__code__)
    read = {name: value for name, value in function.__globals__.items() if name in used and isinstance(value, PLAIN)}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    read |= {name: cell.cell_contents for name, cell in cells if isinstance(cell.cell_contents, PLAIN)}
    mark = mark_of(function)
    return f"{function.__name__} {mark and (str(mark.role), mark.refusal)} {text} {sorted(read.items())}"


def _names(code: CodeType) -> frozenset[str]:
    """The names that code reads, of fields too, functions within it included."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset((*code.co_names, *code.co_freevars)).union(*inner)
