"""Syntax of Python, taken apart and put together: what statements assign, read and leave."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

from maumau.kernels.compiler.operators import assigned_names, names_in, parts_of, syntax_of

Scope = dict[str, ast.expr]
"""What is known of names: a constant, or another name that stands for the same."""


class Bind(ast.stmt):
    """In place of a statement: what the names of a target stand for in those that follow."""

    _fields = ("target", "value")
    __match_args__ = ("target", "value")

    def __init__(self, target: ast.expr, value: object) -> None:
        super().__init__()
        self.target, self.value = target, value


def constant_of(value: Any) -> ast.Constant:
    """What stands for a value in syntax: also a function or a tuple of functions, which no text can say."""
    return ast.Constant(value)


def resolve(function: FunctionType) -> ast.FunctionDef:
    """The definition of a function, with what names of its module stand for in their place."""
    tree = syntax_of(function)
    own = {*assigned_names(function), *(argument.arg for argument in tree.args.args)}
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    def found(node: ast.Name) -> ast.expr:
        if node.id in own or not isinstance(node.ctx, ast.Load):
            return node
        if node.id in cells:
            return constant_of(cells[node.id].cell_contents)
        return constant_of(function.__globals__[node.id]) if node.id in function.__globals__ else node

    return ast.copy_location(ast.FunctionDef(tree.name, tree.args, with_names(tree.body, found), [], None), tree)


def with_names(node: Any, put: Callable[[ast.Name], ast.expr]) -> Any:
    """Syntax with something else in place of its names, except in annotations."""
    if isinstance(node, list):
        return [with_names(each, put) for each in node]
    if isinstance(node, ast.Name):
        return copy_place(node, put(node))
    kind = node.__class__
    if not (parts := parts_of(kind)):
        return node
    found = kind.__new__(kind)
    vars(found).update(vars(node))
    for part in parts:
        if part != "annotation":
            setattr(found, part, with_names(getattr(node, part), put))
    return found


class Jumping(ast.NodeTransformer):
    """Puts another jump in place of one, not in loops."""

    def __init__(self, one: type[ast.stmt], other: type[ast.stmt]) -> None:
        self.one, self.other = one, other

    def visit(self, node: Any) -> Any:
        """Return what is in place of a node."""
        if isinstance(node, ast.For | ast.While):
            return node
        return copy_place(node, self.other()) if isinstance(node, self.one) else self.generic_visit(node)


def copy_place(where: ast.AST, node: Any) -> Any:
    """A node with the place of another one, if it has none."""
    if not hasattr(node, "lineno") and hasattr(where, "lineno"):  # `ast.copy_location` takes three times as long
        of: Any = where
        node.lineno, node.end_lineno = of.lineno, of.end_lineno
        node.col_offset, node.end_col_offset = of.col_offset, of.end_col_offset
    return node


def map_expressions(node: Any, change: Callable[[Any], ast.expr]) -> Any:
    """A node whose expressions are changed."""
    if isinstance(node, list):
        return [_mapped_part(each, change) for each in node]
    if not isinstance(node, ast.AST):
        return node
    fields = {name: _mapped_part(value, change) for name, value in ast.iter_fields(node)}
    return copy_place(node, type(node)(**fields))


def _mapped_part(node: Any, change: Callable[[Any], ast.expr]) -> Any:
    return change(node) if isinstance(node, ast.expr) else map_expressions(node, change)


def return_statement(value: ast.expr, scope: Scope) -> list[ast.stmt]:
    """The statement that returns a value."""
    nothing = isinstance(value, ast.Constant) and value.value is None
    return [copy_place(value, ast.Return(None if nothing else value))]


STORING: dict[type, tuple[str, ...]] = {
    ast.Tuple: ("elts",),
    ast.Assign: ("targets",),
    **dict.fromkeys((ast.AugAssign, ast.AnnAssign, Bind), ("target",)),
    **dict.fromkeys((ast.If, ast.While), ("body", "orelse")),
    ast.For: ("target", "body", "orelse"),
}
"""Parts of a node in which there may be names that it assigns."""


def stored_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements assign, in any order."""
    left: list[Any] = list(nodes)
    while left:
        node = left.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                yield node.id
        elif isinstance(node, list):
            left += node
        else:
            left += [getattr(node, part) for part in STORING.get(type(node), ())]


