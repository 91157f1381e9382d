"""Position-independent blocks of machine code: made of an object file, and loaded into memory that can be executed.

A block is all sections of an object file in a row, with the distances between them filled in. It calls nothing outside.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    """The content of a file of the cache: what has to be known about machine code in a line of JSON, then the code."""
    return json.dumps(head).encode() + b"\n" + code


def unpacked(content: bytes) -> tuple[dict[str, Any], bytes]:
    """What is known about machine code, and the code."""
    head, _, code = content.partition(b"\n")
    return json.loads(head), code


def block_target(model: str | None = None, *features: str) -> Any:
    """LLVM's target machine for the code of blocks, which must not depend on its address.

    model: a processor that has what LLVM says of it. None: this processor, with `features` besides its own.
    """
    import llvmlite.binding as llvm

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
