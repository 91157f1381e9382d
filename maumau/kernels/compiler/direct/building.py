"""Programs as LLVM text: of their source, with the functions that it calls."""

from __future__ import annotations

import linecache
from functools import cache
from typing import TYPE_CHECKING, Any

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.instructions import COPY, LOAD, RESET, SAVE, new_row, new_table, row_at
from maumau.kernels.compiler.direct.module import ModuleWriter
from maumau.kernels.compiler.direct.operands import (
    BITS,
    Array,
    Operand,
    TableLayout,
    Word,
    Written,
    parts_of,
)

if TYPE_CHECKING:
    from maumau.kernels.compiler.naming import Source
    from maumau.kernels.compiler.program import Program

ENTRY = "native"


def module_text(program: Program, source: Source) -> tuple[str, int]:
    """The LLVM text of a program, and the number of words that its entry takes. Raises CompilationError."""
    instructions = _instructions(program)
    names = _names(program, source, instructions)
    writer = ModuleWriter(names | instructions, program.small)
    operands, lines, words = _arguments(program.example())
    written = writer.function(names[program.entry], operands)
    given = ", ".join(f"{kind} {text}" for operand in operands for kind, text in parts_of(operand))
    entry = [*lines, *_called(written, given)]
    head = f"define i64 @{ENTRY}({', '.join(f'i64 %w{index}' for index in range(words))}) nounwind {{"
    return "\n".join([writer.text, head, *entry, "}"]), words


def _arguments(example: tuple[Any, ...]) -> tuple[list[Operand], list[str], int]:
    """The arguments of a program, made of the words that its block takes; the lines for this, and how many words."""
    operands: list[Operand] = []
    lines: list[str] = []
    words = 0
    for argument in example:
        if not hasattr(argument, "dtype"):
            operands.append(Word(f"%w{words}"))
            words += 1
            continue
        lines.append(f"  %p{words} = inttoptr i64 %w{words} to ptr")
        shape = tuple(f"%w{words + 1 + axis}" for axis in range(argument.ndim))
        operands.append(Array(f"%p{words}", argument.dtype, shape))
        words += 1 + argument.ndim
    return operands, lines, words


def _called(written: Written, given: str) -> list[str]:
    """Lines that call a function and return its result as a word, 0 for nothing."""
    if not written.parts:
        return [f"  call void {written.name}({given})", "  ret i64 0"]
    if not written.single:
        raise CompilationError("a program returns a tuple")
    (kind,) = written.parts
    lines = [f"  %found = call {kind} {written.name}({given})"]
    if kind == "i1":
        return [*lines, "  %word = zext i1 %found to i64", "  ret i64 %word"]
    return [*lines, "  ret i64 %found"]


def _instructions(program: Program) -> dict[str, Any]:
    """The instructions of the compiler by name."""
    given: dict[str, Any] = {
        "new_bytes": new_row(8),
        "new_integers": new_row(BITS),
        "reset": RESET,
        "copy": COPY,
        "save": SAVE,
        "load": LOAD,
    }
    if game := program.game:
        given |= {
            "make": new_table(_layout(game.table)),
            "row_at": row_at(8, game.deck_size),
            "integers_at": row_at(BITS, game.deck_size),
        }
    return given | {name: new_table(_layout(table)) for name, table in program.makers}


def _names(program: Program, source: Source, instructions: dict[str, Any]) -> dict[str, Any]:
    """The names of the module of a program, with the functions of its source."""
    import numpy as np

    names = {"np": np, "__name__": program.name} | instructions
    names |= source.functions
    file = f"<{program.name}-{id(names)}>"
    linecache.cache[file] = (len(source.text), None, source.text.splitlines(keepends=True), file)
    exec(compile(source.text, file, "exec"), names)
    return names


@cache
def _layout(table: type) -> TableLayout:
    return TableLayout(table)
