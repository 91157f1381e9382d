"""Functions of Python as LLVM text: statements, and functions for the types of their arguments.

Integers have 64 bits: sums wrap, a number divided by zero is zero, and the index of a row is not checked, unless the
module is (`Module`). Source that has anything else is refused with a CompilationError, which says what it was and
where.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from types import FunctionType

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.expressions import Expressions
from maumau.kernels.compiler.direct.lines import FAULT, FAULTY, Module
from maumau.kernels.compiler.direct.operands import (
    Array,
    Counting,
    Number64,
    Operand,
    Real,
    Record,
    Slots,
    Variable,
    Written,
    given_by,
    is_number,
    is_real,
    number_of,
    parts_of,
)
from maumau.kernels.compiler.folding import is_table
from maumau.kernels.compiler.operators import NOTHING, Known, Several, constant
from maumau.kernels.compiler.syntax import stored_names
from rules.rule import role_of


@dataclass(frozen=True)
class Loop:
    """A loop that is written. following, end: where `continue` and `break` jump to.

    name, cases: if the value of a name decides what is done, the name, and where each value leads.
    """

    following: str
    end: str
    name: str = ""
    cases: Mapping[int, str] = field(default_factory=dict)


def cases_of(statements: Sequence[ast.stmt]) -> tuple[ast.Name, dict[int, list[ast.stmt]]] | None:
    """Of statements that do by the value of a name one of several things, the name and what is done by each value."""
    found: dict[int, list[ast.stmt]] = {}
    names: dict[str, ast.Name] = {}
    while len(statements) == 1:
        match statements[0]:
            case ast.If(ast.Compare(ast.Name() as name, [ast.Eq()], [ast.Constant(int() as value)]), body, orelse):
                found.setdefault(number_of(value), body)
                names[name.id] = name
                statements = orelse
            case _:
                return None
    if statements or len(names) != 1:
        return None
    return next(iter(names.values())), found


COMPARED = 10
"""Cases up to which a value is compared with each: a table of jumps made searches of Mau-Mau 3 % slower, and official
UNO, with 14 cases, is 3 % slower without one.
"""
WITHOUT_TABLES = '"no-jump-tables"="true"'
"""The attribute of functions in which LLVM makes no tables of jumps."""
ARGUMENT = re.compile(r"%a\d+")
"""The name of an argument of a function in LLVM text."""


class FunctionWriter(Expressions):
    """Writes one function."""

    def __init__(self, module: Module, function: FunctionType, name: str) -> None:
        super().__init__(module, function)
        self.name = name
        self.loops: list[Loop] = []
        self.constants: dict[str, int] = {}
        self.left: set[str] = set()
        self.returned: set[tuple[int, bool]] = set()
        self.most_cases = 0

    def evaluate(self, known: Mapping[str, object]) -> None:
        """Put what is known in place of names. known: arguments that are."""
        self.tree = self.module.evaluation.evaluated(self.function, known)
        self.local = frozenset(self.assigned)

    @cached_property
    def assigned(self) -> Counter[str]:
        """How often the function assigns each name."""
        return Counter(stored_names(self.tree.body))

    def written(self, operands: Sequence[Operand]) -> Written:
        """Write it for arguments of these types."""
        given: list[tuple[str, str]] = []
        if role_of(self.function) is None:
            arguments = zip((each.arg for each in self.tree.args.args), operands, strict=True)
            known = {name: each.value for name, each in arguments if isinstance(each, Known) and not is_number(each)}
            self.evaluate(known)
        for argument, operand in zip(self.tree.args.args, operands, strict=True):
            if isinstance(operand, Known) and not is_number(operand):
                self.names[argument.arg] = operand
                continue
            like = Number64("") if is_number(operand) else operand
            kinds = [kind for kind, _ in parts_of(like)]
            names = [f"%a{len(given) + location}" for location in range(len(kinds))]
            given += zip(kinds, names, strict=True)
            self.assign_name(argument.arg, given_by(like, iter(names)))
        self.block(self.tree.body)
        if self.reached:
            self.leave(NOTHING, self.tree)
        return self._ended(", ".join([*[FAULT] * self.module.checked, *(f"{kind} {name}" for kind, name in given)]))

    def _ended(self, given: str) -> Written:
        """The text of the whole function is put together."""
        if len(self.returned) != 1:
            raise self.error(self.tree, "it returns different kinds of values")
        written, whole = Written(self.name, *self.returned.pop()), "poison"
        if self.may_fail:
            self.start(FAULTY)
            self.line("store i64 1, ptr %fault")
            for part in range(written.count):
                self.line(f"store i64 0, ptr %r{part}")
        self.start("done")
        for part in range(written.count):
            value = self.out(f"load i64, ptr %r{part}")
            whole = self.out(f"insertvalue {written.kind} {whole}, i64 {value}, {part}")
        slots = [*self.slots, *(f"  %r{part} = alloca i64" for part in range(written.count))]
        body = "\n".join(["{\nentry:", *slots, *self.lines, f"  ret {written.kind} {whole}\n}}"])
        compared = f" {WITHOUT_TABLES}" if 0 < self.most_cases <= COMPARED else ""
        head = f"define internal {written.kind} {self.name}({given}){compared}"
        self.module.functions.append((self.name, head, body))
        return written

    # ------------------------------------------------------------ statements

    def start(self, label: str) -> None:
        """Begin a block, in which no name is known to have a constant value."""
        super().start(label)
        self.constants.clear()

    def block(self, statements: Sequence[ast.stmt], last: bool = False) -> None:
        """Write statements, up to one that leaves the block. last: they are the last ones of a loop."""
        for statement in statements:
            if not self.reached:
                return
            with self.at(statement):
                if isinstance(statement, ast.If):
                    self.choose(statement, last and statement is statements[-1])
                else:
                    self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Write a statement."""
        match node:
            case ast.Return(value):
                self.leave(self.value(value) if value else NOTHING, node)
            case ast.While(orelse=[]):
                self.repeat(node)
            case ast.For(orelse=[]):
                self.loop(node)
            case ast.Break():
                self.left.add(self.loops[-1].end)
                self.jump(self.loops[-1].end)
            case ast.Continue():
                self.again()
            case _:
                super().statement(node)

    def leave(self, operand: Operand, node: ast.AST) -> None:
        """Return a value from the function."""
        nothing = isinstance(operand, Known) and operand.value is None
        single = not isinstance(operand, Several) and not isinstance(getattr(operand, "value", None), tuple)
        parts = () if nothing else (operand,) if single else self.parts(operand)
        if not all(map(is_number, parts)):
            raise self.error(node, "a value is returned that is not an integer")
        for location, part in enumerate(parts):
            self.line(f"store i64 {self.word(part)}, ptr %r{location}")
        self.returned.add((len(parts), single))
        self.jump("done")

    def choose(self, node: ast.If, last: bool) -> None:
        """Write an `if`; of one that is decided already, the part that is reached. last: it ends a loop."""
        known = self.known_condition(node.test)
        if known is not None:
            self.block(node.body if known else node.orelse, last)
            return
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        self.branch(node.test, yes, no)
        reached = False
        for label, statements in ((yes, node.body), (no, node.orelse)):
            self.start(label)
            self.block(statements, last)
            if self.reached and last:
                self.again()
            elif self.reached:
                self.jump(end)
                reached = True
        if reached:
            self.start(end)

    def again(self) -> None:
        """Begin the next round of a loop: at its case, where the value is known that decides."""
        loop = self.loops[-1]
        known = self.constants.get(loop.name)
        self.jump(loop.following if known is None else loop.cases.get(known, loop.following))

    def repeat(self, node: ast.While) -> None:
        """Write a `while` loop."""
        head, body, end = self.fresh("head"), self.fresh("body"), self.fresh("end")
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.start(head)
        if self.checked:
            self.leave_unless(self.out(f"icmp eq i64 {self.out('load i64, ptr %fault')}, 0"))  # else it may never end
        if endless and (found := cases_of(node.body)) and is_number(self.read(found[0].id)):
            self.dispatch(*found, head, end)
        else:
            if not endless:
                self.branch(node.test, body, end)
                self.start(body)
            self.turn(node.body, Loop(head, end))
        if not endless or end in self.left:
            self.start(end)

    def dispatch(self, name: ast.Name, cases: dict[int, list[ast.stmt]], head: str, end: str) -> None:
        """Write a loop that does by the value of a name one of several things.

        Where the value is known at the end of a round, the next one begins at its case. So the processor predicts what
        follows what, which it cannot for one jump to all cases.
        """
        labels = {value: self.fresh(f"case{value}.") for value in cases}
        table = " ".join(f"i64 {value}, label %{label}" for value, label in labels.items())
        otherwise = self.fresh("otherwise")
        self.line(f"switch i64 {self.word(self.read(name.id))}, label %{otherwise} [ {table} ]")
        self.most_cases = max(self.most_cases, len(cases))
        self.reached = False
        self.start(otherwise)
        self.jump(head)
        for value, statements in cases.items():
            self.start(labels[value])
            self.turn(statements, Loop(head, end, name.id, labels))

    def turn(self, statements: Sequence[ast.stmt], loop: Loop) -> None:
        """Write the statements of a loop."""
        self.loops.append(loop)
        self.block(statements, last=True)
        if self.reached:
            self.again()
        self.loops.pop()

    def loop(self, node: ast.For) -> None:
        """Write a `for` loop over a range, a row, an array or a known tuple."""
        over = self.value(node.iter)
        if isinstance(over, Known) and isinstance(over.value, tuple) and not is_table(over.value):
            self.unroll(node, over.value)
            return
        start, stop, step, item = self.items(node.iter, over)
        counter, following = self.slot("i64"), self.fresh("following")
        head, body, end = self.fresh("head"), self.fresh("body"), self.fresh("end")
        self.line(f"store i64 {start}, ptr {counter}")
        self.start(head)
        at = self.out(f"load i64, ptr {counter}")
        there = self.out(f"icmp {'slt' if step > 0 else 'sgt'} i64 {at}, {stop}")
        self.line(f"br i1 {there}, label %{body}, label %{end}")
        self.reached = False
        self.start(body)
        if (found := item(Number64(at))) is not None:
            self.assign(node.target, found)
        self.turn(node.body, Loop(following, end))
        self.start(following)
        self.line(f"store i64 {self.out(f'add nsw i64 {at}, {step}')}, ptr {counter}")
        self.jump(head)
        self.start(end)

    def unroll(self, node: ast.For, values: tuple[object, ...]) -> None:
        """Write what a loop does for each of some known values, not numbers or rows of numbers, one after another.

        What the names of its target stand for is known in it. So it may get and set fields by their names, and call
        functions.
        """
        end = self.fresh("end")
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        for value in values:
            self.forget(names)
            self.stand_for(node.target, value)
            following = self.fresh("following")
            self.turn(node.body, Loop(following, end))
            self.start(following)
        self.forget(names)
        self.start(end)

    def forget(self, names: set[str]) -> None:
        """Take the meaning from names, except from variables: each round of a loop gives them another one."""
        for name in names:
            if not isinstance(self.names.get(name), Variable):
                self.names.pop(name, None)

    def stand_for(self, target: ast.expr, value: object) -> None:
        """Let the names of a target stand for a known value and its parts."""
        if isinstance(target, ast.Tuple):
            for each, part in zip(target.elts, self.parts(Known(value), len(target.elts)), strict=True):
                self.stand_for(each, constant(part))
        elif not isinstance(target, ast.Name) or isinstance(self.names.get(target.id), Variable):
            raise self.error(target, f"{ast.unparse(target)} is not a name of its own")
        else:
            self.names[target.id] = Known(value)

    def items(self, node: ast.expr, over: Operand) -> tuple[str, str, int, Callable[[Number64], Operand | None]]:
        """Of what a loop goes over: the first index, the last one, the step, and what is at an index."""
        match over:
            case Counting(start, stop, step):
                return start, stop, step, lambda location: location
            case Known(range() as known):
                return str(known.start), str(known.stop), known.step, lambda location: location
            case Known(tuple() | list() as known):
                return "0", str(len(known)), 1, lambda location: self.looked_up(tuple(known), location)
            case Array(_, _, [length]) as found:
                return "0", length, 1, lambda location: self.item(found, location)
            case Slots(_, _, length) as found:
                return "0", str(length), 1, lambda location: self.item(found, location)
        raise self.error(node, "a loop over something that is not a range, row, array of one axis or tuple")

    def assign_name(self, name: str, operand: Operand) -> None:
        """Give a name a value."""
        known = self.names.get(name)
        self.constants.pop(name, None)
        if isinstance(operand, Known) and isinstance(operand.value, int):
            self.constants[name] = int(operand.value)
        if is_number(operand):
            operand = Number64(self.word(operand))
        elif is_real(operand):
            its = known.of if isinstance(known, Variable) else operand  # of the kind that the name has, if it has one
            kind = next((each.kind for each in (its, operand) if isinstance(each, Real)), "double")
            operand = Real(self.real(operand, kind), kind)
        elif not isinstance(operand, Slots | Record | Array) or name not in self.local or self.stays(name, operand):
            if known is not None and known != operand:
                raise CompilationError(f"{name} has values of different kinds")
            self.names[name] = operand
            return
        of = given_by(operand, repeat(""))
        if known is None:
            slots = tuple(self.slot(kind) for kind, _ in parts_of(of))
            known = self.names[name] = Variable(of, slots)
        if not isinstance(known, Variable) or known.of != of:
            raise CompilationError(f"{name} has values of different kinds")
        for (kind, text), slot in zip(parts_of(operand), known.slots, strict=True):
            self.line(f"store {kind} {text}, ptr {slot}")

    def stays(self, name: str, operand: Operand) -> bool:
        """Whether a name stands for one argument, or a part of one, all the time."""
        return self.assigned[name] == 1 and all(ARGUMENT.fullmatch(text) for _, text in parts_of(operand))
