"""The memory of a kernel, and the functions of its loop that depend on it; the loop itself is `driver.ll`.

Rows of bytes, one for each lane, are turned into vectors with a byte of each lane, and back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files

from maumau.kernels.compiler.direct.lines import ATTRIBUTES, Body
from maumau.kernels.lanes.by_value import ByValue
from maumau.kernels.lanes.emit import Emitter
from maumau.kernels.lanes.intervals import Range, width_of
from maumau.kernels.lanes.passes import MIN_ENTRIES, PHASE
from maumau.kernels.lanes.request import Target

LINE = 64
"""Bytes of a line of the caches of processors, by which what is in memory is aligned."""
INLINED = f"alwaysinline {ATTRIBUTES}"
WORDS = ("over", "gone", "following", "left_count", "refused", "waiting", "live")
"""Words of 64 bits in the room, which `driver.ll` explains."""
ID, CALLS = "id", "calls"
RING = "ring"
"""The row of both piles."""
TOLD = 4 * 16
"""Bytes of the results and scores of a game in parts of four words, at most."""
OWN = {ID: 32, CALLS: 16}
"""Facts of the loop with their bits: the number of the game in the call, and the calls of `passes` for it."""


@dataclass(frozen=True)
class LaneMemory:
    """The room of a kernel. state: facts of running games, and of the games of a block. done: facts of games that are
    over and wait for their results.

    rows: the length of each row in memory. moved: those of which stretches are moved.
    """

    target: Target
    state: LaneLayout
    done: LaneLayout
    rows: Mapping[str, int]
    moved: Collection[str] = ()

    @property
    def strides(self) -> Mapping[str, int]:
        """The bytes from the row of a lane to that of the next one, by name: some beyond its end."""
        return {name: length + (LINE if name in self.moved else MIN_ENTRIES) for name, length in self.rows.items()}

    @property
    def parts(self) -> Mapping[str, int]:
        """The size of each part in bytes."""
        lanes, sizes = self.target.lanes, {"state": self.state.size, "fresh": self.state.size, "done": self.done.size}
        sizes |= {"places": lanes, "cells": lanes, "told": TOLD * lanes}
        for name, stride in self.strides.items():
            sizes |= {f"row {name}": lanes * stride, f"fresh {name}": lanes * stride}
        return sizes | dict.fromkeys(WORDS, 8) | dict.fromkeys(["counts"] * bool(self.moved), lanes)

    @property
    def offset(self) -> Mapping[str, int]:
        """Where each part begins."""
        found, end = {}, 0
        for name, size in self.parts.items():
            found[name], end = end, aligned(end + size)
        return found

    @property
    def size(self) -> int:
        """Bytes of the whole room."""
        return sum(map(aligned, self.parts.values()))


def driver(memory: LaneMemory, final: int, *, deals: bool) -> Iterator[str]:
    """The loop, and what it needs of the memory. final: the number of the last phase. deals: whether there is a
    function `deal_shuffled`; else decks must be given.
    """
    yield Body().definition(f"i64 @lanes() {INLINED}", f"ret i64 {memory.target.lanes}")
    for name in WORDS:
        word = Body()
        address = word.address_at("%room", memory.offset[name])
        yield word.definition(f"ptr @{name}(ptr %room) {INLINED}", f"ret ptr {address}")
    number = Body()
    at = _element(number, memory.offset["state"] + memory.state.fields[ID, 0][1], OWN[ID], "%lane")
    yield number.definition(f"ptr @id(ptr %room, i64 %lane) {INLINED}", f"ret ptr {at}")
    if memory.target.packs:
        yield from PACKING
    yield from _moves(memory)
    yield _end_lane(memory, final)
    if not deals:
        head = "i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired, i64 %seats)"
        yield Body().definition(f"{head} {INLINED}", "unreachable")
    yield (files(__package__) / "driver.ll").read_text(encoding="utf-8")


def _end_lane(memory: LaneMemory, final: int) -> str:
    body, (bits, phase_at) = Body(), memory.state.fields[PHASE, 0]
    at = _element(body, memory.offset["state"] + phase_at, bits, "%lane")
    body.line(f"store i{bits} {final}, ptr {at}")
    return body.definition(f"void @end_lane(ptr %room, i64 %lane) {INLINED}")


# ---------------------------------------------------------------- games move between lanes and places


def _moves(memory: LaneMemory) -> Iterator[str]:
    """`copy_in`, `copy_out` and `move_down`."""
    offset, fields = memory.offset, memory.state.fields
    taken = [(bits, offset["fresh"] + at, offset["state"] + at) for bits, at in fields.values()]
    done = [(key, bits, offset["done"] + at) for key, (bits, at) in memory.done.fields.items()]
    yield _copy(memory, "copy_in", taken, inward=True)
    yield _copy(
        memory, "copy_out", [(bits, offset["state"] + fields[key][1], at) for key, bits, at in done], inward=False
    )
    down, lanes = Body(), memory.target.lanes
    for _, bits, at in done:
        kind = f"<{lanes} x i{bits}>"
        upper = down.out(f"load {kind}, ptr {down.address_at('%room', at + lanes * bits // 8)}, align {LINE}")
        down.line(f"store {kind} {upper}, ptr {down.address_at('%room', at)}, align {LINE}")
    yield down.definition(f"void @move_down(ptr %room) {ATTRIBUTES}")
    yield _keep_rings(memory)


def _keep_rings(memory: LaneMemory) -> str:
    """A function that writes the piles of the games in the lanes of a mask, by the numbers of the games."""
    body, length = Body(), memory.rows.get(RING, 0)
    body.label("entry")
    body.line("br label %each")
    body.label("each")
    body.line("%rest = phi i64 [ %mask, %entry ], [ %others, %each ]")
    body.line("%lane = call i64 @llvm.cttz.i64(i64 %rest, i1 true)")
    body.line("%others = and i64 %rest, " + body.out("add i64 %rest, -1"))
    number = body.out("call i64 @number(ptr %room, i64 %lane)")
    to = body.address_at("%rings", body.out(f"mul i64 {number}, {length}"))
    if length:
        own = body.out(f"mul i64 %lane, {memory.strides[RING]}")
        _copy_row(body, _element(body, memory.offset[f"row {RING}"], 8, own), to, length)
    body.line("br i1 " + body.out("icmp eq i64 %others, 0") + ", label %end, label %each")
    body.label("end")
    return body.definition(f"void @keep_rings(ptr %room, i64 %mask, ptr %rings) {ATTRIBUTES}")


def _copy(memory: LaneMemory, name: str, moves: Iterable[tuple[int, int, int]], *, inward: bool) -> str:
    """A function that copies facts of games between the lanes of a mask and places in a row. moves: the bits of each
    fact, where it is and where it goes. inward: from the places to the lanes, with the rows of the games.
    """
    body = Body()
    body.label("entry")
    if memory.target.packs:
        for move in moves:
            _copy_packed(body, *move, inward=inward)
        moves = ()
    body.line("br label %each")
    body.label("each")
    body.line("%rest = phi i64 [ %mask, %entry ], [ %others, %each ]")
    body.line("%at = phi i64 [ %place, %entry ], [ %next, %each ]")
    body.line("%lane = call i64 @llvm.cttz.i64(i64 %rest, i1 true)")
    body.line("%others = and i64 %rest, " + body.out("add i64 %rest, -1"))
    body.line("%next = add i64 %at, 1")
    source, target = ("%at", "%lane") if inward else ("%lane", "%at")
    for bits, of, to in moves:
        value = body.out(f"load i{bits}, ptr {_element(body, of, bits, source)}")
        body.line(f"store i{bits} {value}, ptr {_element(body, to, bits, target)}")
    for row, stride in memory.strides.items() if inward else ():
        fresh = _element(body, memory.offset[f"fresh {row}"], 8, body.out(f"mul i64 {source}, {stride}"))
        own = _element(body, memory.offset[f"row {row}"], 8, body.out(f"mul i64 {target}, {stride}"))
        _copy_row(body, fresh, own, memory.rows[row])
    body.line("br i1 " + body.out("icmp eq i64 %others, 0") + ", label %end, label %each")
    body.label("end")
    return body.definition(f"void @{name}(ptr %room, i64 %mask, i64 %place) {ATTRIBUTES}")


def _element(body: Body, start: int, bits: int, index: str) -> str:
    """The address of an element of the vector that begins at byte `start` of the room."""
    return body.address_at(body.address_at("%room", start), index, bits)


def _copy_row(body: Body, source: str, target: str, length: int) -> None:
    kind = f"<{MIN_ENTRIES} x i8>"
    for start in range(0, length, MIN_ENTRIES):
        value = body.out(f"load {kind}, ptr {body.address_at(source, start)}, align 1")
        body.line(f"store {kind} {value}, ptr {body.address_at(target, start)}, align 1")


def _copy_packed(body: Body, bits: int, source: int, target: int, *, inward: bool) -> None:
    """Copy all elements of a fact by instructions that compress and expand vectors of 512 bits."""
    count = 8 * LINE // bits
    kind, ones = f"<{count} x i{bits}>", f"<{count} x i1>"
    for start in range(0, LINE, count):
        before = body.out(f"and i64 %mask, {(1 << start) - 1}")
        place = body.out(f"add i64 %place, {body.out(f'call i64 @llvm.ctpop.i64(i64 {before})')}")
        upper = body.out(f"bitcast i64 {body.out(f'lshr i64 %mask, {start}')} to <{LINE} x i1>")
        listed = ", ".join(f"i32 {lane}" for lane in range(count))
        part = body.out(f"shufflevector <{LINE} x i1> {upper}, <{LINE} x i1> poison, <{count} x i32> <{listed}>")
        lanes = body.address_at("%room", (target if inward else source) + start * bits // 8)
        packed = _element(body, source if inward else target, bits, place)
        if inward:
            given = body.out(f"load {kind}, ptr {packed}, align 1")
            old = body.out(f"load {kind}, ptr {lanes}, align {LINE}")
        else:
            given, old = body.out(f"load {kind}, ptr {lanes}, align {LINE}"), "zeroinitializer"
        verb = "expand" if inward else "compress"
        name = f"llvm.x86.avx512.mask.{verb}.v{count}i{bits}"
        moved = body.out(f"call {kind} @{name}({kind} {given}, {kind} {old}, {ones} {part})")
        body.line(f"store {kind} {moved}, ptr {lanes if inward else packed}, align 1")


PACKING = [
    f"declare <{512 // bits} x i{bits}> @llvm.x86.avx512.mask.{verb}.v{512 // bits}i{bits}"
    f"(<{512 // bits} x i{bits}>, <{512 // bits} x i{bits}>, <{512 // bits} x i1>)"
    for verb in ("compress", "expand")
    for bits in (8, 16, 32, 64)
]
"""The functions that `_copy_packed` calls."""


# ---------------------------------------------------------------- where facts lie

Key = tuple[str, int]
"""A fact and the number of its plane, 0 for one that is kept in one piece."""


def aligned(size: int) -> int:
    """The size rounded up to whole lines."""
    return (size + LINE - 1) // LINE * LINE


@dataclass(frozen=True)
class LaneLayout:
    """Vectors of facts. fields: the bits and the offset of each fact, or of each of its planes. size: in bytes."""

    fields: Mapping[Key, tuple[int, int]]
    size: int

    @classmethod
    def of(cls, places: int, own: Mapping[str, int], facts: Mapping[str, Range], planar: Collection[str]) -> LaneLayout:
        """A layout of facts in these ranges for so many games. own: other facts, with their bits. planar: those that
        are kept as planes.
        """
        bits = {(name, 0): wide for name, wide in own.items()}
        for name, values in facts.items():
            if name in planar:
                bits |= {(name, plane): 8 for plane in range((values[1].bit_length() + 7) // 8)}
            else:
                bits[name, 0] = width_of(values)
        fields, end = {}, 0
        for key, wide in bits.items():
            fields[key] = wide, end
            end = aligned(end + places * wide // 8)
        return cls(fields, end)


# ---------------------------------------------------------------- rows turned into vectors, and back


COLUMNS = 16
"""Columns of bytes that are turned at a time."""
SIDE = 4
"""Columns of words of 32 bits that are turned at a time."""


def columns_of(emitter: Emitter, rows: Sequence[str]) -> list[str]:
    """16 vectors with a byte of each lane, from 16 bytes of each lane."""
    return turned(emitter, [emitter.joined(list(rows[first::COLUMNS]), COLUMNS, 8) for first in range(COLUMNS)])


def rows_of(emitter: Emitter, columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lanes, in no order, each with its 16 bytes, from 16 vectors with a byte of each lane."""
    for first, vector in enumerate(turned(emitter, columns)):
        for start in range(0, emitter.lanes, COLUMNS):
            yield start + first, emitter.shuffled(vector, "poison", emitter.lanes, 8, range(start, start + COLUMNS))


