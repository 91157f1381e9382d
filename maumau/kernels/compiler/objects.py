"""Object files: made of LLVM text, then into blocks, or loaded by llvmlite where blocks of machine code do not run.

A block is position-independent machine code, loaded into memory that can be executed: all sections of an object file in
a row, with the distances between them filled in. It calls nothing outside.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from ast import literal_eval
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from fsm.edge.errors import CompilationError
from fsm.edge.extras import Later

llvm: Any = Later("llvmlite.binding")


def optimized(module: Any, target: Any, vectors: bool = True) -> None:
    """Simplify each function, straight from case to case, then put functions in place of calls, and optimize all.

    vectors: whether loops become operations on vectors; without them batches take up to a third more time.
    """
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    each = llvm.create_new_module_pass_manager()
    each.add_sroa_pass()
    each.add_instruction_combine_pass()
    each.add_simplify_cfg_pass()
    each.add_jump_threading_pass()
    each.run(module, builder)
    options = llvm.create_pipeline_tuning_options(2)  # 3 compiles longer, and Mau-Mau is played 2 % slower
    options.loop_vectorization = options.slp_vectorization = vectors
    options.inlining_threshold = 50  # with 225, LLVM's own, Gin Rummy is compiled half as long again, and played slower
    whole = llvm.create_pass_builder(target, options)
    whole.getModulePassManager().run(module, whole)


def object_code(text: str, target: Any, optimize: Callable[[Any, Any], None] = optimized) -> bytes:
    """The object file of LLVM text for a target machine of LLVM. Raises CompilationError.

    optimize: changes a module of LLVM for a target.
    """
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise CompilationError(f"LLVM refuses the text: {error}") from None
    module.triple, module.data_layout = target.triple, str(target.target_data)
    optimize(module, target)
    return bytes(target.emit_object(module))


SLOW_TO_MOVE = "znver1", "znver2"
"""Processors that move each bit by itself."""


@cache
def moves_bits() -> bool:
    """Whether this processor has fast instructions that move the bits of a word to or from where a mask has some."""
    return bool(llvm.get_host_cpu_features().get("bmi2")) and llvm.get_host_cpu_name() not in SLOW_TO_MOVE


@cache
def gathers() -> bool:
    """Whether this processor gathers words faster than it loads them one by one; those of AMD need many more steps."""
    return not llvm.get_host_cpu_name().startswith("znver")


def target_machine(triple: str = "", model: str = "", features: str = "", **options: Any) -> Any:
    """LLVM's target machine for the code of a processor.

    triple: of another machine than this one. model: the processor; without one it is that of this machine, with
    `features` besides its own. options: those of LLVM.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple(triple) if triple else llvm.Target.from_default_triple()
    if not model:
        model = llvm.get_host_cpu_name()
        features = ",".join(filter(None, [llvm.get_host_cpu_features().flatten(), features]))
    return target.create_target_machine(cpu=model, features=features, opt=3, **options)


BLOCK: dict[str, Any] = {"reloc": "pic", "codemodel": "small"}
"""The options of LLVM for code that does not depend on its address."""
LOADED: dict[str, Any] = {"codemodel": "jitdefault", "jit": True}
"""The options of LLVM for code that llvmlite loads."""
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
"""Bytes of a line of the caches of processors, by which what is in memory is aligned."""


class BlockError(ValueError):
    """An object file cannot be made a block."""


_Section = namedtuple("_Section", "name kind flags address offset size link info alignment entry_size")
_Symbol = namedtuple("_Symbol", "name section value")


def packed(head: Mapping[str, object], code: bytes = b"") -> bytes:
    """The content of a file of the cache: what has to be known about machine code in a line, then the code."""
    return repr(dict(head)).encode() + b"\n" + code


def unpacked(content: bytes) -> tuple[dict[str, Any], bytes]:
    """What is known about machine code, and the code."""
    head, _, code = content.partition(b"\n")
    return literal_eval(head.decode()), code


def block_of(obj: bytes, entry: str, **head: object) -> bytes:
    """The block of an object file (ELF, x86-64), packed, with what else has to be known about it.

    entry: the function that is called from outside. Raises BlockError if it needs anything that is not in it.
    """
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
            return packed(head | {"entry": indices[symbol.section] + symbol.value}, bytes(code))
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


class Machine:
    """Machine code in memory. head: what is known about it. call: its function."""

    def __init__(self, content: bytes, name: str = ENTRY, arguments: int = 1) -> None:
        """content: a block or an object file, packed. name: of the function in an object file. arguments: how many
        words of 64 bits it takes. Raises OSError where memory cannot be executed, RuntimeError for what is no object
        file.
        """
        self.head, code = unpacked(content)
        load: Callable[[bytes, str], tuple[Any, int]] = _executable if "entry" in self.head else _linked
        self._kept, address = load(code, name)
        kind: Callable[[int], Any] = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        self.call = kind(address + self.head.get("entry", 0))


def _executable(code: bytes, name: str) -> tuple[Any, int]:
    """The code of a block in memory that can be executed and not written, and its address."""
    memory = mmap.mmap(-1, len(code) or 1)
    memory[:] = code
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    library = ctypes.CDLL(None, use_errno=True)
    size = -(-len(code) // mmap.PAGESIZE) * mmap.PAGESIZE
    protection = mmap.PROT_READ | mmap.PROT_EXEC
    if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), protection):
        raise OSError(ctypes.get_errno(), "machine code in memory cannot be executed")
    return memory, address


def _linked(code: bytes, name: str) -> tuple[Any, int]:
    """An object file that llvmlite loads and links to this process, and the address of a function."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(**LOADED))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, engine.get_function_address(name)