def names_after(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements assign on the ways to what follows them."""
    for each in statements:
        if isinstance(each, ast.If):
            for branch in (each.body, each.orelse):
                yield from () if ends(branch) else names_after(branch)
        else:
            yield from stored_names([each])


def count_names(nodes: Iterable[ast.AST]) -> Counter[str]:
    """How often each name is in statements."""
    return Counter(name.id for name in names_in(nodes))


def loaded_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are read in some nodes."""
    return {name.id for name in names_in(nodes) if isinstance(name.ctx, ast.Load)}


def forget(scope: Scope, names: Iterable[str]) -> None:
    """Take out of a scope what was known of names that are assigned, and of names that stand for one of these."""
    if gone := set(names):
        aliases = [name for name, value in scope.items() if type(value) is ast.Name and value.id in gone]
        for name in (*gone, *aliases):
            scope.pop(name, None)


def bindings(target: ast.expr, value: Any) -> Iterator[tuple[str, ast.expr]]:
    """What the names of a target stand for."""
    if isinstance(target, ast.Name):
        yield target.id, constant_of(value)
    elif isinstance(target, ast.Tuple):
        for each, part in zip(target.elts, value, strict=True):
            yield from bindings(each, part)


def tuple_parts(value: ast.expr) -> list[ast.expr] | None:
    """The parts of a tuple."""
    if isinstance(value, ast.Tuple):
        return value.elts
    if isinstance(value, ast.Constant) and isinstance(value.value, tuple):
        return [constant_of(each) for each in value.value]
    return None


def choice(test: ast.expr, yes: list[ast.stmt], no: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
    """An `if` statement in place of a node; none where nothing is left of it."""
    if not yes and not no:
        return [copy_place(node, ast.Expr(test))] if calls(test) else []
    if not yes:
        test, yes, no = negation(test), no, []
    return [copy_place(node, ast.If(test, yes, no))]


def without(statements: Sequence[ast.stmt], names: set[str], removed: list[ast.AST]) -> list[ast.stmt]:
    """Statements without those that only assign one of some names. removed: to which all is added that goes."""
    left = list[ast.stmt]()
    for each in statements:
        before = len(removed)
        match each:
            case ast.Assign([ast.Name(name)], value) | ast.AugAssign(ast.Name(name), _, value):
                if name in names and not calls(value):
                    removed.append(value)
                    continue
            case ast.If(test):
                yes, no = (without(part, names, removed) for part in (each.body, each.orelse))
                if len(removed) > before:
                    chosen = choice(test, yes, no, each)
                    removed += [] if chosen else [test]
                    left += chosen
                    continue
            case ast.For() | ast.While():
                body = without(each.body, names, removed) or [ast.Pass()]
                if len(removed) > before:
                    left.append(copy_place(each, type(each)(**dict(ast.iter_fields(each)) | {"body": body})))
                    continue
        left.append(each)
    return left


def fresh_name(name: str, taken: set[str]) -> str:
    """A name that no function around has."""
    number = 1
    while (fresh := name if number == 1 else f"{name}_{number}") in taken:
        number += 1
    return fresh


def outside_loops(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, and those in them that are not in a loop."""
    for each in statements:
        yield each
        if isinstance(each, ast.If):
            yield from outside_loops(each.body)
            yield from outside_loops(each.orelse)


def jumps(node: ast.AST) -> bool:
    """Whether a statement leaves a loop or its round."""
    return isinstance(node, ast.Break | ast.Continue)


def returns(statements: Iterable[ast.AST]) -> bool:
    """Whether there is a `return` in statements."""
    return any(isinstance(part, ast.Return) for each in statements for part in ast.walk(each))


def ends(statements: Sequence[ast.stmt]) -> bool:
    """Whether nothing that follows statements is reached."""
    match list(statements):
        case [*_, ast.Return() | ast.Break() | ast.Continue()]:
            return True
        case [*_, ast.If(_, yes, no)]:
            return ends(yes) and ends(no)
        case [*_, ast.While(ast.Constant(True), body)]:
            return not any(isinstance(each, ast.Break) for each in outside_loops(body))
    return False


def calls(node: ast.AST) -> bool:
    """Whether something is called in a node."""
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def negation(node: ast.expr) -> ast.expr:
    """What holds where a condition does not."""
    match node:
        case ast.Constant(value):
            return ast.Constant(not value)
        case ast.UnaryOp(ast.Not(), value):
            return value
    return ast.UnaryOp(ast.Not(), node)


def junction(op: ast.boolop, parts: Iterable[ast.expr]) -> ast.expr:
    """What is left of `and` or `or`."""
    decides, left = isinstance(op, ast.Or), list[ast.expr]()
    for part in parts:
        if not isinstance(part, ast.Constant):
            left.append(part)
        elif bool(part.value) is decides:
            if not any(map(calls, left)):
                return ast.Constant(decides)
            left.append(ast.Constant(decides))
            break
    if not left:
        return ast.Constant(not decides)
    return ast.BoolOp(op, left) if len(left) > 1 else left[0]
