"""The memory of a kernel, and the functions of its loop that depend on it; the loop itself is `driver.ll`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from maumau.kernels.compiler.direct.lines import Body
from maumau.kernels.lanes.intervals import Range, width_of
from maumau.kernels.lanes.passes import MIN_ENTRIES, PHASE
from maumau.kernels.lanes.widths import CELL_BITS

ATTRIBUTES = 'nounwind "no-builtins"'
INLINED = f"alwaysinline {ATTRIBUTES}"
WORDS = ("over", "gone", "following", "left_count", "refused", "waiting", "live")
"""Words of 64 bits in the room, which `driver.ll` explains."""


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
    """The loop, and what it needs of the memory. final: the number of the last phase. deals: whether there is a
    function `deal_shuffled`; else decks must be given.
    """
    yield from _addresses(memory)
    yield _end_lane(memory, final)
    yield _copy_in(memory)
    yield _copy_out(memory)
    if not deals:
        head = "i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired)"
        yield Body().definition(f"{head} {INLINED}", "unreachable")
    yield (files(__package__) / "driver.ll").read_text(encoding="utf-8")


def element(body: Body, start: int, bits: int, index: str) -> str:
    """The address of an element of the vector that begins at byte `start` of the room."""
    return body.address_at(body.address_at("%room", start), index, bits)


def _addresses(memory: Memory) -> Iterator[str]:
    """The functions that know where a word or an element is, and how many lanes there are."""
    yield Body().definition(f"i64 @lanes() {INLINED}", f"ret i64 {memory.lanes}")
    for name in WORDS:
        word = Body()
        yield word.definition(
            f"ptr @{name}(ptr %room) {INLINED}", f"ret ptr {word.address_at('%room', memory.offset[name])}"
        )
    for name, part, index in (("id", "ids", "lane"), ("done_id", "done ids", "place")):
        number = Body()
        at = element(number, memory.offset[part], 32, f"%{index}")
        yield number.definition(f"ptr @{name}(ptr %room, i64 %{index}) {INLINED}", f"ret ptr {at}")


def _end_lane(memory: Memory, final: int) -> str:
    body, (bits, phase_at) = Body(), memory.state.fields[PHASE]
    at = element(body, memory.offset["state"] + phase_at, bits, "%lane")
    body.line(f"store i{bits} {final}, ptr {at}")
    return body.definition(f"void @end_lane(ptr %room, i64 %lane) {INLINED}")


def _move(body: Body, bits: int, source: int, target: int) -> None:
    """Copy element %from of the vector at `source` to element %to of the one at `target`."""
    value = body.out(f"load i{bits}, ptr {element(body, source, bits, '%from')}")
    body.line(f"store i{bits} {value}, ptr {element(body, target, bits, '%to')}")


def _copy_in(memory: Memory) -> str:
    body, offset = Body(), memory.offset
    for bits, at in memory.state.fields.values():
        _move(body, bits, offset["fresh"] + at, offset["state"] + at)
    for name, length in memory.rows.items():
        fresh = element(body, offset[f"fresh {name}"], 8, body.out(f"mul i64 %from, {length}"))
        row = element(body, offset[f"row {name}"], CELL_BITS, body.out(f"mul i64 %to, {length}"))
        _widen(body, fresh, row, length)
    body.line(f"store i16 0, ptr {element(body, offset['calls'], 16, '%to')}")
    return body.definition(f"void @copy_in(ptr %room, i64 %from, i64 %to) {ATTRIBUTES}")


def _widen(body: Body, source: str, target: str, length: int) -> None:
    """Copy bytes to the cells of a row."""
    narrow, wide = f"<{MIN_ENTRIES} x i8>", f"<{MIN_ENTRIES} x i{CELL_BITS}>"
    for start in range(0, length, MIN_ENTRIES):
        at = body.out(f"getelementptr inbounds i8, ptr {source}, i64 {start}")
        cells = body.out(f"zext {narrow} {body.out(f'load {narrow}, ptr {at}, align 1')} to {wide}")
        at = body.out(f"getelementptr inbounds i{CELL_BITS}, ptr {target}, i64 {start}")
        body.line(f"store {wide} {cells}, ptr {at}, align 4")


def _copy_out(memory: Memory) -> str:
    body, offset = Body(), memory.offset
    for name, (bits, at) in memory.done.fields.items():
        _move(body, bits, offset["state"] + memory.state.fields[name][1], offset["done"] + at)
    _move(body, 32, offset["ids"], offset["done ids"])
    return body.definition(f"void @copy_out(ptr %room, i64 %from, i64 %to) {ATTRIBUTES}")


# ---------------------------------------------------------------- where facts lie

LINE = 64
"""Bytes of a cache line."""


def line_of(lanes: int) -> int:
    """The alignment of vectors in bytes: the size of a vector of the widest numbers, at most a cache line."""
    return min(8 * lanes, LINE)


def aligned(size: int, line: int) -> int:
    """The size rounded up to a multiple of the alignment."""
    return (size + line - 1) // line * line


@dataclass(frozen=True)
class LaneLayout:
    """Vectors of facts. lanes: elements of each. fields: the bits and the offset in bytes of each fact. size: in
    bytes.
    """

    lanes: int
    fields: Mapping[str, tuple[int, int]]
    size: int

    @classmethod
    def of(cls, lanes: int, facts: Iterable[str], ranges: Mapping[str, Range]) -> LaneLayout:
        """A layout of some facts."""
        bits = {name: width_of(ranges[name]) for name in facts}
        fields, end = {}, 0
        for name in sorted(bits, key=lambda name: -bits[name]):
            fields[name] = bits[name], end
            end = aligned(end + lanes * bits[name] // 8, line_of(lanes))
        return cls(lanes, fields, end)

    def vector(self, name: str) -> str:
        """The type of the vector of a fact."""
        return f"<{self.lanes} x i{self.fields[name][0]}>"
