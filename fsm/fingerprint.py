"""Fingerprints of functions: texts that are equal for equal content, wherever the functions are defined.

The text of a function covers its bytecode, constants, defaults and closure, and the values of all names that it reads:
functions, constants, tuples, attributes of modules and enums, and what these read in turn. In place of the bytecode,
which differs between versions of Python, it can have the statements.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from itertools import chain as chained
from itertools import zip_longest
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from fsm.edge.kept import kept_weakly
from rules.rule import RuleFunction, mark_of, parsed, role_of

PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes, bytearray)
CACHE = dis.opmap.get("CACHE", 0)
GLOBALS = {dis.opmap["LOAD_GLOBAL"]: 1, dis.opmap["LOAD_NAME"]: 0}
ATTRIBUTES = {dis.opmap["LOAD_ATTR"]: sys.version_info >= (3, 12), dis.opmap.get("LOAD_METHOD", -1): 0}
"""Operations, and by how many bits their argument moves the number of the name. `dis` itself is seven times as slow."""
PLACES = ("__module__", "__qualname__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__annotations__")
"""Entries of a class that describe its place or name, not its behaviour."""
MISSING = NotImplemented
"""In place of what a name stands for that has no value: its text is the same in every process."""


def fingerprint(*values: object) -> str:
    """The fingerprint of `values`: functions, or values that functions read."""
    return "\n".join(map(_Writer(lambda function: None).text, values))


def fingerprint_of_source(*values: object) -> str:
    """The same by the statements of functions: equal for every version of Python, and whatever variables are called."""
    return "\n".join(map(_Writer(_statements).text, values))


def source_tree(function: Callable[..., Any]) -> Any:
    """The parsed source of a function without its docstring and decorators; None where there is none.

    Of a lambda it is the statement in which it stands.
    """
    if (source := parsed(function)) is None:
        return None
    tree: Any = source.body[0]
    if isinstance(tree, ast.FunctionDef):
        if ast.get_docstring(tree) is not None:
            tree.body = tree.body[1:] or [ast.Pass()]
        tree.decorator_list = []
    return tree


def reached(functions: Iterable[RuleFunction]) -> tuple[RuleFunction, ...]:
    """Rule functions and all marked functions that they call, directly or not, by name or from a closure."""
    found = dict.fromkeys(functions)
    waiting = list(found)
    while waiting:
        called = [value for value in read(waiting.pop()) if isinstance(value, FunctionType) and role_of(value)]
        new = [function for function in dict.fromkeys(called) if function not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(found)


def read(function: RuleFunction) -> Iterator[object]:
    """What the global names and the closure of a function stand for."""
    yield from (_resolved(chain, function.__globals__) for chain in names_read(function.__code__))
    yield from closure(function)


def names_in(functions: Iterable[RuleFunction], *operations: str) -> frozenset[str]:
    """What some functions, and those that they call, name in operations of these kinds; without any, all names."""
    if not operations:
        return frozenset().union(*(_names(each.__code__) for each in reached(functions)))
    steps = (step for each in reached(functions) for step in dis.get_instructions(each.__code__))
    return frozenset(str(step.argval) for step in steps if step.opname in operations)


def closure(function: RuleFunction) -> Iterator[object]:
    """What is in the cells of a function, in the order of the names of its closure."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield MISSING


