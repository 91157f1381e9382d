"""LLVM text of operations on vectors with one element for each game, of which some are not a single instruction."""

from __future__ import annotations

from collections.abc import Sequence

from maumau.kernels.compiled.mixing import LOW_HALF
from maumau.kernels.compiler.direct.lines import ATTRIBUTES, Body
from maumau.kernels.lanes.intervals import BYTE
from maumau.kernels.lanes.request import Target

WORD_BYTES = 4
"""Bytes of a word of 32 bits."""
ROW = 32
"""Bytes of a row, at most, that is looked up as a table in half a vector of 64."""
VECTORS = "%places", "%cells", "%counts"
"""Memory for a byte of each lane: a place in its row, and an element; or where a stretch begins, and its length."""
Plane = str | int
"""The name of a vector of bytes, or the same byte in all lanes."""


class Vectors(Body):
    """Writes operations on vectors."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target, self.lanes = target, target.lanes
        self.mask_type = f"<{self.lanes} x i1>"
        self.byte = self.vector(8)
        self.declarations: set[str] = set()

    def vector(self, bits: int) -> str:
        """The type of a vector of integers."""
        return f"<{self.lanes} x i{bits}>"

    def call(self, result: str, name: str, arguments: str, types: str) -> str:
        """Write a call of an intrinsic function."""
        self.declarations.add(f"declare {result} @{name}({types})")
        return self.out(f"call {result} @{name}({arguments})")

    def on_bytes(self, name: str, *given: Plane, more: str = "") -> str:
        """Write a call of an intrinsic function of vectors of bytes. more: its last argument, no vector."""
        arguments = ", ".join(f"{self.byte} {self.text(each)}" for each in given)
        types = ", ".join([self.byte] * len(given))
        return self.call(self.byte, name, f"{arguments}{', ' * bool(more)}{more}", f"{types}{', i1' * bool(more)}")

    def constant(self, value: int, bits: int) -> str:
        """A vector of one number."""
        low = value & (1 << bits) - 1
        return f"splat (i{bits} {low - (low >> bits - 1 << bits)})" if low else "zeroinitializer"

    def text(self, plane: Plane) -> str:
        """A plane as LLVM text."""
        return self.constant(plane, 8) if isinstance(plane, int) else plane

    def shuffled(self, one: str, other: str, size: int, bits: int, order: Sequence[int]) -> str:
        """Elements of two vectors of `size` integers in this order; those of the second are numbered from `size` on."""
        kind, listed = f"<{size} x i{bits}>", ", ".join(f"i32 {place}" for place in order)
        return self.out(f"shufflevector {kind} {one}, {kind} {other}, <{len(order)} x i32> <{listed}>")

    def packed(self, name: str) -> str:
        """Words of 32 bits that are bytes as bytes: four of them in each word, then in their order."""
        count = self.lanes // WORD_BYTES
        words, found = f"<{count} x i32>", "zeroinitializer"
        for byte in range(WORD_BYTES):
            part = self.shuffled(name, "poison", self.lanes, 32, range(byte * count, (byte + 1) * count))
            part = self.out(f"shl {words} {part}, splat (i32 {8 * byte})")
            found = self.out(f"or {words} {found}, {part}")
        joined = self.out(f"bitcast {words} {found} to {self.byte}")
        order = [lane % count * WORD_BYTES + lane // count for lane in range(self.lanes)]
        return self.shuffled(joined, "poison", self.lanes, 8, order)

    def barrier(self, name: str, kind: str) -> str:
        """The same bytes, of which LLVM knows nothing. kind: the type of their vector."""
        return self.out(f'call {kind} asm "", "={self.target.register},0"({kind} {name})')

    def words_of_product(self, one: str, other: str) -> tuple[str, str]:
        """The upper and the lower words of products of words: of the even lanes, then of the odd ones."""
        words, double = self.vector(32), f"<{self.lanes // 2} x i64>"
        pairs = [self.out(f"bitcast {words} {each} to {double}") for each in (one, other)]
        even = [self.out(f"and {double} {pair}, splat (i64 {LOW_HALF})") for pair in pairs]
        odd = [self.out(f"lshr {double} {pair}, splat (i64 32)") for pair in pairs]
        products = [self.out(f"mul {double} {first}, {second}") for first, second in (even, odd)]
        halves = [self.out(f"bitcast {double} {each} to {words}") for each in products]
        orders = [[lane - lane % 2 + upper + lane % 2 * self.lanes for lane in range(self.lanes)] for upper in (1, 0)]
        upper, lower = (self.shuffled(halves[0], halves[1], self.lanes, 32, order) for order in orders)
        return upper, lower

    def in_table(self, entries: Sequence[int], places: str) -> str:
        """What a table has at places."""
        listed = ", ".join(f"i8 {entry - (entry >> 7 << 8)}" for entry in entries)
        return self.on_bytes(self.target.look_up, f"<{listed}>", places)

    def gathered(self, rows: str, stride: int, places: str) -> str:
        """A byte of each lane's row: words of 32 bits are loaded, in which it is where the lane has it in a vector."""
        count = self.lanes // WORD_BYTES
        words, pointers = f"<{count} x i32>", f"<{count} x ptr>"
        name = f"llvm.masked.gather.v{count}i32.v{count}p0"
        packed, found = self.out(f"bitcast {self.byte} {places} to {words}"), "zeroinitializer"
        for byte in range(WORD_BYTES):
            starts = ", ".join(f"i32 {lane * stride - byte}" for lane in range(byte, self.lanes, WORD_BYTES))
            place = self.out(f"lshr {words} {packed}, splat (i32 {8 * byte})")
            place = self.out(f"and {words} {place}, splat (i32 {BYTE[1]})")
            place = self.out(f"add {words} {place}, <{starts}>")
            at = self.out(f"getelementptr inbounds i8, ptr {rows}, {words} {place}")
            given = f"{pointers} {at}, i32 1, <{count} x i1> splat (i1 true), {words} poison"
            word = self.call(words, name, given, f"{pointers}, i32, <{count} x i1>, {words}")
            word = self.out(f"and {words} {word}, splat (i32 {BYTE[1] << 8 * byte})")
            found = self.out(f"or {words} {found}, {word}")
        return self.out(f"bitcast {words} {found} to {self.byte}")

    def in_rows(self, rows: str, stride: int, places: str) -> str:
        """A byte of each lane's row of up to `ROW`: every row is a table in which half of the lanes look up, and what
        they find is kept for its own lane.
        """
        kind, name, halves = f"<{ROW} x i8>", f"llvm.x86.avx512.permvar.qi.{8 * ROW}", list[str]()
        for first in range(0, self.lanes, ROW):
            half = self.shuffled(places, "poison", self.lanes, 8, range(first, first + ROW))
            found: list[str] = []
            for lane in range(first, first + ROW):
                row = self.out(f"load {kind}, ptr {self.address_at(rows, lane * stride)}, align 1")
                found.append(self.call(kind, name, f"{kind} {row}, {kind} {half}", f"{kind}, {kind}"))
            while side := len(found) // 2:
                order = [lane + ROW * (lane & side > 0) for lane in range(ROW)]
                pairs = zip(found[:side], found[side:], strict=True)
                found = [self.shuffled(*pair, ROW, 8, order) for pair in pairs]
            halves.append(self.barrier(found[0], kind))  # else LLVM joins the halves in each step before
        return self.joined(halves, ROW, 8)

    def each_element(self, rows: str, stride: int, places: str, *, stores: bool) -> None:
        """Copy an element of each lane's row to the lane's cell, or from it."""
        self.line(f"store {self.byte} {places}, ptr %places, align {self.lanes}")
        for lane in range(self.lanes):
            place = self.out(f"load i8, ptr {self.address_at('%places', lane)}")
            start = self.address_at(rows, lane * stride)
            ends = self.address_at(start, self.out(f"zext i8 {place} to i64")), self.address_at("%cells", lane)
            source, target = ends[::-1] if stores else ends
            self.line(f"store i8 {self.out(f'load i8, ptr {source}')}, ptr {target}")

    def joined(self, parts: list[str], size: int, bits: int) -> str:
        """Vectors of `size` numbers as one vector; there are a power of two of them."""
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [self.shuffled(*pair, size, bits, range(2 * size)) for pair in pairs]
            size *= 2
        return parts[0]


