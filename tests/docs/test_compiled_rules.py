"""The page of what rule functions may use: each function there computes in machine code what Python computes."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import DOCS, blocks

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import KernelSource, Program
from rules.rule import rule

PAGE = "reference/compiled-rules.md"
VALUES = [(a, b) for a in (-70, -3, 0, 1, 2, 7, 100, 12345) for b in (-9, -1, 1, 2, 3, 8, 100)]


def functions() -> dict[str, Callable[..., int]]:
    """The functions of the page, as if it were a file of Python."""
    names: dict[str, Any] = {}
    text = (DOCS / PAGE).read_text(encoding="utf-8").splitlines()
    inside = [False] * len(text)
    for block in blocks(PAGE):
        start = block.line
        inside[start : start + block.body.count("\n")] = [True] * block.body.count("\n")
    lines = [line if kept else "" for line, kept in zip(text, inside, strict=True)]
    file = str(Path(PAGE))
    linecache.cache[file] = (1, None, [f"{line}\n" for line in lines], file)
    exec(compile("\n".join(lines), file, "exec"), names)
    return {name: rule(value) for name, value in names.items() if callable(value)}


FUNCTIONS = functions()
TEXT = linecache.getlines(PAGE)
REFUSALS = {
    number: found[1]
    for number, line in enumerate(TEXT, 1)
    if (found := re.search(r"# (.*(?:known here|function))$", line))
}


def refusal(function: Callable[..., int]) -> tuple[int, str] | None:
    """The line of the page in the body of a function that is refused, and why; None if it compiles."""
    first = function.__code__.co_firstlineno
    return next(((number, why) for number, why in REFUSALS.items() if number in (first, first + 1)), None)


def run(a: int, b: int) -> int:
    """What each function is called by."""
    raise NotImplementedError


def compiled(function: Callable[..., int]) -> Callable[..., int]:
    text = f"def run(a, b):\n    return {function.__name__}(a, b)\n"
    source = KernelSource(text, {function.__name__: function})
    return machine_code(Program(run, lambda subject: source, function))


@pytest.mark.parametrize("name", [name for name, each in FUNCTIONS.items() if not refusal(each) and name != "helper"])
def test_what_the_page_lists_is_compiled(name: str) -> None:
    function = FUNCTIONS[name]
    code = compiled(function)
    assert [code(*given) for given in VALUES] == [int(function(*given)) for given in VALUES]


@pytest.mark.parametrize("name", [name for name, each in FUNCTIONS.items() if refusal(each)])
def test_what_the_page_says_to_be_refused_is_named_with_its_line(name: str) -> None:
    line, why = refusal(FUNCTIONS[name]) or (0, "")
    with pytest.raises(CompilationError) as caught:
        compiled(FUNCTIONS[name])
    assert str(caught.value) == f"{PAGE}:{line}: {name}: {why}"


def test_the_page_has_examples_of_both() -> None:
    assert len(FUNCTIONS) > len(REFUSALS) > 3
