"""The memory of a kernel, and its loop: what depends on the game. The loop itself is in `driver.ll`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from maumau.kernels.compiler.text_builder import TextBuilder
from maumau.kernels.lanes.layout import LaneLayout, aligned, line_of
from maumau.kernels.lanes.passes import PHASE
from maumau.kernels.lanes.widths import CELL_BITS

ATTRIBUTES = '"no-builtins" nounwind'
PIECE = 16
"""Cells of a row that are copied at a time."""
WORDS = ("over", "gone", "following", "left", "refused", "slot", "live")
"""Words of 64 bits in the room: masks of games that are over and that leave, the number of the next game, of games that
left, the mask of games of the block that cannot be played, the number of results that wait, and the mask of lanes in
use.
"""


@dataclass(frozen=True)
class Memory:
    """The room of a kernel. state: facts of running games. done: facts of games that are over and wait for their
    results.

    rows: the length of each row in memory. columns: words of 32 bits in the result and the scores of a game.
    """

    state: LaneLayout
    done: LaneLayout
    rows: Mapping[str, int]
    columns: int

    attributes = ATTRIBUTES

    @property
    def lanes(self) -> int:
        """Games at once."""
        return self.state.lanes

    @property
    def line(self) -> int:
        """The alignment of each part in bytes."""
        return line_of(self.lanes)

    @property
    def parts(self) -> Mapping[str, int]:
        """The size of each part in bytes."""
        sizes = {"state": self.state.size, "fresh": self.state.size, "done": self.done.size}
        for name, length in self.rows.items():
            sizes[f"row {name}"] = self.lanes * length * CELL_BITS // 8
            sizes[f"fresh {name}"] = self.lanes * length
        sizes |= {"calls": 2 * self.lanes, "ids": 4 * self.lanes, "done ids": 4 * self.lanes}
        sizes["columns"] = 4 * self.lanes * self.columns
        return sizes | dict.fromkeys(WORDS, 8)

    @property
    def offset(self) -> Mapping[str, int]:
        """Where each part begins."""
        found, end = {}, 0
        for name, size in self.parts.items():
            found[name], end = end, aligned(end + size, self.line)
        return found

    @property
    def size(self) -> int:
        """Bytes of the whole room."""
        return sum(aligned(size, self.line) for size in self.parts.values())


def driver(memory: Memory, final: int, *, deals: bool) -> Iterator[str]:
    """The loop, and what it takes for granted. final: the number of the last phase."""
    numbers = {name: memory.offset[name] for name in (*WORDS, "ids")} | {"lanes": memory.lanes}
    yield from (f"@{name} = private constant i64 {value}" for name, value in numbers.items())
    yield from (_copy_in(memory), _copy_out(memory), _rest(memory, final))
    if not deals:
        yield "define internal i64 @deal_shuffled(ptr, i64, i64, i64, i64, ptr) { unreachable }"
    yield Path(__file__).with_suffix(".ll").read_text(encoding="utf-8")


def _function(name: str, parameters: str, lines: Sequence[str]) -> str:
    """A function of the kernel that returns nothing."""
    return "\n".join([f"define internal void @{name}({parameters}) {ATTRIBUTES} {{", *lines, "  ret void", "}", ""])


def _element(builder: TextBuilder, at: int, bits: int, index: str) -> str:
    """The address of an element of a row that begins at an offset of the room."""
    row = builder.out(f"getelementptr i8, ptr %room, i64 {at}")
    return builder.out(f"getelementptr i{bits}, ptr {row}, i64 {index}")


def _move(builder: TextBuilder, source: int, target: int, bits: int) -> None:
    """Copy an element of a row: element %from of one to element %to of another."""
    value = builder.out(f"load i{bits}, ptr {_element(builder, source, bits, '%from')}")
    builder.line(f"store i{bits} {value}, ptr {_element(builder, target, bits, '%to')}")


def _copy_in(memory: Memory) -> str:
    """`copy_in`: a lane takes game `from` of the block."""
    offset, builder = memory.offset, TextBuilder()
    for bits, at in memory.state.fields.values():
        _move(builder, offset["fresh"] + at, offset["state"] + at, bits)
    for name, length in memory.rows.items():
        first = builder.out(f"mul i64 %from, {length}")
        source = _element(builder, offset[f"fresh {name}"], 8, first)
        target = _element(builder, offset[f"row {name}"], CELL_BITS, builder.out(f"mul i64 %to, {length}"))
        for start in range(0, length, PIECE):
            here = builder.out(f"getelementptr i8, ptr {source}, i64 {start}")
            narrow = builder.out(f"load <{PIECE} x i8>, ptr {here}, align 1")
            wide = builder.out(f"zext <{PIECE} x i8> {narrow} to <{PIECE} x i{CELL_BITS}>")
            there = builder.out(f"getelementptr i{CELL_BITS}, ptr {target}, i64 {start}")
            builder.line(f"store <{PIECE} x i{CELL_BITS}> {wide}, ptr {there}, align 4")
    builder.line(f"store i16 0, ptr {_element(builder, offset['calls'], 16, '%to')}")
    return _function("copy_in", "ptr %room, i64 %from, i64 %to", builder.lines)


def _copy_out(memory: Memory) -> str:
    """`copy_out`: what the results of a lane's game need goes to place `to` of those that wait."""
    offset, builder = memory.offset, TextBuilder()
    for name, (bits, at) in memory.done.fields.items():
        _move(builder, offset["state"] + memory.state.fields[name][1], offset["done"] + at, bits)
    _move(builder, offset["ids"], offset["done ids"], 32)
    return _function("copy_out", "ptr %room, i64 %from, i64 %to", builder.lines)


def _rest(memory: Memory, final: int) -> str:
    """`rest`: a lane has no game any more."""
    (bits, at), builder = memory.state.fields[PHASE], TextBuilder()
    builder.line(f"store i{bits} {final}, ptr {_element(builder, memory.offset['state'] + at, bits, '%lane')}")
    return _function("rest", "ptr %room, i64 %lane", builder.lines)
