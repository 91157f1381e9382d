"""Games as WebAssembly modules, for pages that have no compiler: each plays and adds up games.

The modules are made of object files of LLVM.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.series import total
from maumau.kernels.compiler.cache import keep, load
from maumau.kernels.compiler.direct.building import module_text
from maumau.kernels.compiler.machine_code import key_of, require_compiler
from maumau.kernels.compiler.objects import ENTRY, object_code, target_machine
from maumau.kernels.compiler.program import KernelPlan, Program
from maumau.kernels.compiler.source import MAKERS, source_of

HEADER = b"\0asm\1\0\0\0"
CUSTOM, IMPORTS, FUNCTIONS, GLOBALS, EXPORTS, CODE, DATA, DATA_COUNT = 0, 2, 3, 6, 7, 10, 11, 12
STACK_POINTER = b"__stack_pointer"
"""The only global that object files import here."""


def loadable(obj: bytes, function: str, room: int) -> bytes:
    """The module of an object file that exports `function`, its last one, and two numbers: `room`, the bytes of memory
    that a call needs, and `free`, the first address that can be given to it. Constants of the module are before that.

    As object files do, it imports its memory as `env.__linear_memory` and, where functions keep rows or tables on the
    stack, the end of the memory for that as the global `env.__stack_pointer`.
    """
    kept = {kind: content for kind, content in _sections(obj) if kind != CUSTOM}
    index = _read(kept[FUNCTIONS], 0)[0] - 1
    numbers = {b"room": room, b"free": max(_data_end(kept.get(DATA, b"\0")), 1)}
    exports = [_bytes(function.encode()) + b"\0" + _number(index)]
    imported = STACK_POINTER in kept.get(IMPORTS, b"")
    exports += [_bytes(name) + b"\3" + _number(offset) for offset, name in enumerate(numbers, imported)]
    constants = [b"\x7f\0\x41" + _signed(number) + b"\x0b" for number in numbers.values()]
    parts = kept | {GLOBALS: _vector(constants), EXPORTS: _vector(exports)}
    order = sorted(parts, key=lambda kind: CODE - 0.5 if kind == DATA_COUNT else kind)  # else in that of their numbers
    return HEADER + b"".join(bytes([kind]) + _bytes(parts[kind]) for kind in order)


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
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + _number(value >> 7)


def _signed(value: int) -> bytes:
    """A number that is not negative where a signed one is expected."""
    return bytes([value]) if value < 0x40 else bytes([value & 0x7F | 0x80]) + _signed(value >> 7)


def _bytes(content: bytes) -> bytes:
    return _number(len(content)) + content


def _vector(items: list[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


STACK = 1 << 18
"""Bytes for the tables of a game and the calls of its rule functions."""
TRIPLE, MODEL, FEATURES = "wasm32-unknown-unknown", "generic", "+bulk-memory,+sign-ext,+mutable-globals"


def wasm_of(game: Declaration, policies: tuple[Policy, ...] = ()) -> bytes:
    """The module of `total`: `native` takes the address of its arguments, those of a kernel and then those of `add_up`;
    `room` is what the stack needs.

    policies: in the order of the numbers of seats; none for the first of the game. It is kept in the cache folder.
    Raises MissingExtra without llvmlite, and CompilationError.
    """
    require_compiler()
    plan = KernelPlan(game, policies or game.policies[:1], tally=True, repetition=True)
    program = Program(total, partial(source_of, entry=total), plan, game, MAKERS)
    source = program.write(plan)
    name = f"{program.name}-wasm-{key_of(program, source)}"
    code = load(name)
    if code is None:
        text = module_text(program, source)
        code = loadable(object_code(text, target_machine(TRIPLE, MODEL, FEATURES)), ENTRY, STACK)
        keep(name, code)
    return code
