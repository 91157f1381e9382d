"""The table of a game in machine code: a numba type derived from the table's class, with the same fields.

Integers are 64-bit and lie together; each list (64-bit) and each bytearray (bytes) lies by itself. A table is made on
the stack of the kernel that plays with it, so the compiler sees that nobody else touches it and keeps its integers in
registers: a record in an array costs a memory access for every fact.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    overload,
    register_model,
)

from fsm.declaration.table_fields import default_values

WORD = ir.IntType(64)
BYTE = ir.IntType(8)
INDEX = ir.IntType(32)


class SlotsType(types.Type):
    """A row of integers of fixed length: a list (`bits` 64) or a bytearray (`bits` 8) of a table."""

    def __init__(self, bits: int, length: int) -> None:
        super().__init__(name=f"Slots({bits}, {length})")
        self.bits, self.length = bits, length

    @property
    def element(self) -> ir.IntType:
        """The LLVM type of one place."""
        return ir.IntType(self.bits)

    @property
    def size(self) -> int:
        """Bytes of the whole row."""
        return self.length * self.bits // 8


class TableType(types.Type):
    """The table of one class. scalars: default by field. slots, rows: the row type and the default by field.

    A hash of them is in the type's name, because numba takes types of one name for one type.
    """

    def __init__(
        self, name: str, scalars: dict[str, int], slots: dict[str, SlotsType], rows: dict[str, tuple[int, ...]]
    ) -> None:
        content = sha256(repr((scalars, slots, rows)).encode()).hexdigest()[:16]
        super().__init__(name=f"Table({name}, {content})")
        self.scalars, self.slots, self.rows = scalars, slots, rows
        self.fields = {field: index for index, field in enumerate(scalars)}


@cache
def table_type(table: type) -> TableType:
    """The numba type of a table class: its integers, lists and bytearrays, in their order."""
    values = default_values(table)
    scalars = {name: int(value) for name, value in values.items() if isinstance(value, int)}
    slots = {
        name: SlotsType(8 if isinstance(value, bytearray) else 64, len(value))
        for name, value in values.items()
        if name not in scalars
    }
    return TableType(table.__name__, scalars, slots, {name: tuple(values[name]) for name in slots})


@register_model(SlotsType)
class _SlotsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: SlotsType) -> None:
        super().__init__(manager, kind, kind.element.as_pointer())


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: TableType) -> None:
        rows = [(name, row) for name, row in kind.slots.items()]
        super().__init__(manager, kind, [("scalars", types.CPointer(types.int64)), *rows])


@infer_getattr
class _TableAttributes(AttributeTemplate):
    key = TableType

    def generic_resolve(self, kind: TableType, name: str) -> types.Type | None:
        return types.int64 if name in kind.scalars else kind.slots.get(name)


def _parts(context: Any, builder: Any, kind: TableType, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value)


def _index(builder: Any, parts: Any, kind: TableType, name: str) -> Any:
    return builder.gep(parts.scalars, [WORD(kind.fields[name])], inbounds=True)


@lower_getattr_generic(TableType)
def _get_field(context: Any, builder: Any, kind: TableType, value: Any, name: str) -> Any:
    parts = _parts(context, builder, kind, value)
    if name in kind.slots:
        return getattr(parts, name)
    return builder.load(_index(builder, parts, kind, name))


@lower_setattr_generic(TableType)
def _set_field(context: Any, builder: Any, sig: Any, arguments: Any, name: str) -> None:
    kind, given = sig.args
    table, value = arguments
    parts = _parts(context, builder, kind, table)
    builder.store(context.cast(builder, value, given, types.int64), _index(builder, parts, kind, name))


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, arguments: Any, named: Any) -> Any:
        row, index = arguments
        if isinstance(row, SlotsType) and isinstance(index, types.Integer):
            return signature(types.int64, row, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, arguments: Any, named: Any) -> Any:
        row, index, value = arguments
        if isinstance(row, SlotsType) and isinstance(index, types.Integer) and isinstance(value, types.Integer):
            return signature(types.void, row, types.int64, types.int64)
        return None


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, arguments: Any, named: Any) -> Any:
        (row,) = arguments
        return signature(types.int64, row) if isinstance(row, SlotsType) else None


@lower_builtin(operator.getitem, SlotsType, types.int64)
def _get_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    value = builder.load(builder.gep(arguments[0], [arguments[1]], inbounds=True))
    return value if sig.args[0].bits == 64 else builder.zext(value, WORD)


@lower_builtin(operator.setitem, SlotsType, types.int64, types.int64)
def _set_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    row, index, value = arguments
    stored = value if sig.args[0].bits == 64 else builder.trunc(value, BYTE)
    builder.store(stored, builder.gep(row, [index], inbounds=True))
    return context.get_dummy_value()


@lower_builtin(len, SlotsType)
def _length(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return WORD(sig.args[0].length)


@infer_getattr
class _IntegerMethods(AttributeTemplate):
    """The methods of Python's integers that rule functions use."""

    key = types.Integer

    @bound_function("int.bit_count")
    def resolve_bit_count(self, number: Any, arguments: Any, named: Any) -> Any:
        return signature(types.int64, recvr=types.int64)

    @bound_function("int.bit_length")
    def resolve_bit_length(self, number: Any, arguments: Any, named: Any) -> Any:
        return signature(types.int64, recvr=types.int64)


