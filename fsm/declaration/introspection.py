"""What functions read and call, by their code, and their statements."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain as chained
from opcode import haslocal, hasname, opmap, opname
from types import CodeType, FunctionType, ModuleType
from typing import Any

from fsm.edge.kept import kept
from rules.rule import RuleFunction, mark_of, parsed

GLOBALS, ATTRIBUTES = ("LOAD_GLOBAL", "LOAD_NAME"), ("LOAD_ATTR", "LOAD_METHOD")
GOING_ON = (*ATTRIBUTES, "EXTENDED_ARG")
CACHE, EXTENDED = opmap["CACHE"], opmap["EXTENDED_ARG"]
FLAGS = {"LOAD_GLOBAL": 1, "LOAD_ATTR": int(sys.version_info >= (3, 12)), "LOAD_SUPER_ATTR": 2}
"""How many bits of an argument stand below the number of the name."""
NAMED = {code: FLAGS.get(opname[code], 0) for code in hasname}
LOCAL = frozenset(haslocal)
PAIRS = frozenset(code for code in LOCAL if opname[code].count("FAST") == 2)
"""Operations about two variables, each with four bits of the argument."""
MISSING = NotImplemented
"""In place of what a name stands for that has no value: its text is the same in every process."""


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


def source_lines(function: FunctionType) -> str:
    """Return the present lines of a function in its file, up to where the next one begins. No parser is needed."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1 :] or [""]
    inside = lines[0][: len(lines[0]) - len(lines[0].lstrip())] + " "
    is_decorated = lines[0].lstrip().startswith("@")
    for number, line in enumerate(lines[1:], 1):
        if line.lstrip().startswith(("def ", "async def ", "class ", "@")) and not line.startswith(inside):
            if not is_decorated:
                return "".join(lines[:number])
            is_decorated = line.lstrip().startswith("@")
    return "".join(lines)


def reached(functions: Iterable[RuleFunction]) -> tuple[RuleFunction, ...]:
    """Rule functions and all marked functions that they call, directly or not, by name or from a closure."""
    found = dict.fromkeys(functions)
    waiting = list(found)
    while waiting:
        new = [function for function in _called(waiting.pop()) if function not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(found)


@kept
def _called(function: RuleFunction) -> tuple[RuleFunction, ...]:
    """The marked functions that a function itself calls, each once."""
    called = (value for value in read(function) if isinstance(value, FunctionType) and mark_of(value))
    return tuple(dict.fromkeys(called))


def read(function: RuleFunction) -> Iterator[object]:
    """What the global names and the closure of a function stand for."""
    yield from (resolved(chain, function.__globals__) for chain in names_read(function.__code__))
    yield from closure(function)


@kept
def operations_of(code: CodeType) -> tuple[tuple[str, Any], ...]:
    """The operations of code, each with the name, variable or two variables that it is about: `("LOAD_ATTR", "turns")`.

    `dis` finds the same in ten times the time, because it also finds lines and texts. Each start pays for that.
    """
    inside = (name for name in code.co_cellvars if name not in code.co_varnames)
    variables = (*code.co_varnames, *inside, *code.co_freevars)
    found: list[tuple[str, Any]] = []
    extended = 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        if operation == CACHE:
            continue
        number = argument | extended
        extended = number << 8 if operation == EXTENDED else 0
        about: Any = None
        if operation in NAMED:
            about = code.co_names[number >> NAMED[operation]]
        elif operation in PAIRS:
            about = variables[number >> 4], variables[number & 15]
        elif operation in LOCAL:
            about = variables[number]
        found.append((opname[operation], about))
    return tuple(found)


def names_in(functions: Iterable[RuleFunction], *operations: str) -> frozenset[str]:
    """What some functions, and those that they call, name in operations of these kinds."""
    steps = chained.from_iterable(operations_of(each.__code__) for each in reached(functions))
    return frozenset(str(value) for name, value in steps if name in operations)


@kept
def attributes_read(function: RuleFunction) -> frozenset[str]:
    """Return the names of the attributes that a rule function, or one that it calls, reads."""
    return names_in([function], *ATTRIBUTES)


def closure(function: RuleFunction) -> Iterator[object]:
    """What is in the cells of a function, in the order of the names of its closure."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield MISSING


@kept
def names_read(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """The global names that code reads, each with the attributes that are read of it at once: `("Ending", "WON")`."""
    chains: list[tuple[str, ...]] = []
    goes_on = False
    for name, value in operations_of(code):
        if name in GLOBALS:
            chains.append((value,))
        elif goes_on and name in ATTRIBUTES:
            chains[-1] += (value,)
        goes_on = name in GLOBALS or (goes_on and name in GOING_ON)
    inner = (names_read(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return *chains, *chained.from_iterable(inner)


def resolved(chain: tuple[str, ...], names: Mapping[str, object]) -> object:
    """What a name stands for; of modules and classes the attribute, of anything else the value itself."""
    first, *attributes = chain
    value = names.get(first, vars(builtins).get(first, MISSING))
    for attribute in attributes:
        if not isinstance(value, ModuleType | type):
            break
        value = getattr(value, attribute, MISSING)
    return value
