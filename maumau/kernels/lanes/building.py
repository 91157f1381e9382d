"""LLVM text to machine code: for this processor, a lesser one, or for another machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.blocks import Block, block_of, block_target
from maumau.kernels.lanes.module import LaneModule, module_of
from maumau.kernels.lanes.request import Request
from maumau.kernels.lanes.targets import NEON, WASM, Target

ENTRY = "play"


def block_from(text: str, target: Target) -> Block:
    """The machine code of a module for an x86-64 processor."""
    return block_of(object_code(text, block_target(target.model or None, target.features)), ENTRY)


def object_code(text: str, target: Any) -> bytes:
    """The object file of a module for a target machine of LLVM."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    # What is left to optimize is little, as equal operations are one in a graph. All passes together take ten times as
    # long, and the code that they make plays no faster.
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    passes = builder.getModulePassManager()  # puts functions in the place of their calls that are to be there
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return bytes(target.emit_object(module))


# ---------------------------------------------------------------- other machines


def wasm_of(module: LaneModule) -> bytes:
    """A WebAssembly module that deals, plays and scores games: it exports `play` and `room`, the bytes `play` needs.

    play(decks, seed, first, games, results, scores, sums, fired, used, left, room): addresses are 32 bits wide, numbers
    64.
    """
    return loadable(object_code(module.text, _machine(WASM)), ENTRY, module.room)


def arm_of(module: LaneModule) -> bytes:
    """An object file for Linux on 64-bit Arm with the same function, and the bytes that it needs as constant `room`."""
    return object_code(f"@room = constant i64 {module.room}\n{module.text}", _machine(NEON))


TARGETS: dict[str, tuple[Target, Callable[[LaneModule], bytes]]] = {
    "wasm32": (WASM, wasm_of),
    "aarch64": (NEON, arm_of),
}


def kernel_file(target: str, game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """The kernel for another machine. dealing: whether it shuffles; else decks must be given.

    Raises UntraceableError.
    """
    machine, written = TARGETS[target]
    return written(module_of(Request(game, players, policy, dealing=dealing, target=machine)))


def _machine(target: Target) -> Any:
    """LLVM's target machine for another machine than this one."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple)
    return machine.create_target_machine(cpu=target.model, features=target.features, opt=3, reloc=target.reloc)


# ---------------------------------------------------------------- an object file as a module

HEADER = b"\0asm\1\0\0\0"
CUSTOM, GLOBALS, EXPORTS, CODE, DATA, DATA_COUNT = 0, 6, 7, 10, 11, 12
SYMBOL_TABLE, FUNCTION, DATA_SYMBOL, SECTION_SYMBOL = 8, 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


def loadable(obj: bytes, function: str, room: int) -> bytes:
    """The module of an object file that exports `function`, and two numbers: `room`, the bytes of memory that a call
    needs, and `free`, the first address that can be given to it. Constants of the module are before that.

    It imports its memory as `env.__linear_memory`, as object files do.
    """
    sections = list(_sections(obj))
    linking = next(content for kind, content in sections if kind == CUSTOM and _name(content)[0] == b"linking")
    index = _function_index(_name(linking)[1], function.encode())
    kept = {kind: content for kind, content in sections if kind != CUSTOM}
    numbers = {b"room": room, b"free": max(_data_end(kept.get(DATA, b"\0")), 1)}
    exports = [_bytes(function.encode()) + b"\0" + _number(index)]
    exports += [_bytes(name) + b"\3" + _number(offset) for offset, name in enumerate(numbers)]
    constants = [b"\x7f\0\x41" + _signed(number) + b"\x0b" for number in numbers.values()]
    parts = kept | {GLOBALS: _vector(constants), EXPORTS: _vector(exports)}
    return HEADER + b"".join(bytes([kind]) + _bytes(parts[kind]) for kind in sorted(parts, key=_order))


def _order(kind: int) -> float:
    """Where a section stands: in the order of their numbers, but the count of data comes before the code."""
    return CODE - 0.5 if kind == DATA_COUNT else kind


def _data_end(data: bytes) -> int:
    """Where the constants end that a module stores in its memory: a section of active segments of memory 0."""
    count, offset = _read(data, 0)
    end = 0
    for _ in range(count):
        if data[offset : offset + 2] != b"\0\x41":
            raise ValueError("a segment of data without a constant address")
        start, offset = _read(data, offset + 2)
        size, offset = _read(data, offset + 1)
        offset += size
        end = max(end, start + size)
    return end


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    offset = len(HEADER)
    while offset < len(module):
        kind = module[offset]
        size, start = _read(module, offset + 1)
        yield kind, module[start : start + size]
        offset = start + size


def _name(content: bytes) -> tuple[bytes, bytes]:
    size, start = _read(content, 0)
    return content[start : start + size], content[start + size :]


def _function_index(linking: bytes, name: bytes) -> int:
    """The index of a function that the section `linking` of an object file lists among its symbols."""
    _, offset = _read(linking, 0)  # the version
    while offset < len(linking):
        kind = linking[offset]
        size, offset = _read(linking, offset + 1)
        if kind == SYMBOL_TABLE:
            return dict(_functions(linking[offset : offset + size]))[name]
        offset += size
    raise ValueError("the object file has no table of symbols")


def _functions(table: bytes) -> Iterator[tuple[bytes, int]]:
    """The names and the indices of the functions in a table of symbols."""
    count, offset = _read(table, 0)
    for _ in range(count):
        kind = table[offset]
        flags, offset = _read(table, offset + 1)
        name, index, defined = b"", 0, not flags & UNDEFINED
        if kind not in (DATA_SYMBOL, SECTION_SYMBOL):
            index, offset = _read(table, offset)
        if kind == DATA_SYMBOL or (kind != SECTION_SYMBOL and (defined or flags & EXPLICIT_NAME)):
            size, offset = _read(table, offset)
            name, offset = table[offset : offset + size], offset + size
        for _ in range(
            {DATA_SYMBOL: 3 * defined, SECTION_SYMBOL: 1}.get(kind, 0)
        ):  # its segment and place, or its section
            _, offset = _read(table, offset)
        if kind == FUNCTION:
            yield name, index


# ---------------------------------------------------------------- numbers of variable length


def _read(content: bytes, offset: int) -> tuple[int, int]:
    """An unsigned number, and where it ends."""
    value = shift = 0
    while True:
        byte = content[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, offset


def _number(value: int) -> bytes:
    """An unsigned number."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + _number(value >> 7)


def _signed(value: int) -> bytes:
    """A number that is not negative where a signed one is expected."""
    return bytes([value]) if value < 0x40 else bytes([value & 0x7F | 0x80]) + _signed(value >> 7)


def _bytes(content: bytes) -> bytes:
    return _number(len(content)) + content


def _vector(items: list[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)
