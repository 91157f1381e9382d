"""Object files: made of LLVM text, then into blocks, or loaded by llvmlite where blocks of machine code do not run.

A block is position-independent machine code, loaded into memory that can be executed: all sections of an object file in
a row, with the distances between them filled in. It calls nothing outside.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from ast import literal_eval
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from fsm.edge.errors import CompilationError
from fsm.edge.extras import Later
from rules.values import dataclass

llvm: Any = Later("llvmlite.binding")


def object_code(text: str, target: Any) -> bytes:
    """The object file of LLVM text, optimized for a target machine of LLVM. Raises CompilationError."""
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise CompilationError(f"LLVM refuses the text: {error}") from None
    module.triple, module.data_layout = target.triple, str(target.target_data)
    _optimize(module, target)
    return bytes(target.emit_object(module))


def _optimize(module: Any, target: Any) -> None:
    """Simplify each function, straight from case to case, then put functions in place of calls, and optimize all."""
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    each = llvm.create_new_module_pass_manager()
    each.add_sroa_pass()
    each.add_instruction_combine_pass()
    each.add_simplify_cfg_pass()
    each.add_jump_threading_pass()
    each.run(module, builder)
    options = llvm.create_pipeline_tuning_options(2)  # 3 compiles longer, and Mau-Mau is played 2 % slower
    options.slp_vectorization = True  # without it batches take up to a third more time
    whole = llvm.create_pass_builder(target, options)
    whole.getModulePassManager().run(module, whole)


SLOW_TO_MOVE = "znver1", "znver2"
"""Processors that move each bit by itself."""


@cache
def moves_bits() -> bool:
    """Whether this processor has fast instructions that move the bits of a word to or from where a mask has some."""
    return bool(llvm.get_host_cpu_features().get("bmi2")) and llvm.get_host_cpu_name() not in SLOW_TO_MOVE


def loader_target() -> Any:
    """LLVM's target machine for code that `LoadedObject` loads."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, codemodel="jitdefault", jit=True
    )


def other_target(triple: str, model: str, features: str, reloc: str = "default") -> Any:
    """LLVM's target machine for another machine than this one."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=model, features=features, opt=3, reloc=reloc)


class LoadedObject:
    """An object file in memory, loaded and linked to this process by llvmlite. call: its function."""

    def __init__(self, code: bytes, entry: str, arguments: int = 1) -> None:
        """arguments: how many words of 64 bits the function takes. Raises RuntimeError for what is no object file."""
        target = loader_target()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        kind: Callable[[int], Any] = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        self.call = kind(self._engine.get_function_address(entry))


ENTRY = "native"
"""The name of what calls a program."""
LIBRARY = """
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) #0 {
  %byte = trunc i32 %value to i8
  %end = call { i64, ptr } asm sideeffect "rep stosb", "={rcx},={rdi},0,1,{al},~{memory}"(i64 %size, ptr %to, i8 %byte)
  ret ptr %to
}
define hidden ptr @memcpy(ptr %to, ptr %of, i64 %size) #0 {
  %end = call { i64, ptr, ptr } asm sideeffect "rep movsb", "={rcx},={rdi},={rsi},0,1,2,~{memory}"(
    i64 %size, ptr %to, ptr %of)
  ret ptr %to
}
attributes #0 = { noinline nounwind "no-builtins" }
"""


ALLOCATED, ZEROS, SYMBOLS, RELOCATIONS = 2, 8, 2, 4
"""Marks of sections of ELF files: the flag of those in memory, and types."""
DISTANCES = {2: "<i", 4: "<i", 24: "<q"}
"""Relocations of x86-64 that are distances from their index: R_X86_64_PC32, _PLT32 and _PC64."""
LINE = 64


class BlockError(ValueError):
    """An object file cannot be made a block."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int


@dataclass(frozen=True)
class Block:
    """Machine code. code: its bytes. entry: where the function begins that is called from outside."""

    code: bytes
    entry: int


def packed(head: Mapping[str, object], code: bytes = b"") -> bytes:
    """The content of a file of the cache: what has to be known about machine code in a line, then the code."""
    return repr(dict(head)).encode() + b"\n" + code


