"""Programs compiled without numba: their source is written as LLVM text, which llvmlite compiles to a block.

This takes a small part of numba's time. Source that cannot be written so is compiled by numba: see
`maumau.kernels.compiler.jit`.
"""

from __future__ import annotations

import linecache
from functools import cache
from typing import TYPE_CHECKING, Any

from maumau.kernels.compiler.blocks import Block, block_of, block_target
from maumau.kernels.compiler.direct.functions import ModuleWriter
from maumau.kernels.compiler.direct.instructions import COPY, LOAD, RESET, SAVE, new_row, new_table, row_at
from maumau.kernels.compiler.direct.operands import (
    BITS,
    Array,
    Operand,
    TableLayout,
    UnknownError,
    Word,
    Written,
    parts_of,
)
from maumau.kernels.compiler.library import LIBRARY

if TYPE_CHECKING:
    from maumau.kernels.compiler.naming import Source
    from maumau.kernels.compiler.program import Program

ENTRY = "native"


def direct_block(program: Program, source: Source) -> tuple[Block, int]:
    """Compile a program to a block, and the number of words that it takes: see `maumau.kernels.compiler.native`.

    Raises UnknownError for source that cannot be written as LLVM text.
    """
    text, words = module_text(program, source)
    return block_of(_object_code(text), ENTRY), words


def module_text(program: Program, source: Source) -> tuple[str, int]:
    """The LLVM text of a program, and the number of words that its entry takes. Raises UnknownError."""
    names = _names(program, source)
    writer = ModuleWriter(names)
    operands, lines, words = _arguments(program.example())
    try:
        written = writer.function(names[program.entry], operands)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        raise UnknownError(str(error)) from None
    given = ", ".join(f"{kind} {text}" for operand in operands for kind, text in parts_of(operand))
    entry = [*lines, *_called(written, given)]
    head = f"define i64 @{ENTRY}({', '.join(f'i64 %w{index}' for index in range(words))}) nounwind {{"
    return "\n".join([writer.text, head, *entry, "}", LIBRARY]), words


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
        raise UnknownError("a program returns a tuple")
    (kind,) = written.parts
    lines = [f"  %found = call {kind} {written.name}({given})"]
    if kind == "i1":
        return [*lines, "  %word = zext i1 %found to i64", "  ret i64 %word"]
    return [*lines, "  ret i64 %found"]


def _names(program: Program, source: Source) -> dict[str, Any]:
    """The names of the module of a program, with the functions of its source."""
    import numpy as np

    names: dict[str, Any] = {
        "np": np,
        "__name__": program.name,
        "new_bytes": new_row(8),
        "new_integers": new_row(BITS),
        "reset": RESET,
        "copy": COPY,
        "save": SAVE,
        "load": LOAD,
    }
    if game := program.game:
        names |= {
            "make": new_table(_layout(game.table)),
            "row_at": row_at(8, game.deck_size),
            "integers_at": row_at(BITS, game.deck_size),
        }
    names |= {name: new_table(_layout(table)) for name, table in program.makers}
    names |= source.functions
    file = f"<{program.name}-{id(names)}>"
    linecache.cache[file] = (len(source.text), None, source.text.splitlines(keepends=True), file)
    exec(compile(source.text, file, "exec"), names)
    return names


@cache
def _layout(table: type) -> TableLayout:
    return TableLayout(table)


def _object_code(text: str) -> bytes:
    """The object file of LLVM text, for this processor."""
    import llvmlite.binding as llvm

    target = block_target()
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise UnknownError(f"LLVM refuses the text: {error}") from None
    module.triple, module.data_layout = target.triple, str(target.target_data)
    _optimize(module, target)
    return bytes(target.emit_object(module))


def _optimize(module: Any, target: Any) -> None:
    """Put functions in the place of their calls and simplify them, as numba does, then optimize the whole."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    inlined = builder.getModulePassManager()
    inlined.add_loop_rotate_pass()
    inlined.add_instruction_combine_pass()
    inlined.add_jump_threading_pass()
    inlined.run(module, builder)
    options = llvm.create_pipeline_tuning_options(3)
    options.slp_vectorization = True  # without it batches take up to a third more time
    whole = llvm.create_pass_builder(target, options)
    whole.getModulePassManager().run(module, whole)
