"""Partial evaluation: what is known of a game is put into a function before it is compiled.

Names of constants become their values, loops over constant tuples are written out, conditions on what is known are
decided, and functions marked `in_place` are written in place of their calls (Jones, Gomard and Sestoft, Partial
Evaluation and Automatic Program Generation, 1993). What is left is a function of Python with the same result.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import FunctionType
from typing import Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.operators import names_in
from maumau.kernels.compiler.syntax import (
    Bind,
    Scope,
    bindings,
    calls,
    choice,
    constant_of,
    copy_place,
    count_names,
    ends,
    forget,
    fresh_name,
    loaded_names,
    names_after,
    resolve,
    return_statement,
    returns,
    stored_names,
    tuple_parts,
    with_names,
    without,
)
from maumau.kernels.compiler.unrolling import GOING_ON, IGNORED, Frame, Leave, Unrolling

SHORT = 2
"""Statements that are written wherever they follow a value that is returned, if they end there."""


def without_unread(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without those that only assign names that nothing reads."""
    stored, loaded = Counter[str](), Counter[str]()
    for name in names_in(statements):
        (loaded if isinstance(name.ctx, ast.Load) else stored)[name.id] += 1
    gone = set[str]()
    while unread := {name for name in stored if not loaded[name]} - gone:
        removed = list[ast.AST]()
        statements = without(statements, unread, removed)
        loaded.subtract(name.id for name in names_in(removed) if isinstance(name.ctx, ast.Load))
        gone |= unread
    return statements


def is_large(node: ast.stmt) -> bool:
    """Whether a statement has others, or calls something."""
    return isinstance(node, ast.If | ast.For | ast.While) or calls(node)


def renamed(counts: Counter[str], names: Mapping[str, str]) -> Counter[str]:
    """Counts of names that have become others."""
    found = Counter[str]()
    for name, count in counts.items():
        found[names.get(name, name)] += count
    return found


@dataclass(frozen=True)
class Opened:
    """A function that is evaluated.

    tree: its definition, as `resolve` makes it. counts: how often its statements assign each name. uses: how often each
    name is in them or an argument.
    """

    tree: ast.FunctionDef
    counts: Counter[str]
    uses: Counter[str]

    @cached_property
    def own(self) -> list[str]:
        """The names of its arguments and variables."""
        return sorted({*self.counts, *(argument.arg for argument in self.tree.args.args)} - {IGNORED})


class Undecided(Exception):
    """A condition is not decided by what a function returns."""


