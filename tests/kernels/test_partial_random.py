"""Random programs with functions written in place return what Python returns for them."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from maumau.kernels.compiler.interpreted import interpreted

HEAD = """
from maumau.kernels.compiled.in_place import in_place

def after(number):
    return number + 1

def twice(number):
    return number * 2

STEPS = (after, 1), (twice, 2)
IS_OPEN = True
"""
NAMES = "a", "b", "c", "d"
DEEP = 3
"""How deep statements are within each other."""


@dataclass(frozen=True)
class Place:
    """Where statements stand.

    names: those that may be read. targets: those that may be assigned, at least two. value: writes what the function
    returns; None where it may not return. in_place: whether the function is written in place, which does not return
    from within a loop. indent: their indentation. in_loop: whether `continue` and `break` may stand there.
    """

    names: tuple[str, ...]
    targets: tuple[str, ...]
    value: Callable[[Place], str] | None
    in_place: bool
    indent: int = 1
    in_loop: bool = False


class Writer:
    """Writes a program as hypothesis draws it; what comes first of several things is the simplest one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.numbers, self.pairs = list[str](), list[str]()  # functions in place, by what they return
        self.fresh = map("x{}".format, itertools.count())

    def choose(self, values: Sequence[Any]) -> Any:
        """Return one of some values."""
        return values[self.draw(st.integers(0, len(values) - 1))]

    # ------------------------------------------------------------ expressions

    def name(self, at: Place) -> str:
        """Write a name."""
        return str(self.choose(at.names))

    def number(self, at: Place, deep: int = 0) -> str:
        """Write an expression for a number."""
        kind = self.choose(["name", "name", "constant", "sum", "name", "element", "either"][: 7 if deep < 2 else 3])
        match kind:
            case "constant":
                return str(self.draw(st.integers(0, 3)))
            case "sum":
                operator = self.choose("+-*")
                return f"({self.number(at, deep + 1)} {operator} {self.number(at, deep + 1)}) % 7"
            case "element":
                return f"row[{self.number(at, deep + 1)} % 5]"
            case "either":
                return f"({self.name(at)} if {self.condition(at)} else {self.name(at)})"
        return self.name(at)

    def pair(self, at: Place) -> str:
        """Write an expression for two numbers."""
        return f"{self.number(at)}, {self.name(at)}"

    def condition(self, at: Place) -> str:
        """Write a condition, which may be known."""
        plain = f"{self.name(at)} {self.choose(['<', '==', '>'])} {self.draw(st.integers(0, 3))}"
        match self.choose(["plain", "plain", "names", "known", "both"]):
            case "names":
                return f"{self.name(at)} < {self.number(at, 1)}"
            case "known":
                return str(self.choose(["IS_OPEN", "not IS_OPEN"]))
            case "both":
                return f"{self.choose(['IS_OPEN and', 'not IS_OPEN or', 'not'])} {plain}"
        return plain

    def targets(self, at: Place) -> str:
        """Write two names that are assigned."""
        one = self.choose(at.targets)
        return f"{one}, {self.choose([each for each in at.targets if each != one])}"

    def call(self, functions: Sequence[str], at: Place) -> str:
        """Write a call of a function in place."""
        ending = self.choose([f", {self.name(at)}", "", f", b={self.number(at)}"])
        return f"{self.choose(functions)}(row, {self.choose([self.name, self.number])(at)}{ending})"

    # ------------------------------------------------------------ functions

    def program(self) -> str:
        """Write a module: some functions in place, of which later ones call earlier ones, and `main`."""
        lines = list[str]()
        while len(lines) < 60 and self.draw(st.integers(0, 3)):
            name, is_pair = f"placed_{len(self.numbers) + len(self.pairs)}", self.choose([False, False, True])
            value = self.returned_pair if is_pair else self.returned_number
            lines += ["", "@in_place", *self.function(f"{name}(row, a, b=2)", value, in_place=True)]
            (self.pairs if is_pair else self.numbers).append(name)
        return HEAD + "\n".join(
            [*lines, "", *self.function("main(row, a, b)", self.returned_names, in_place=False), ""]
        )

    def function(self, head: str, value: Callable[[Place], str], in_place: bool) -> list[str]:
        """Write a function."""
        at = Place(NAMES, self.choose([NAMES[2:], NAMES]) if in_place else NAMES, value, in_place)
        return [f"def {head}:", "    c, d = 0, 1", *self.block(at), f"    return {value(at)}"]

    def returned_number(self, at: Place) -> str:
        """Write what a function returns that returns a number."""
        call = bool(self.numbers) and self.choose([False, False, True])
        return self.call(self.numbers, at) if call else self.choose([self.name, self.number])(at)

    def returned_pair(self, at: Place) -> str:
        """Write what a function returns that returns two numbers."""
        call = bool(self.pairs) and self.choose([False, False, True])
        return self.call(self.pairs, at) if call else self.pair(at)

    def returned_names(self, at: Place) -> str:
        """Write what `main` returns."""
        return str(self.choose(["a, b, c, d", "a", "b, c", self.returned_number(at)]))

    # ------------------------------------------------------------ statements

    def block(self, at: Place) -> list[str]:
        """Write statements, with another name for some numbers, which later ones of the block read."""
        lines, pad = list[str](), "    " * at.indent
        while len(lines) < 12 and self.draw(st.integers(0, 3)):
            kinds = ["alias", "assign", "call", "change", "tuple", "local"]
            if at.indent <= DEEP:
                kinds += ["again", "if", "leave", "decide", "steps", "loop", "if", "leave", "call"]
            kinds += ["pair", "do", "element"]
            match self.choose(kinds):
                case "local":
                    name = next(self.fresh)
                    lines.append(f"{pad}{name} = {self.number(at)}")
                    at = replace(at, names=(*at.names, name))
                case kind:
                    lines += getattr(self, f"write_{kind}")(at, pad)
        match self.choose(["none", "none", "jump", "return"]):
            case "jump" if at.in_loop:
                lines.append(pad + self.choose(["continue", "break"]))
            case "return" if at.value and at.indent > 1:
                lines.append(f"{pad}return {at.value(at)}")
        return lines or [f"{pad}pass"]

    def inner(self, at: Place, **changes: Any) -> list[str]:
        """Write the statements within another one."""
        return self.block(replace(at, indent=at.indent + 1, **changes))

    def write_alias(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.choose(at.targets)} = {self.name(at)}"]

    def write_assign(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.choose(at.targets)} = {self.number(at)}"]

    def write_change(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.choose(at.targets)} += {self.number(at)}"]

    def write_tuple(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.targets(at)} = {self.pair(at)}"]

    def write_element(self, at: Place, pad: str) -> list[str]:
        call = bool(self.numbers) and self.draw(st.booleans())
        return [f"{pad}row[{self.number(at)} % 5] = {self.call(self.numbers, at) if call else self.number(at)}"]

    def write_call(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.choose(at.targets)} = {self.call(self.numbers, at)}"] if self.numbers else []

    def write_pair(self, at: Place, pad: str) -> list[str]:
        return [f"{pad}{self.targets(at)} = {self.call(self.pairs, at)}"] if self.pairs else []

    def write_do(self, at: Place, pad: str) -> list[str]:
        functions = [*self.numbers, *self.pairs]
        return [f"{pad}{self.call(functions, at)}"] if functions else []

    def write_if(self, at: Place, pad: str) -> list[str]:
        lines = [f"{pad}if {self.condition(at)}:", *self.inner(at)]
        if self.choose([False, False, True]):
            lines += [f"{pad}elif {self.condition(at)}:", *self.inner(at)]
        return [*lines, f"{pad}else:", *self.inner(at)] if self.draw(st.booleans()) else lines

    def write_leave(self, at: Place, pad: str) -> list[str]:
        """Return, where a condition holds."""
        if not at.value:
            return []
        return [f"{pad}if {self.condition(at)}:", f"{pad}    return {at.value(at)}"]

    def write_decide(self, at: Place, pad: str) -> list[str]:
        """A condition that what a function returns may decide."""
        if not self.numbers:
            return []
        name = self.choose(at.targets)
        test = f"{pad}if {name} {self.choose(['==', '<'])} {self.draw(st.integers(0, 3))}:"
        lines = [f"{pad}{name} = {self.call(self.numbers, at)}", test, *self.inner(at)]
        return [*lines, f"{pad}else:", *self.inner(at)] if self.draw(st.booleans()) else lines

    def write_steps(self, at: Place, pad: str) -> list[str]:
        """A loop over known functions, of which some are written in place, which may end by `break`."""
        function, number, name = (next(self.fresh) for _ in range(3))
        placed = bool(self.numbers) and self.draw(st.booleans())
        values = "".join(f"({self.choose(self.numbers)}, {each}), " for each in (2, 1)) if placed else "STEPS"
        over = f"({values})" if placed else values
        given = f"row, {number}" if placed else number
        lines = [f"{pad}for {function}, {number} in {over}:", f"{pad}    {name} = {function}({given})"]
        inside = replace(at, names=(*at.names, number, name), in_loop=False)
        lines += self.inner(inside)
        if self.draw(st.booleans()):
            chosen = self.block(replace(inside, indent=at.indent + 2))
            lines += [f"{pad}    if {self.condition(inside)}:", *chosen, f"{pad}        break"]
        if at.in_loop and self.choose([False, False, True]):
            lines.append(f"{pad}continue")
        return lines

    def write_again(self, at: Place, pad: str) -> list[str]:
        """A function that is written in place before a loop, and in it."""
        if not self.numbers:
            return []
        function, name, (one, other) = self.choose(self.numbers), next(self.fresh), self.targets(at).split(", ")
        loop = [f"{pad}for {name} in range(2):", f"{pad}    {other} = {function}(row, {name})"]
        return [f"{pad}{one} = {self.call([function], at)}", *loop]

    def write_loop(self, at: Place, pad: str) -> list[str]:
        """A loop that is not written out, of two or three rounds."""
        name = next(self.fresh)
        value = None if at.in_place else at.value
        inside = self.inner(at, names=(*at.names, name), in_loop=True, value=value)
        match self.choose(["range", "while", "forever"]):
            case "while":
                test = f"{pad}while {name} < 3 and not ({self.condition(at)}):"
                return [f"{pad}{name} = 0", test, f"{pad}    {name} += 1", *inside]
            case "forever":
                leave = [f"{pad}    {name} += 1", f"{pad}    if {name} > 3:", f"{pad}        break"]
                return [f"{pad}{name} = 0", f"{pad}while True:", *leave, *inside]
        return [f"{pad}for {name} in range(3):", *inside]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Modules with a function `main` of a row and two numbers."""
    return Writer(draw).program()


def module_of(text: str, folder: Path) -> ModuleType:
    """The module with some text, in a file of its own: functions are read from their files."""
    file = folder / f"program_{len(list(folder.iterdir()))}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(f"random.compiled.{file.stem}", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def many(count: int, *marks: pytest.MarkDecorator) -> Any:
    """A parameter for so many examples."""
    return pytest.param(count, id=str(count), marks=marks)


@pytest.mark.parametrize("count", [many(200), many(3000, pytest.mark.thorough)])
def test_random_programs_return_what_python_returns(count: int, tmp_path: Path) -> None:
    @hypothesis.settings(max_examples=count, suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(programs(), st.lists(st.integers(0, 4), min_size=5, max_size=5))
    def check(text: str, row: list[int]) -> None:
        hypothesis.note(text)
        main = module_of(text, tmp_path).main
        run = interpreted(main, {})
        for a, b in ((0, 2), (1, 1), (2, 0), (3, -1)):
            one, other = row[:], row[:]
            assert (run(one, a, b), one) == (main(other, a, b), other)

    check()
