"""Instructions on tables and rows, which source takes for granted."""

from __future__ import annotations

from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.direct.lines import Lines
from maumau.kernels.compiler.direct.operands import (
    Instruction,
    Operand,
    Slots,
    TableLayout,
    TableOperand,
)
from maumau.kernels.compiler.operands import NOTHING, Known


def new_table(layout: TableLayout) -> Instruction:
    """A table on the stack of the function, not yet reset."""

    def write(writer: Lines) -> Operand:
        rows = [writer.slot(f"[{len(values)} x i{bits}]") for bits, values in layout.rows.values()]
        scalars = writer.slot(f"[{len(layout.scalars)} x i64]")
        return TableOperand(layout, (scalars, *rows))

    return Instruction(write)


def new_row(bits: int) -> Instruction:
    """A row of integers on the stack of the function, of a length that is known."""

    def write(writer: Lines, length: Operand) -> Operand:
        if not isinstance(length, Known):
            raise CompilationError("the length of a row is not known")
        return Slots(writer.slot(f"[{length.value} x i{bits}]"), bits, length.value)

    return Instruction(write)


def row_at(bits: int, length: int) -> Instruction:
    """The row of integers at an address."""
    return Instruction(
        lambda writer, address: Slots(writer.out(f"inttoptr i64 {writer.word(address)} to ptr"), bits, length)
    )


def fields_of(writer: Lines, table: TableOperand) -> list[tuple[str, int]]:
    """Where every field of a table is, and its bytes, in the order of `table_dtype`."""
    layout = table.layout
    fields = [(index.at, 8) for name in layout.scalars if (index := writer.field(table, name))]
    return fields + [(table.row(name).at, len(values) * bits // 8) for name, (bits, values) in layout.rows.items()]


def copied(writer: Lines, to: str, of: str, size: int) -> None:
    """Copy bytes."""
    if size == 8:
        writer.line(f"store i64 {writer.out(f'load i64, ptr {of}, align 8')}, ptr {to}, align 8")
        return
    writer.module.declarations.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    writer.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {of}, i64 {size}, i1 false)")


def _reset(writer: Lines, table: TableOperand) -> Operand:
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
    for (to, size), (of, _) in zip(fields_of(writer, table), fields_of(writer, other), strict=True):
        copied(writer, to, of, size)
    return NOTHING


def _transferred(writer: Lines, table: TableOperand, address: Operand, *, saving: bool) -> Operand:
    start = writer.out(f"inttoptr i64 {writer.word(address)} to ptr")
    end = 0
    for field, size in fields_of(writer, table):
        saved = writer.out(f"getelementptr inbounds i8, ptr {start}, i64 {end}")
        copied(writer, *((saved, field) if saving else (field, saved)), size)
        end += size
    return NOTHING


RESET = Instruction(_reset)
"""Gives every field of a table the value that it has in a new one."""
COPY = Instruction(_copy)
"""Gives every field of a table the value of another one."""
SAVE = Instruction(lambda writer, table, address: _transferred(writer, table, address, saving=True))
"""Writes all fields of a table to an address, in the order of `table_dtype`."""
LOAD = Instruction(lambda writer, table, address: _transferred(writer, table, address, saving=False))
"""Reads all fields of a table back from where SAVE wrote them."""
