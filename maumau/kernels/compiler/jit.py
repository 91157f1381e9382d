"""Programs compiled by numba: to a block of machine code, or to code that numba has to load itself."""

from __future__ import annotations

import gc
import linecache
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic, register_jitable
from numba.np.arrayobj import populate_array

from fsm.fingerprint import reached
from maumau.kernels.compiler import table_type as tabletype
from maumau.kernels.compiler.blocks import Block, block_of, block_target
from maumau.kernels.compiler.library import LIBRARY
from rules.chance import wide_product

if TYPE_CHECKING:
    from maumau.kernels.compiler.naming import Source
    from maumau.kernels.compiler.program import Program
    from rules.rule import RuleFunction

WORD = ir.IntType(64)


class Store:
    """The cache that numba reads before it compiles and writes afterwards: one signature, in memory.

    It replaces numba's own cache on disk, which loads pickles of any owner from the folder NUMBA_CACHE_DIR.
    """

    def __init__(self, code: bytes | None = None) -> None:
        self.code = code

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function in `code`, if that is for this signature."""
        if self.code is None:
            return None
        context.refresh()
        stored, parts = pickle.loads(self.code)
        return CompileResult._rebuild(context, *parts) if stored == signature else None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Put a compiled function into `code`, if nothing is there."""
        self.code = self.code or dumps((signature, compiled._reduce()))


def entry_of(program: Program, source: Source, key: str, store: Store) -> Callable[..., Any]:
    """Compile a program, or take its machine code from `store`, by a call with its warm-up arguments.

    Raises whatever numba does if the machine code cannot be used.
    """
    names = _names(program, source, key)
    if store.code is None:
        _inline(program, source, key, names, apart=program.entry)
    entry: Any = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_rewrites=True)(
        names[program.entry]
    )
    entry._cache = store
    with _no_garbage_collection():
        entry(*program.example())
    return entry  # type: ignore[no-any-return]


def native_block(program: Program, source: Source, key: str) -> tuple[Block, int]:
    """Compile a program to a block, and the number of words that it takes: see `maumau.kernels.compiler.native`.

    Raises BlockError if its machine code needs anything that is not in it.
    """
    names = _names(program, source, key)
    _inline(program, source, key, names)
    around: dict[str, Any] = {"entry": names[program.entry], "as_word": _as_word}
    words, given = [], []
    for number, argument in enumerate(program.example()):
        word = f"word_{number}"
        words.append(word)
        if isinstance(argument, np.ndarray):
            lengths = [f"{word}_{axis}" for axis in range(argument.ndim)]
            words += lengths
            around[f"array_{number}"] = _array_at(numba.typeof(argument))
            word = f"array_{number}({word}, ({', '.join(lengths)},))"
        given.append(word)
    exec(f"def native({', '.join(words)}):\n    return as_word(entry({', '.join(given)}))", around)
    signature = types.int64(*[types.int64] * len(words))
    with _no_garbage_collection():
        compiled = numba.cfunc(signature, error_model="numpy", no_rewrites=True)(around["native"])
        return block_of(_object_code(compiled.inspect_llvm()), compiled.native_name), len(words)


def _object_code(text: str) -> bytes:
    """The object file of optimized LLVM text, for this processor."""
    target = block_target()
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(LIBRARY))
    return bytes(target.emit_object(module))


def _array_at(kind: Any) -> Any:
    """The intrinsic `at(address, shape)`: the array of a type that lies at a memory address, its rows in a row."""

    @intrinsic
    def at(typing: Any, address: Any, shape: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            array = context.make_array(kind)(context, builder)
            lengths = cgutils.unpack_tuple(builder, arguments[1], kind.ndim)
            size = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
            strides = [size]
            for length in reversed(lengths[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            data = builder.inttoptr(arguments[0], array.data.type)
            populate_array(array, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
            return array._getvalue()

        return kind(address, shape), codegen

    return at


@intrinsic
def _as_word(typing: Any, value: Any) -> Any:
    """What a program returns as a word of 64 bits: 0 for nothing."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        nothing = isinstance(value, types.NoneType)
        return WORD(0) if nothing else context.cast(builder, arguments[0], value, types.int64)

    return types.int64(value), codegen


# ---------------------------------------------------------------- what numba finds


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which takes a tenth of the compile time and frees almost nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _names(program: Program, source: Source, key: str) -> dict[str, Any]:
    """The names of the module of a program, with the functions of its source."""
    name = _file(program, key)
    linecache.cache[name] = (len(source.text), None, source.text.splitlines(keepends=True), name)
    names = vars(_module(program, source, key))
    exec(compile(source.text, name, "exec"), names)
    return names


def _file(program: Program, key: str) -> str:
    return f"<{program.name}-{key}>"


def _inline(program: Program, source: Source, key: str, names: Mapping[str, Any], apart: str = "") -> None:
    """Let compiled code call the rule functions of a program and the functions of its source, but for one."""
    own = [
        value
        for name, value in names.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == _file(program, key) and name != apart
    ]
    for function in (*reached(source.functions.values()), *own):
        _inlined(function)


def _module(program: Program, source: Source, key: str) -> ModuleType:
    """A module with the names that the source of a program uses.

    numba finds the module again by its name when it loads machine code.
    """
    tabletype.give_instruction(wide_product)
    module = ModuleType(f"kernel_{key}")
    vars(module).update(
        np=np,
        new_bytes=tabletype.row_maker(8),
        new_integers=tabletype.row_maker(64),
        reset=tabletype.reset,
        copy=tabletype.copy,
        save=tabletype.save,
        load=tabletype.load,
    )
    if game := program.game:
        vars(module).update(
            make=tabletype.maker(tabletype.table_type(game.table)),
            row_at=tabletype.row_at(8, game.deck_size),
            integers_at=tabletype.row_at(64, game.deck_size),
        )
    for name, table in program.makers:
        setattr(module, name, tabletype.maker(tabletype.table_type(table)))
    vars(module).update(source.functions)
    sys.modules[module.__name__] = module
    return module


@cache
def _inlined(function: RuleFunction) -> None:
    """Let compiled code call a plain function: its body is put in the place of the call."""
    register_jitable(
        forceinline=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        no_rewrites=True,
        _nrt=False,
    )(function)