@lower_builtin("int.bit_count", types.int64)
def _bit_count(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.ctpop(arguments[0])


@lower_builtin("int.bit_length", types.int64)
def _bit_length(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.sub(WORD(64), builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0)))


def maker(kind: TableType) -> Any:
    """The intrinsic `make()` of a table type: a table on the stack of the calling function, not yet reset."""

    @intrinsic
    def make(typing: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            parts = cgutils.create_struct_proxy(kind)(context, builder)
            block = cgutils.alloca_once(builder, ir.ArrayType(WORD, len(kind.scalars)), name="scalars")
            parts.scalars = builder.gep(block, [INDEX(0), INDEX(0)], inbounds=True)
            for name, row in kind.slots.items():
                slots = cgutils.alloca_once(builder, ir.ArrayType(row.element, row.length), name=name)
                setattr(parts, name, builder.gep(slots, [INDEX(0), INDEX(0)], inbounds=True))
            return parts._getvalue()

        return kind(), codegen

    return make


@intrinsic
def reset(typing: Any, kind: TableType) -> Any:
    """Give every field the value it has in a new table of the class."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        parts = _parts(context, builder, kind, arguments[0])
        for name, value in kind.scalars.items():
            builder.store(WORD(value), _index(builder, parts, kind, name))
        for name, row in kind.slots.items():
            cgutils.memset(builder, getattr(parts, name), WORD(row.size), 0)
            for index, value in enumerate(kind.rows[name]):
                if value:
                    at = builder.gep(getattr(parts, name), [WORD(index)], inbounds=True)
                    builder.store(ir.Constant(row.element, value), at)
        return context.get_dummy_value()

    return types.void(kind), codegen


@intrinsic
def copy(typing: Any, kind: TableType, other: TableType) -> Any:
    """Give every field of the first table the value of the second."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        to, of = (_parts(context, builder, kind, value) for value in arguments)
        for name in kind.scalars:
            builder.store(builder.load(_index(builder, of, kind, name)), _index(builder, to, kind, name))
        for name, row in kind.slots.items():
            cgutils.raw_memcpy(builder, getattr(to, name), getattr(of, name), WORD(row.size), 1)
        return context.get_dummy_value()

    return types.void(kind, other), codegen


def _saved(context: Any, builder: Any, kind: TableType, table: Any, address: Any) -> Iterator[tuple[Any, Any, int]]:
    """Of every field, in the order of `table_dtype`: where it is in the table, where it is saved, and its bytes."""
    parts = _parts(context, builder, kind, table)
    start = builder.inttoptr(address, BYTE.as_pointer())
    end = 0
    fields = [(_index(builder, parts, kind, name), 8) for name in kind.scalars]
    fields += [(getattr(parts, name), row.size) for name, row in kind.slots.items()]
    for field, size in fields:
        yield field, builder.gep(start, [WORD(end)]), size
        end += size


def _transfer(kind: TableType, address: types.Integer, *, saving: bool) -> tuple[Any, Any]:
    """The signature and the code of an intrinsic that copies all fields to or from a memory address."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        for field, saved, size in _saved(context, builder, kind, *arguments):
            target, source = (saved, field) if saving else (field, saved)
            cgutils.raw_memcpy(builder, target, source, WORD(size), 1)
        return context.get_dummy_value()

    return types.void(kind, address), codegen


@intrinsic
def save(typing: Any, kind: TableType, address: types.Integer) -> Any:
    """Write all fields to a memory address, in the order of `table_dtype`."""

    return _transfer(kind, address, saving=True)


@intrinsic
def load(typing: Any, kind: TableType, address: types.Integer) -> Any:
    """Read all fields back from where `save` wrote them."""

    return _transfer(kind, address, saving=False)


def row_at(bits: int, length: int) -> Any:
    """The intrinsic `at(address)` of rows of `length` integers: the row that lies at a memory address."""
    row = SlotsType(bits, length)

    @intrinsic
    def at(typing: Any, address: types.Integer) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], row.element.as_pointer())

        return row(address), codegen

    return at


@intrinsic
def _wide_product(typing: Any, one: types.Integer, other: types.Integer) -> Any:
    """The upper and the lower 32 bits of the 64-bit product of two words."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        whole = builder.mul(*arguments)
        upper, lower = builder.lshr(whole, WORD(32)), builder.and_(whole, WORD(0xFFFFFFFF))
        return context.make_tuple(builder, sig.return_type, (upper, lower))

    return types.UniTuple(types.int64, 2)(types.int64, types.int64), codegen


def give_instruction(wide_product: Callable[[int, int], tuple[int, int]]) -> None:
    """Let compiled code multiply words by the processor's instruction: the sum of Python's steps would overflow."""

    @overload(wide_product, strict=False)
    def choose(one: Any, other: Any) -> Callable[..., Any]:
        def product(one, other):  # type: ignore[no-untyped-def]
            return _wide_product(one, other)

        return product


def row_maker(bits: int) -> Any:
    """The intrinsic `make(length)` of rows of integers: one on the stack of the calling function, of known length."""

    @intrinsic(prefer_literal=True)
    def make(typing: Any, length: Any) -> Any:
        row = SlotsType(bits, length.literal_value)

        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            slots = cgutils.alloca_once(builder, ir.ArrayType(row.element, row.length), name="row")
            return builder.gep(slots, [INDEX(0), INDEX(0)], inbounds=True)

        return row(length), codegen

    return make