def unpacked(content: bytes) -> tuple[dict[str, Any], bytes]:
    """What is known about machine code, and the code."""
    head, _, code = content.partition(b"\n")
    return literal_eval(head.decode()), code


def block_target(model: str | None = None, *features: str) -> Any:
    """LLVM's target machine for the code of blocks, which must not depend on its address.

    model: a processor that has what LLVM says of it. None: this processor, with `features` besides its own.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    own = "" if model else ",".join([llvm.get_host_cpu_features().flatten(), *features])
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=model or llvm.get_host_cpu_name(), features=own, opt=3, reloc="pic", codemodel="small"
    )


def block_of(obj: bytes, entry: str) -> Block:
    """The block of an object file (ELF, x86-64). Raises BlockError if it needs anything that is not in it."""
    if obj[:5] != b"\x7fELF\x02":
        raise BlockError("no object file of 64-bit ELF")
    (start,) = struct.unpack_from("<Q", obj, 40)
    size, count = struct.unpack_from("<HH", obj, 58)
    sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", obj, start + index * size)) for index in range(count)]
    code, indices = _laid_out(obj, sections)
    symbols = _symbols(obj, sections)
    for section in sections:
        if section.kind == RELOCATIONS and section.info in indices:
            _relocate(obj, section, code, indices, symbols)
    for symbol in symbols:
        if symbol.name == entry and symbol.section in indices:
            return Block(bytes(code), indices[symbol.section] + symbol.value)
    raise BlockError(f"the object file has no {entry}")


def _laid_out(obj: bytes, sections: list[_Section]) -> tuple[bytearray, dict[int, int]]:
    """The bytes of the sections that lie in memory, and where each of them begins."""
    code, indices = bytearray(), {}
    for number, section in enumerate(sections):
        if section.flags & ALLOCATED and section.size:
            code += bytes(-len(code) % max(section.alignment, LINE))
            indices[number] = len(code)
            end = section.offset + section.size
            code += bytes(section.size) if section.kind == ZEROS else obj[section.offset : end]
    return code, indices


def _symbols(obj: bytes, sections: list[_Section]) -> list[_Symbol]:
    table = next(section for section in sections if section.kind == SYMBOLS)
    names = sections[table.link].offset
    found = []
    for index in range(table.offset, table.offset + table.size, 24):
        name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", obj, index)
        end = obj.index(b"\0", names + name)
        found.append(_Symbol(obj[names + name : end].decode(), section, value))
    return found


def _relocate(obj: bytes, section: _Section, code: bytearray, indices: dict[int, int], symbols: list[_Symbol]) -> None:
    """Fill in the distances that a section of relocations asks for."""
    for index in range(section.offset, section.offset + section.size, 24):
        offset, info, addend = struct.unpack_from("<QQq", obj, index)
        kind, symbol = info & 0xFFFFFFFF, symbols[info >> 32]
        if symbol.section not in indices:
            raise BlockError(f"{symbol.name or 'a symbol'} is not in the object file")
        if kind not in DISTANCES:
            raise BlockError(f"a relocation of type {kind}, expected a distance")
        at = indices[section.info] + offset
        struct.pack_into(DISTANCES[kind], code, at, indices[symbol.section] + symbol.value + addend - at)


class LoadedBlock:
    """A block in memory that can be executed and not written. call: its function."""

    def __init__(self, block: Block, arguments: int) -> None:
        """arguments: how many words of 64 bits the function takes. Raises OSError where memory cannot be executed."""
        self._memory = mmap.mmap(-1, len(block.code) or 1)
        self._memory[:] = block.code
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        library = ctypes.CDLL(None, use_errno=True)
        size = -(-len(block.code) // mmap.PAGESIZE) * mmap.PAGESIZE
        protection = mmap.PROT_READ | mmap.PROT_EXEC
        if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), protection):
            raise OSError(ctypes.get_errno(), "machine code in memory cannot be executed")
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        self.call = kind(address + block.entry)