@kept_weakly
def names_read(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """The global names that code reads, each with the attributes that are read of it at once: `("Ending", "WON")`."""
    chains: list[tuple[str, ...]] = []
    chain: tuple[str, ...] = ()
    extended = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        if operation == CACHE:
            continue
        argument, extended = extended << 8 | low, 0
        if chain and operation in ATTRIBUTES:
            chain = (*chain, code.co_names[argument >> ATTRIBUTES[operation]])
            continue
        if chain:
            chains.append(chain)
            chain = ()
        if operation in GLOBALS:
            chain = (code.co_names[argument >> GLOBALS[operation]],)
        elif operation == dis.EXTENDED_ARG:
            extended = argument
    inner = (names_read(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return *chains, *chained.from_iterable(inner)


def _resolved(chain: tuple[str, ...], names: Mapping[str, object]) -> object:
    """What a name stands for; of modules and classes the attribute, of anything else the value itself."""
    first, *attributes = chain
    value = names.get(first, vars(builtins).get(first, MISSING))
    for attribute in attributes:
        if not isinstance(value, ModuleType | type):
            break
        value = getattr(value, attribute, MISSING)
    return value


class _Writer:
    """Serializes values; one that occurs again is written as a number, so that recursion ends.

    Tuples are written again: Python may keep equal ones as one or not. body: the text of a function, without what it
    reads; None for its bytecode.
    """

    def __init__(self, body: Callable[[FunctionType], str | None]) -> None:
        self._body = body
        self._numbers: dict[int, int] = {}
        self._written: list[object] = []

    def text(self, value: object) -> str:
        if isinstance(value, PLAIN) and type(value) in PLAIN:
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, Enum):
            return f"{type(value).__name__}.{value.name} {self.text(value.value)}"
        if type(value) is tuple:
            return f"tuple {{{self._several(value)}}}"
        if id(value) in self._numbers:
            return f"number {self._numbers[id(value)]}"
        self._numbers[id(value)] = len(self._written)
        self._written.append(value)
        return f"{type(value).__name__} {{{self._content(value)}}}"

    def _content(self, value: Any) -> str:
        for kind, write in _CONTENTS.items():
            if isinstance(value, kind):
                return write(self, value)
        if hasattr(value, "tobytes"):  # an array of numpy
            return f"{value.dtype.str} {value.shape} {value.tobytes().hex()}"
        if hasattr(value, "__dict__"):
            return self._mapping(vars(value))
        return repr(value)

    def _several(self, values: Iterable[object]) -> str:
        return ", ".join(map(self.text, values))

    def _set(self, values: Iterable[object]) -> str:
        return self._several(sorted(values, key=repr))

    def _mapping(self, values: Mapping[Any, object]) -> str:
        return "; ".join(
            f"{self.text(key)}: {self.text(value)}"
            for key, value in sorted(values.items(), key=lambda each: repr(each[0]))
        )

    def _function(self, function: FunctionType) -> str:
        read = {".".join(chain): _resolved(chain, function.__globals__) for chain in names_read(function.__code__)}
        given = (function.__defaults__, function.__kwdefaults__, tuple(closure(function)))
        body = self._body(function)
        text = self._code(function.__code__) if body is None else body
        return f"{text} {self._several(given)} {self._mapping(read)}"

    def _code(self, code: CodeType) -> str:
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        run = (code.co_code.hex(), code.co_exceptiontable.hex())
        return f"{counts} {names} {run} {self._several(code.co_consts)}"

    def _class(self, value: type) -> str:
        if value.__module__ == "builtins":
            return value.__name__
        own = {name: entry for name, entry in vars(value).items() if name not in PLACES}
        own = {name: entry for name, entry in own.items() if isinstance(entry, (FunctionType, Enum, *PLAIN))}
        return f"{value.__name__} {self._several(value.__bases__)} {self._mapping(own)}"


@kept_weakly
def _statements(function: FunctionType) -> str | None:
    """The statements of a function without names of its own; None where its source is not there."""
    tree = source_tree(function)
    return None if tree is None else ast.unparse(_anonymous(tree))


def _anonymous(tree: Any) -> Any:
    """A function without its name and annotations, its arguments and variables numbered."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
            node.arg = names.setdefault(node.arg, f"_{len(names)}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, f"_{len(names)}")
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    if isinstance(tree, ast.FunctionDef):
        tree.name, tree.returns = "_", None
    return tree


_CONTENTS: dict[Any, Callable[[_Writer, Any], str]] = {
    FunctionType: _Writer._function,
    CodeType: _Writer._code,
    type: _Writer._class,
    (tuple, list): _Writer._several,
    (set, frozenset): _Writer._set,
    dict: _Writer._mapping,
    ModuleType: lambda writer, module: "module",
    BuiltinFunctionType: lambda writer, function: f"{function.__module__}.{function.__qualname__}",
}
"""How values are serialized, by type."""


# ---------------------------------------------------------------- what a house rule does


TABLES = r"\b(?!CardTable\b)[A-Z]\w*Table\b"
"""The table of a game, which records of 0.1.0 know as `Table`."""
LATER = (
    *("Choice.form", "Offer.forms", "Offer.seen_as", "Control.seen_as", "Arcs.but", "AddField.named"),
    *("SplitArcs.put_after", "ChangeArcs.put_before", "ChangeArcs.put_after", "SmallDeck.large"),
)
"""Fields that came after 0.1.0: digests name them only where they are given."""
CALLED = {"conditions": "when", "before": "then", "put_before": "before"}
"""The names of fields in 0.1.0, by which digests still know them."""
DATA = (bool, int, float, str, bytes, type(None))


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
    text = fingerprint(function) if tree is None else re.sub(TABLES, "Table", ast.unparse(tree))
    used = _names(function.__code__)
    read = {name: value for name, value in function.__globals__.items() if name in used and isinstance(value, DATA)}
    cells = zip(function.__code__.co_freevars, closure(function), strict=True)
    read |= {name: value for name, value in cells if isinstance(value, DATA)}
    mark = mark_of(function)
    return f"{function.__name__} {mark and (str(mark.role), mark.refusal)} {text} {sorted(read.items())}"


def _names(code: CodeType) -> frozenset[str]:
    """The names that code reads, of fields too, functions within it included."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset((*code.co_names, *code.co_freevars)).union(*inner)