class Evaluation(Unrolling):
    """Evaluates functions as far as what they read is known."""

    def __init__(self, known: Mapping[str, object]) -> None:
        """known: as of Folding."""
        super().__init__()
        self.known = known
        self._opened: dict[FunctionType, Opened] = {}
        self._renamed: dict[tuple[object, ...], list[ast.stmt]] = {}

    def evaluated(self, function: FunctionType, known: Mapping[str, object]) -> ast.FunctionDef:
        """A function with what is known put in place of names. known: arguments that are."""
        found = self.opened(function)
        scope: Scope = {name: constant_of(value) for name, value in known.items()}
        counts = found.counts + Counter(argument.arg for argument in found.tree.args.args)
        frame = Frame(function, {*counts}, counts, found.uses.copy())
        body = without_unread(self.block(found.tree.body, scope, frame))
        documented = [found.tree.body[0]] if ast.get_docstring(found.tree) is not None else []
        whole = ast.FunctionDef(found.tree.name, found.tree.args, [*documented, *body] or [ast.Pass()], [], None)
        return ast.copy_location(whole, found.tree)

    # ------------------------------------------------------------ statements

    def block(self, statements: Sequence[ast.stmt], scope: Scope, frame: Frame) -> list[ast.stmt]:
        """What is left of statements."""
        left, written = list(statements), list[ast.stmt]()
        while left:
            node = left.pop(0)
            if isinstance(node, ast.AnnAssign) and node.value:
                node = copy_place(node, ast.Assign([node.target], node.value))
            match node:
                case Bind(target, value):
                    scope |= dict(bindings(target, value))
                case ast.Return(value):
                    return [*written, *self.returned(value or ast.Constant(None), scope, frame)]
                case ast.If():
                    more, left = self.branches(node, left, scope, frame)
                    written += more
                case ast.For() if self.is_written_out(node, scope):
                    over: Any = self.expression(node.iter, scope)
                    goes_on = bool(left) and isinstance(left[0], ast.Continue)
                    left[:0] = self.rounds(node, over.value, frame, GOING_ON if goes_on else None)
                case ast.For() | ast.While():
                    written += self.repeated(node, scope, frame)
                case ast.Break() | ast.Continue():
                    return [*written, node]
                case ast.Assign([target], ast.Call() as call) if found := self.in_place(call, scope):
                    more, left = self.assigned(target, found, left, scope, frame)
                    written += more
                    if ends(written):
                        return written
                case ast.Expr(ast.Call() as call) if found := self.in_place(call, scope):
                    written += self.called(found, scope, frame, lambda value, scope: [])
                case _:
                    written += self.plain(node, scope, frame)
        return written

    def branches(
        self, node: ast.If, left: list[ast.stmt], scope: Scope, frame: Frame
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What is left of an `if` statement, and the statements that follow it; those of the branch that is known to be
        taken are among them.
        """
        test: Any = self.expression(node.test, scope)
        if isinstance(test, ast.Constant):
            return [], [*(node.body if test.value else node.orelse), *left]
        yes, no = node.body, node.orelse
        if frame.goes_on and left and (returns(yes) or returns(no)):
            yes, no, left = (yes if ends(yes) else [*yes, *left]), (no if ends(no) else [*no, *left]), []
        then, otherwise = (self.block(each, dict(scope), frame) for each in (yes, no))
        for each in (then, otherwise):
            if not ends(each):
                forget(scope, names_after(each))
        return choice(test, then, otherwise, node), left

    def repeated(self, node: ast.For | ast.While, scope: Scope, frame: Frame) -> list[ast.stmt]:
        """What is left of a loop that is not written out."""
        self.check_loop(node, frame)
        if isinstance(node, ast.For):
            over = self.expression(node.iter, scope)
            forget(scope, stored_names([node]))
            return [copy_place(node, ast.For(node.target, over, self.inside(node.body, scope, frame), []))]
        forget(scope, stored_names(node.body))
        test = self.expression(node.test, scope)
        if isinstance(test, ast.Constant) and not test.value:
            return []
        return [copy_place(node, ast.While(test, self.inside(self.turns(node.body, scope, frame), scope, frame), []))]

    def inside(self, statements: Sequence[ast.stmt], scope: Scope, frame: Frame) -> list[ast.stmt]:
        """What is left of the statements of a loop."""
        return self.block(statements, dict(scope), frame) or [ast.Pass()]

    def check_loop(self, node: ast.For | ast.While, frame: Frame) -> None:
        """Raise CompilationError for a loop from within which a function returns that is written in place."""
        if frame.goes_on and returns(node.body):
            raise CompilationError(f"{frame.function.__name__} returns from within a loop, but is written in place")

    def plain(self, node: ast.stmt, scope: Scope, frame: Frame) -> list[ast.stmt]:
        """What is left of a statement that says nothing about which one follows."""
        match node:
            case ast.Assign([target], value):
                return self.put(target, self.expression(value, scope), scope, frame)
            case ast.Assign(targets, value):
                forget(scope, stored_names([node]))
                several = [self.target(each, scope) for each in targets]
                return [copy_place(node, ast.Assign(several, self.expression(value, scope)))]
            case ast.AnnAssign() | ast.Expr(ast.Constant()) | ast.Pass():
                return []
            case ast.AugAssign(target, op, value):
                forget(scope, stored_names([node]))
                changed: Any = self.target(target, scope)
                return [copy_place(node, ast.AugAssign(changed, op, self.expression(value, scope)))]
            case ast.Expr(ast.Call(ast.Name("setattr"), [of, name, value])):
                field = self.expression(name, scope)
                if isinstance(field, ast.Constant):
                    to = ast.Attribute(self.expression(of, scope), str(field.value), ast.Store())
                    return [copy_place(node, ast.Assign([to], self.expression(value, scope)))]
                return [copy_place(node, ast.Expr(self.expression(node.value, scope)))]
            case ast.Expr(value):
                return [copy_place(node, ast.Expr(self.expression(value, scope)))]
        raise CompilationError(f"{frame.function.__name__}: {type(node).__name__} is not known here")

    def put(self, target: ast.expr, value: ast.expr, scope: Scope, frame: Frame) -> list[ast.stmt]:
        """An assignment; none to a name that is assigned once, where the value is known."""
        if isinstance(target, ast.Tuple) and (parts := tuple_parts(value)) is not None:
            names = set(stored_names([target]))
            if all(isinstance(each, ast.Name) for each in target.elts) and all(
                isinstance(each, ast.Constant) or names.isdisjoint(loaded_names([each])) for each in parts
            ):
                pairs = zip(target.elts, parts, strict=True)
                return [each for to, part in pairs for each in self.put(to, part, scope, frame)]
        forget(scope, stored_names([target]))
        if isinstance(target, ast.Name) and target.id == IGNORED and not calls(value):
            return []
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
            scope[target.id] = value
            if frame.counts[target.id] == 1 or not isinstance(value.value, int | float):
                return []
        elif isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id != value.id in frame.names:
            scope[target.id] = value  # others are those of a function written in place, which may be so again
        return [copy_place(value, ast.Assign([self.target(target, scope)], value))]

    def target(self, node: ast.expr, scope: Scope) -> Any:
        """What is assigned to, with what is known in it."""
        match node:
            case ast.Attribute(of, name):
                return copy_place(node, ast.Attribute(self.expression(of, scope), name, ast.Store()))
            case ast.Subscript(of, index):
                place = self.expression(of, scope), self.expression(index, scope)
                return copy_place(node, ast.Subscript(*place, ast.Store()))
            case ast.Tuple(parts):
                return copy_place(node, ast.Tuple([self.target(each, scope) for each in parts], ast.Store()))
        return node

    # ------------------------------------------------------------ functions that are written in place

    def in_place(self, call: ast.expr, scope: Scope) -> tuple[FunctionType, ast.Call] | None:
        """The function that is written in place of a call, if one is."""
        called = self.expression(call.func, scope) if isinstance(call, ast.Call) else None
        function: Any = called.value if isinstance(called, ast.Constant) else None
        return (function, call) if isinstance(call, ast.Call) and hasattr(function, "in_place") else None

    def called(
        self,
        found: tuple[FunctionType, ast.Call],
        scope: Scope,
        frame: Frame,
        leave: Leave,
        goes_on: bool = True,
    ) -> list[ast.stmt]:
        """The statements of a function in place of its call. leave, goes_on: as of a frame."""
        function, call = found
        of = self.opened(function)
        names, body = self.with_fresh_names(function, frame.names)
        counts, uses = (renamed(each, names) for each in (of.counts, of.uses))
        inside = Frame(function, frame.names | set(names.values()), counts, uses, leave, goes_on)
        forget(scope, names.values())
        written = list[ast.stmt]()
        for argument, value in self.arguments(of.tree, call, scope):
            name = names[argument]
            if isinstance(value, ast.Constant | ast.Name) and not counts[name]:
                scope[name] = value
            else:
                counts[name] += 1
                written += self.put(ast.Name(name, ast.Store()), value, scope, inside)
        if not ends(body):
            body = [*body, ast.Return(None)]
        return [*written, *self.block(body, scope, inside)]

    def opened(self, function: FunctionType) -> Opened:
        """A function, with what is in it."""
        if function not in self._opened:
            tree = resolve(function)
            uses = count_names(tree.body) + Counter(argument.arg for argument in tree.args.args)
            self._opened[function] = Opened(tree, Counter(stored_names(tree.body)), uses)
        return self._opened[function]

    def with_fresh_names(self, function: FunctionType, taken: set[str]) -> tuple[dict[str, str], list[ast.stmt]]:
        """New names for those of a function, which are not among those that are taken, and its statements with them."""
        found = self.opened(function)
        names = {name: fresh_name(name, taken) for name in found.own}
        key = function, *names.values()
        if key not in self._renamed:
            self._renamed[key] = with_names(
                found.tree.body, lambda node: ast.Name(names.get(node.id, node.id), node.ctx)
            )
        return names, self._renamed[key]

    def arguments(self, opened: ast.FunctionDef, call: ast.Call, scope: Scope) -> Iterator[tuple[str, ast.expr]]:
        """The names of a function's arguments, each with what is given."""
        names, defaults = [each.arg for each in opened.args.args], opened.args.defaults
        given = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        given |= dict(zip(names, call.args, strict=False))
        given |= {each.arg: each.value for each in call.keywords if each.arg}
        for name in names:
            yield name, self.expression(given[name], scope)

    def returned(self, value: ast.expr, scope: Scope, frame: Frame) -> list[ast.stmt]:
        """The statements by which a function returns a value."""
        leave = frame.leave or return_statement
        if found := self.in_place(value, scope):
            return self.called(found, scope, frame, leave, frame.goes_on)
        return leave(self.expression(value, scope), scope)

    def assigned(
        self, target: ast.expr, found: tuple[FunctionType, ast.Call], left: list[ast.stmt], scope: Scope, frame: Frame
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements that assign what a function returns that is written in place, and what is left to evaluate.

        An `if` that follows is decided for each value that is returned, where all of these decide it.
        """
        often = replace(frame, counts=frame.counts + Counter(stored_names([target])))
        if left and isinstance(left[0], ast.Continue | ast.Return):
            jump = left[:1]

            def gone(value: ast.expr, scope: Scope) -> list[ast.stmt]:
                put = self.put(target, value, scope, often)
                more = self.block(jump, scope, frame)
                is_last = isinstance(jump[0], ast.Return)
                needed = loaded_names(more) if is_last else set(stored_names(put))
                return [*without(put, set(stored_names(put)) - needed, []), *more]

            return self.called(found, scope, frame, gone, frame.goes_on and isinstance(jump[0], ast.Return)), []
        if left and isinstance(test := left[0], ast.If):
            try:
                return self.deciding(target, found, test, left[1:], scope, frame, often)
            except Undecided:
                pass
        return self.called(found, scope, frame, lambda value, scope: self.put(target, value, scope, often)), left

    def deciding(
        self,
        target: ast.expr,
        found: tuple[FunctionType, ast.Call],
        test: ast.If,
        left: list[ast.stmt],
        scope: Scope,
        frame: Frame,
        often: Frame,
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The same where an `if` that follows is decided for each value that is returned. Raises Undecided."""
        names = set(stored_names([target]))
        is_short = 0 < len(left) <= SHORT and ends(left) and not any(map(is_large, left))
        kept = {name for name in names if frame.counts[name] > 1}  # others are read in what follows alone
        moved = left if is_short or (frame.goes_on and (returns(test.body) or returns(test.orelse))) else []
        later = set() if moved else loaded_names(left)

        def decided(value: ast.expr, scope: Scope) -> list[ast.stmt]:
            put = self.put(target, value, scope, often)
            holds = self.expression(test.test, scope)
            if not isinstance(holds, ast.Constant):
                raise Undecided
            branch = test.body if holds.value else test.orelse
            more = self.block(branch if ends(branch) else [*branch, *moved], scope, frame)
            needed = kept | names & loaded_names(more) | (set() if ends(branch) else names & later)
            return [*without(put, set(stored_names(put)) - needed, []), *more]

        tried = dict(scope)
        written = self.called(found, tried, frame, decided)
        scope.clear()
        scope |= tried
        forget(scope, names_after(written))
        return written, [] if moved else left
