"""Stubs of modules with games, for type checkers and editors, which see nothing of what is made from a declaration.

The stub of a module is its own text, in which each class of games lists its methods, and no function has a body: so all
other names of the module have the types that they have without a stub.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from inspect import Signature, signature
from itertools import accumulate, chain
from textwrap import indent
from types import ModuleType
from typing import Any, NamedTuple, TypeGuard

from fsm.stepping.game import Game
from fsm.stepping.hooks import MADE, Attach

HEAD = """# Made by `maumau stubs`, which makes it again: changes are lost.
"""
IMPORTS = """from fsm.stepping.game import Game as _Game
from fsm.stepping.hooks import Attached as _Attached
from fsm.stepping.steps import Step as _Step
from typing import Any as _Any

"""
"""What the lists of methods refer to, under names that no module has."""
INDENT = "    "


class Replacement(NamedTuple):
    """A text in place of what stands between two places of another text, each a line, from 1, and a column in bytes."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def stub_of(module: ModuleType, text: str, name: str, kind: type[Game]) -> str:
    """The stub of a module with this text.

    Raises ValueError unless `kind` is a game that it makes as `name` by a class statement or a call of `game_of`.
    """
    tree = ast.parse(text)
    found = {made: edits for each in tree.body for made, edits in _games(module, each, text)}
    if name not in found or vars(module)[name] is not kind:
        raise ValueError(f"{name} is not made there; use `class {name}(Game, ...)` or `{name} = game_of(...)`")
    edits = [*chain.from_iterable(found.values()), *_shortened(tree, vars(module))]
    if not hasattr(module, "__all__"):
        edits += _exports(tree)
    first = next(each for each in tree.body if not _is_head(each))
    line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))])
    return HEAD + _edited(text, [*edits, Replacement((line, 0), (line, 0), IMPORTS)])


def methods(kind: type[Game]) -> Iterator[str]:
    """The methods that a class of games has from its declaration, and not from a class above it, as in a stub."""
    for name, member in vars(kind).items():
        if isinstance(member, Attach):
            yield f"{name}: _Attached"
        elif hasattr(member, MADE):
            returned = member.__annotations__["return"]
            typed = signature(member).replace(return_annotation=Signature.empty)
            text = member.__doc__.replace("\\", r"\\").replace('"""', r"\"\"\"")
            yield f"def {name}{typed} -> {'bool' if returned is bool else '_Step'}:"
            yield from indent(f'"""{text}\n"""' if "\n" in text else f'"""{text}"""', INDENT).splitlines()


def _games(module: ModuleType, statement: ast.stmt, text: str) -> Iterator[tuple[str, list[Replacement]]]:
    """The name of the game that a statement makes, if it makes one, and the edits that list its methods."""
    if isinstance(statement, ast.ClassDef) and _is_game(kind := getattr(module, statement.name, None)):
        yield statement.name, _in_class(statement, kind, text.split("\n"))
    elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        name = ast.unparse(statement.targets[0])
        if _is_game(kind := getattr(module, name, None)) and kind.__bases__ == (Game,):
            head = f'class {name}(_Game):\n{INDENT}"""{kind.__doc__}"""\n\n'
            yield name, [Replacement(_start(statement), _end(statement), head + _listed(kind, INDENT))]


def _in_class(statement: ast.ClassDef, kind: type[Game], lines: list[str]) -> list[Replacement]:
    """The methods in the body of a class, after all else; a body behind the colon gets a line of its own."""
    first, end = _start(statement.body[0]), statement.end_lineno or statement.lineno
    before, last = lines[first[0] - 1].encode()[: first[1]].decode(), (end, len(lines[end - 1].encode()))
    if not before.isspace():
        return [Replacement(first, first, f"\n{INDENT}"), Replacement(last, last, f"\n\n{_listed(kind, INDENT)}")]
    return [Replacement(last, last, f"\n\n{_listed(kind, before)}")]


def _listed(kind: type[Game], indented: str) -> str:
    return indent("\n".join(methods(kind)), indented)


def _shortened(node: ast.AST, values: Mapping[str, Any]) -> Iterator[Replacement]:
    """What is left out of a stub: bodies of functions, and `A | B` of values, which in a stub is a type.

    values: those of the names that are assigned in `node`.
    """
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            rest = each.body[1:] if ast.get_docstring(each, clean=False) is not None else each.body
            if rest:
                yield Replacement(_start(rest[0]), _end(rest[-1]), "...")
        elif isinstance(each, ast.Assign) and isinstance(getattr(each.value, "op", None), ast.BitOr):
            name = ast.unparse(each.targets[0])
            value = values.get(name)
            if type(value).__module__ == "builtins" and not isinstance(value, type):
                yield Replacement(_start(each), _end(each), f"{name}: {'int' if type(value) is int else '_Any'}")
        elif isinstance(each, ast.ClassDef):
            yield from _shortened(each, getattr(values.get(each.name), "__dict__", {}))
        elif isinstance(each, ast.stmt):
            yield from _shortened(each, values)


def _exports(tree: ast.Module) -> Iterator[Replacement]:
    """Imported names as names of the module, which in a stub they are by `as` only."""
    imports = (each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom) and not _is_head(each))
    for alias in (alias for each in imports for alias in each.names):
        if alias.asname is None and alias.name.isidentifier():
            yield Replacement(_end(alias), _end(alias), f" as {alias.name}")


def _is_game(value: Any) -> TypeGuard[type[Game]]:
    return isinstance(value, type) and issubclass(value, Game) and hasattr(value, "declaration")


def _is_head(statement: ast.stmt) -> bool:
    """Whether it is a docstring, or an import from the future, before which nothing may stand."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _start(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.stmt | ast.alias) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _edited(text: str, edits: list[Replacement]) -> str:
    """A text with edits, none of which overlap."""
    data, parts, done = text.encode(), [], 0
    lines = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
    for (line, column), (last, end), new in sorted(edits):
        parts += [data[done : lines[line - 1] + column], new.encode()]
        done = lines[last - 1] + end
    return b"".join([*parts, data[done:]]).decode()