def turned(emitter: Emitter, vectors: Sequence[str]) -> list[str]:
    """16 vectors of bytes, or 4 of words of 32 bits, turned in each part of 16 bytes for itself: element k of vector j
    becomes element j of vector k.

    Perfect shuffles turn a square: two of 4 times 4 words, four of 16 times 16 bytes.
    """
    found, side = list(vectors), len(vectors)
    for _ in range(side.bit_length() - 1):
        halves = zip(found[: side // 2], found[side // 2 :], strict=True)
        found = [_interleaved(emitter, one, other, side, upper) for one, other in halves for upper in (False, True)]
    return found


def _interleaved(emitter: Emitter, one: str, other: str, side: int, upper: bool) -> str:
    """The elements of the lower or upper halves of all parts of two vectors, in turn. side: elements of a part."""
    lanes, half = emitter.lanes, side // 2
    indices = [
        start + half * upper + index + second * lanes
        for start in range(0, lanes, side)
        for index in range(half)
        for second in (0, 1)
    ]
    return emitter.shuffled(one, other, lanes, 8 * COLUMNS // side, indices)


def write_rows(emitter: Emitter, memory: LaneMemory, columns: Mapping[str, list[str]]) -> None:
    """Write numbers of the first %count games that wait to the row of each. columns: the words of a row, as vectors, by
    the base of the rows.
    """
    told, size = emitter.address_at("%room", memory.offset["told"]), 4 * emitter.lanes
    parts: list[tuple[str, int, int, int]] = []
    for base, words in columns.items():
        last = max(len(words) - SIDE, 0)
        for start in [*range(0, last, SIDE), last]:
            part = words[start : start + SIDE]
            for place, row in enumerate(turned(emitter, part + part[-1:] * (SIDE - len(part)))):
                at = emitter.address_at(told, (len(parts) * SIDE + place) * size)
                emitter.line(f"store {emitter.vector(32)} {row}, ptr {at}, align {LINE}")
            parts.append((base, len(words), start, len(part)))
    with _each_game(emitter):
        number = _number(emitter, memory, "%place")
        row = emitter.out(f"mul i64 {emitter.out(f'and i64 %place, {SIDE - 1}')}, {emitter.lanes}")
        row = emitter.out(f"add i64 {row}, {emitter.out(f'and i64 %place, {-SIDE}')}")
        for index, (base, length, start, count) in enumerate(parts):
            of = emitter.address_at(emitter.address_at(told, row, 32), index * SIDE * size)
            to = emitter.address_at(base, emitter.out(f"mul i64 {number}, {length}"), 32)
            value = emitter.out(f"load <{count} x i32>, ptr {of}, align 16")
            emitter.line(f"store <{count} x i32> {value}, ptr {emitter.address_at(to, start, 32)}, align 4")


def count_columns(emitter: Emitter, memory: LaneMemory, columns: Sequence[str], by_value: ByValue) -> None:
    """Count the values of the first %count games that wait: their words, of those at %words, become one more."""
    told, size = emitter.address_at("%room", memory.offset["told"]), 4 * emitter.lanes
    for index, column in enumerate(columns):
        at = emitter.address_at(told, index * size)
        emitter.line(f"store {emitter.vector(32)} {column}, ptr {at}, align {LINE}")
    with _each_game(emitter):
        for index, (start, (low, _)) in enumerate(zip(by_value.starts, by_value.columns, strict=False)):
            at = _element(emitter, memory.offset["told"] + index * size, 32, "%place")
            number = emitter.out(f"sext i32 {emitter.out(f'load i32, ptr {at}')} to i64")
            emitter.increase(emitter.address_at("%words", start - low, 64), number, "1")


def write_endings(emitter: Emitter, memory: LaneMemory, games: str, endings: str) -> None:
    """Write the endings of some games that wait, bytes by number. games: their bits."""
    at = emitter.address_at("%room", memory.offset["told"])
    emitter.line(f"store {emitter.vector(32)} {endings}, ptr {at}, align {LINE}")
    emitter.line("br label %each_unwon")
    emitter.label("each_unwon")
    emitter.line(f"%unwon = phi i64 [ {games}, %end ], [ %others, %write ]")
    emitter.line(f"br i1 {emitter.out('icmp eq i64 %unwon, 0')}, label %all, label %write")
    emitter.label("write")
    emitter.line("%others = and i64 %unwon, " + emitter.out("add i64 %unwon, -1"))
    place = emitter.out("call i64 @llvm.cttz.i64(i64 %unwon, i1 true)")
    ending = emitter.out(f"load i32, ptr {emitter.address_at(at, place, 32)}")
    to = emitter.address_at("%endings", _number(emitter, memory, place))
    emitter.line(f"store i8 {emitter.out(f'trunc i32 {ending} to i8')}, ptr {to}")
    emitter.line("br label %each_unwon")
    emitter.label("all")


@contextmanager
def _each_game(emitter: Emitter) -> Iterator[None]:
    """A loop over the places of the first %count games that wait, between the blocks `entry` and `end`."""
    emitter.line("br label %each")
    emitter.label("each")
    emitter.line("%place = phi i64 [ 0, %entry ], [ %next, %move ]")
    emitter.line(f"br i1 {emitter.out('icmp ult i64 %place, %count')}, label %move, label %end")
    emitter.label("move")
    emitter.line("%next = add i64 %place, 1")
    yield
    emitter.line("br label %each")
    emitter.label("end")


def _number(emitter: Emitter, memory: LaneMemory, place: str) -> str:
    """The number of the game at a place."""
    at = _element(emitter, memory.offset["done"] + memory.done.fields[ID, 0][1], OWN[ID], place)
    return emitter.out(f"zext i32 {emitter.out(f'load i32, ptr {at}')} to i64")