STRETCH = 64
"""Bytes of a stretch, at most."""
STRETCHES = f"<{STRETCH} x i8>"
NUMBERS = f"<{', '.join(f'i8 {place}' for place in range(STRETCH))}>"


def mover(turns: int, packs: bool) -> str:
    """A function that moves a stretch of each lane of a mask: to a place of a row, from a start in another one, as many
    bytes as there are. Bytes beyond its end are written as they were. turns: the bytes of rows from whose end a stretch
    goes on at the start, or 0. packs: as of `Target`.
    """
    body = Body()
    body.label("entry")
    body.line("br i1 " + body.out("icmp eq i64 %mask, 0") + ", label %end, label %each")
    body.label("each")
    body.line("%rest = phi i64 [ %mask, %entry ], [ %others, %each ]")
    lane = body.out("call i64 @llvm.cttz.i64(i64 %rest, i1 true)")
    body.line("%others = and i64 %rest, " + body.out("add i64 %rest, -1"))
    place, start, count = (body.out(f"load i8, ptr {body.address_at(name, lane)}") for name in VECTORS)
    into = body.address_at(body.address_at("%to", body.out(f"mul i64 {lane}, %stride")), _wide(body, place))
    row = body.address_at("%from", body.out(f"mul i64 {lane}, %other"))
    source = body.address_at(row, _wide(body, start))
    if turns and packs:
        found = body.out(f"load {STRETCHES}, ptr {row}, align 1")
        places = body.out(f"add {STRETCHES} {_same(body, start)}, {NUMBERS}")
        places = body.out(f"and {STRETCHES} {places}, splat (i8 {turns - 1})")
        found = body.out(f"call {STRETCHES} @{TURN}({STRETCHES} {found}, {STRETCHES} {places})")
        _put(body, found, into, count)
    elif turns:
        left = body.out(f"sub i8 {turns}, {start}")
        first = body.out(f"select i1 {body.out(f'icmp ult i8 {count}, {left}')}, i8 {count}, i8 {left}")
        _put(body, body.out(f"load {STRETCHES}, ptr {source}, align 1"), into, first)
        others = body.out(f"load {STRETCHES}, ptr {row}, align 1")
        _put(body, others, body.address_at(into, _wide(body, first)), body.out(f"sub i8 {count}, {first}"))
    else:
        _put(body, body.out(f"load {STRETCHES}, ptr {source}, align 1"), into, count)
    body.line("br i1 " + body.out("icmp eq i64 %others, 0") + ", label %end, label %each")
    body.label("end")
    given = f"ptr %to, i64 %stride, ptr %from, i64 %other, {', '.join(f'ptr {name}' for name in VECTORS)}, i64 %mask"
    return body.definition(f"void @move{turns}({given}) noinline {ATTRIBUTES}")


TURN = "llvm.x86.avx512.permvar.qi.512"


def _put(body: Body, found: str, into: str, count: str) -> None:
    """Write so many of the bytes of a stretch."""
    mask = body.out(f"icmp ult {STRETCHES} {NUMBERS}, {_same(body, count)}")
    old = body.out(f"load {STRETCHES}, ptr {into}, align 1")
    new = body.out(f"select <{STRETCH} x i1> {mask}, {STRETCHES} {found}, {STRETCHES} {old}")
    body.line(f"store {STRETCHES} {new}, ptr {into}, align 1")


def _same(body: Body, byte: str) -> str:
    one = body.out(f"insertelement {STRETCHES} poison, i8 {byte}, i64 0")
    return body.out(f"shufflevector {STRETCHES} {one}, {STRETCHES} poison, <{STRETCH} x i32> zeroinitializer")


def _wide(body: Body, byte: str) -> str:
    return body.out(f"zext i8 {byte} to i64")
