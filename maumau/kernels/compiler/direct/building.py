"""Programs as LLVM text: their source with the functions that it calls, and what it takes for granted."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from types import ModuleType
from typing import Any

from fsm.edge.arrays import array_type, types_of
from fsm.edge.errors import CompilationError
from maumau.kernels.compiled.interface import Interface
from maumau.kernels.compiled.workspace import is_record
from maumau.kernels.compiler.direct.functions import FunctionWriter
from maumau.kernels.compiler.direct.lines import FAULT, Lines, Module
from maumau.kernels.compiler.direct.operands import (
    BITS,
    Array,
    Instruction,
    Number64,
    Operand,
    Slots,
    TableLayout,
    TableOperand,
    WorkspaceOperand,
    Written,
    parts_of,
)
from maumau.kernels.compiler.objects import ENTRY
from maumau.kernels.compiler.operators import NOTHING, Known
from maumau.kernels.compiler.program import KernelSource, Program


def module_text(program: Program, source: KernelSource) -> str:
    """The LLVM text of a program, whose entry takes the address of its arguments: words of 64 bits, a number is one, an
    array its address and its lengths. Raises CompilationError.
    """
    instructions = _instructions(program)
    names = _names(program, source, instructions)
    writer = Module(names | instructions, FunctionWriter, program.small, program.checked)
    operands, lines = _arguments(program.arguments, names)
    written = writer.function(names[program.entry.__name__], operands)
    fault = ["  %fault = alloca i64", "  store i64 0, ptr %fault"]
    passed = [f"{kind} {text}" for operand in operands for kind, text in parts_of(operand)]
    given = ", ".join([*[FAULT] * program.checked, *passed])
    entry = [*fault * program.checked, *lines, *_called(written, given)]
    return "\n".join([writer.text, f"define i64 @{ENTRY}(ptr %words) nounwind {{", *entry, "}"])


def _arguments(types: tuple[Any, ...], names: dict[str, Any]) -> tuple[list[Operand], list[str]]:
    """The arguments of a program, by their types, and the lines that load them. names: those of the interface of its
    game.
    """
    lines: list[str] = []
    words = count()

    def loaded(kind: str) -> str:
        word = next(words)
        lines.append(f"  %a{word} = getelementptr inbounds i64, ptr %words, i64 {word}")
        lines.append(f"  %w{word} = load {kind}, ptr %a{word}")
        return f"%w{word}"

    def operand(hint: Any) -> Operand:
        if hint is Interface:
            game = ModuleType(Interface.__name__)
            vars(game).update(names)
            return Known(game)
        if is_record(hint):
            return WorkspaceOperand(hint._fields, tuple(map(operand, types_of(hint).values())))
        if hint is int:
            return Number64(loaded("i64"))
        element, axes = array_type(hint)
        at, *shape = map(loaded, ("ptr", *["i64"] * axes))
        return Array(at, element, tuple(shape))

    return list(map(operand, types)), lines


def _called(written: Written, given: str) -> list[str]:
    """Lines that call a function and return its result as a word, 0 for nothing."""
    if written.count and not written.single:
        raise CompilationError("a program returns a tuple")
    called = f"  %found = call {written.kind} {written.name}({given})"
    if not written.count:
        return [called, "  ret i64 0"]
    return [called, f"  %word = extractvalue {written.kind} %found, 0", "  ret i64 %word"]


def _instructions(program: Program) -> dict[str, Any]:
    given: dict[str, Callable[..., Operand]] = {
        "new_bytes": partial(_new_row, 8),
        "new_integers": partial(_new_row, BITS),
        "prefetch": _prefetch,
        "reset": _reset,
        "copy": _copy,
        "save": partial(_transferred, saving=True),
        "load": partial(_transferred, saving=False),
    }
    if game := program.game:
        given |= {
            "make": partial(_new_table, _layout(game.table)),
            "row_at": partial(_row_at, 8, game.deck_size),
            "integers_at": partial(_row_at, BITS, game.deck_size),
        }
    if program.checked:
        given |= {"faulted": _faulted, "mask_of": _checked_mask}
    given |= {name: partial(_new_table, _layout(table)) for name, table in program.makers}
    return {name: Instruction(write) for name, write in given.items()}


def _names(program: Program, source: KernelSource, instructions: dict[str, Any]) -> dict[str, Any]:
    """The names of the module of a program, with the functions of its source."""
    import numpy as np

    names = {"np": np, "__name__": program.name} | instructions
    names |= source.functions
    file = f"<{program.name}-{id(names)}>"
    linecache.cache[file] = (len(source.text), None, source.text.splitlines(keepends=True), file)
    exec(compile(source.text, file, "exec"), names)
    return names


_layout = cache(TableLayout)


# ---------------------------------------------------------------- instructions on tables and rows


def _new_table(layout: TableLayout, writer: Lines) -> Operand:
    """A table on the stack of the function, not yet reset."""
    rows = [writer.slot(f"[{len(values)} x i{bits}]") for bits, values in layout.rows.values()]
    scalars = writer.slot(f"[{len(layout.scalars)} x i64]")
    return TableOperand(layout, (scalars, *rows))


def _new_row(bits: int, writer: Lines, length: Operand) -> Operand:
    """A row of integers on the stack of the function, of a length that is known."""
    if not isinstance(length, Known):
        raise CompilationError("the length of a row is not known")
    return Slots(writer.slot(f"[{length.value} x i{bits}]"), bits, length.value)


def _row_at(bits: int, length: int, writer: Lines, address: Operand) -> Operand:
    """The row of integers at an address."""
    return Slots(writer.out(f"inttoptr i64 {writer.word(address)} to ptr"), bits, length)


def fields_of(writer: Lines, table: TableOperand) -> list[tuple[str, int]]:
    """Where every field of a table is, and its bytes, in the order of `Layout.record`."""
    layout = table.layout
    fields = [(index.at, 8) for name in layout.scalars if (index := writer.field(table, name))]
    return fields + [(table.row(name).at, len(values) * bits // 8) for name, (bits, values) in layout.rows.items()]


def copied(writer: Lines, to: str, of: str, size: int) -> None:
    """Copy bytes."""
    writer.module.declarations.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    writer.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {of}, i64 {size}, i1 false)")


def _reset(writer: Lines, table: TableOperand) -> Operand:
    """Give every field of a table the value that it has in a new one."""
    for name, value in table.layout.scalars.items():
        if field := writer.field(table, name):
            writer.store(field, str(value))
    writer.module.declarations.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    for name, (bits, values) in table.layout.rows.items():
        row = table.row(name)
        size = len(values) * bits // 8
        writer.line(f"call void @llvm.memset.p0.i64(ptr align 16 {row.at}, i8 0, i64 {size}, i1 false)")
        for index, value in enumerate(values):
            if value and (place := writer.element(row, Known(index))):
                writer.store(place, str(value))
    return NOTHING


def _copy(writer: Lines, table: TableOperand, other: TableOperand) -> Operand:
    """Give every field of a table the value of another one."""
    for (to, size), (of, _) in zip(fields_of(writer, table), fields_of(writer, other), strict=True):
        copied(writer, to, of, size)
    return NOTHING


def _transferred(writer: Lines, table: TableOperand, address: Operand, *, saving: bool) -> Operand:
    """Write all fields of a table to an address, in the order of `Layout.record`, or read them back from there."""
    start = writer.out(f"inttoptr i64 {writer.word(address)} to ptr")
    end = 0
    for field, size in fields_of(writer, table):
        saved = writer.out(f"getelementptr inbounds i8, ptr {start}, i64 {end}")
        copied(writer, *((saved, field) if saving else (field, saved)), size)
        end += size
    return NOTHING


def _prefetch(writer: Lines, array: Array, index: Operand) -> Operand:
    """Ask memory for what is at an index of an array, before it is read."""
    writer.module.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    writer.line(f"call void @llvm.prefetch.p0(ptr {writer.address(array, index)}, i32 0, i32 3, i32 1)")
    return NOTHING


def _checked_mask(writer: Lines, mask: Operand, most: Operand) -> Operand:
    """A mask of what is offered, which is a fault if it is more than the one of all, in a module that is checked."""
    writer.check(writer.word(mask), 0, writer.word(most))
    return mask


def _faulted(writer: Lines) -> Operand:
    """Whether there was a fault since this was asked last, in a module that is checked."""
    return Number64(writer.out(f"call i64 @faulted({FAULT})"))
