"""LLVM text of a graph: every operation on vectors with one element for each game, masks on vectors of bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from maumau.kernels.compiler.direct.lines import Body
from maumau.kernels.lanes.graph import Node, UntraceableError, Value, range_of
from maumau.kernels.lanes.widths import CELL_BITS, COUNTED, INDEX_BITS, common_width, exact_width

PLAIN = {name: name for name in ("add", "sub", "mul", "and", "or", "xor")} | {"mod": "urem", "div": "udiv"}
"""The instructions for operations on two numbers."""
MASKS = {"both": "and", "either": "or"}
PERMUTED = 64
"""Numbers of 16 bits in two registers of AVX-512, of which one instruction selects some."""
SMALL_TABLE = 2 * PERMUTED
"""Entries of a table that is looked up in registers, at most; a larger one lies in memory."""


class Emitter(Body):
    """Writes operations. lanes: games in a vector. names: of nodes that are there already, with their bits.

    avx512: whether the code is for the registers and instructions of AVX-512, and 64 lanes.
    """

    def __init__(self, lanes: int, widths: Mapping[Node, int], *, avx512: bool = False) -> None:
        super().__init__()
        self.lanes, self.widths, self.avx512 = lanes, widths, avx512
        self.mask_type = f"<{lanes} x i1>"
        self.declarations: set[str] = set()
        self.names: dict[Node, str] = {}
        self.bits: dict[Node, int] = {}
        self._cast: dict[tuple[Node, int], str] = {}

    def vector(self, bits: int) -> str:
        """The type of a vector of integers."""
        return f"<{self.lanes} x i{bits}>"

    def call(self, result: str, name: str, arguments: str, types: str) -> str:
        """Write a call of an intrinsic function."""
        self.declarations.add(f"declare {result} @{name}({types})")
        return self.out(f"call {result} @{name}({arguments})")

    def name(self, node: Node, text: str, bits: int) -> None:
        """Tell that a node is there already, computed elsewhere."""
        self.names[node], self.bits[node] = text, bits

    def write(self, nodes: Sequence[Node]) -> None:
        """Write all operations, in their order."""
        for node in nodes:
            self._there(node)

    # ------------------------------------------------------------ values

    def constant(self, value: int, bits: int) -> str:
        """A vector of one number."""
        low = value & (1 << bits) - 1
        return f"splat (i{bits} {low - (low >> bits - 1 << bits)})" if low else "zeroinitializer"

    def mask(self, value: Value) -> str:
        """A mask."""
        if not isinstance(value, Node):
            return "splat (i1 true)" if value else "zeroinitializer"
        return self._there(value)

    def number(self, value: Value, bits: int) -> str:
        """A number in a register of so many bits."""
        if not isinstance(value, Node):
            return self.constant(value, bits)
        name, there = self._there(value), self.bits[value]
        if there == bits:
            return name
        if (value, bits) not in self._cast:
            self._cast[value, bits] = self._converted(value, name, there, bits)
        return self._cast[value, bits]

    def _converted(self, value: Node, name: str, there: int, bits: int) -> str:
        if bits < there:
            return self._narrowed(name, there, bits, fits=value.values[0] >= 0 and value.values[1] < 1 << bits)
        assert there >= exact_width(value), value
        kind = "zext" if value.values[0] >= 0 else "sext"
        return self.out(f"{kind} {self.vector(there)} {name} to {self.vector(bits)}")

    def _narrowed(self, name: str, there: int, bits: int, *, fits: bool) -> str:
        """The lower bits of numbers. fits: the upper ones are 0."""
        if there == bits:
            return name
        if self.avx512 and fits and (there, bits) == (32, 8):
            return self._packed(name)
        narrow = self.out(f"trunc {self.vector(there)} {name} to {self.vector(bits)}")
        return self._barrier(narrow, bits) if self.avx512 and there == 64 and bits == 8 else narrow

    def _barrier(self, name: str, bits: int) -> str:
        """The same value, of which LLVM knows nothing: else it compares the wide numbers instead of the narrow ones."""
        return self.out(f'call {self.vector(bits)} asm "", "=v,0"({self.vector(bits)} {name})')

    def _as_mask_register(self, name: str) -> str:
        """The same mask, in one register: else LLVM computes with its four quarters."""
        word = self.out(f"bitcast {self.mask_type} {name} to i64")
        word = self.out(f'call i64 asm "", "=^Yk,0"(i64 {word})')
        return self.out(f"bitcast i64 {word} to {self.mask_type}")

    def _packed(self, name: str) -> str:
        """64 numbers of 32 bits as bytes: two rounds of packing, and one permutation that restores their order."""
        quarters = []
        for part in range(4):
            lanes_at = ", ".join(f"i32 {16 * part + lane}" for lane in range(16))
            quarters.append(self.out(f"shufflevector <64 x i32> {name}, <64 x i32> poison, <16 x i32> <{lanes_at}>"))
        halves = [
            self.call("<32 x i16>", "llvm.x86.avx512.packusdw.512",
                      f"<16 x i32> {quarters[part]}, <16 x i32> {quarters[part + 1]}", "<16 x i32>, <16 x i32>")
            for part in (0, 2)
        ]  # fmt: skip
        packed = self.call("<64 x i8>", "llvm.x86.avx512.packuswb.512",
                           f"<32 x i16> {halves[0]}, <32 x i16> {halves[1]}", "<32 x i16>, <32 x i16>")  # fmt: skip
        words = self.out(f"bitcast <64 x i8> {packed} to <16 x i32>")
        lanes_at = ", ".join(f"i32 {4 * lane + part}" for part in range(4) for lane in range(4))
        words = self.out(f"shufflevector <16 x i32> {words}, <16 x i32> poison, <16 x i32> <{lanes_at}>")
        return self.out(f"bitcast <16 x i32> {words} to <64 x i8>")

    # ------------------------------------------------------------ operations

    def _there(self, node: Node) -> str:
        if node not in self.names:
            self.names[node] = self._mask(node) if node.is_mask else self._number(node)
        return self.names[node]

    def _mask(self, node: Node) -> str:
        kind, args = self.mask_type, node.args
        if node.op in MASKS:
            return self.out(f"{MASKS[node.op]} {kind} {self.mask(args[0])}, {self.mask(args[1])}")
        if node.op == "not":
            return self.out(f"xor {kind} {self.mask(args[0])}, splat (i1 true)")
        if node.op == "select":
            one, other = self.mask(args[1]), self.mask(args[2])
            return self.out(f"select {kind} {self.mask(args[0])}, {kind} {one}, {kind} {other}")
        bits = common_width(*args)
        sign = "" if node.op == "eq" else "u" if min(range_of(arg)[0] for arg in args) >= 0 else "s"
        one, other = (self.number(arg, bits) for arg in args)
        found = self.out(f"icmp {sign}{node.op} {self.vector(bits)} {one}, {other}")
        return self._as_mask_register(found) if self.avx512 and bits == 32 else found

    def _number(self, node: Node) -> str:
        bits = self.bits[node] = self.widths[node]
        vector, op, args = self.vector(bits), node.op, node.args
        if op in PLAIN:
            return self.out(f"{PLAIN[op]} {vector} {self.number(args[0], bits)}, {self.number(args[1], bits)}")
        if op in ("select", "clamp"):
            one, other = self.number(args[1], bits), self.number(args[2], bits)
            return self.out(f"select {self.mask_type} {self.mask(args[0])}, {vector} {one}, {vector} {other}")
        if op == "neg":
            return self.out(f"sub {vector} zeroinitializer, {self.number(args[0], bits)}")
        if op == "inv":
            return self.out(f"xor {vector} {self.number(args[0], bits)}, {self.constant(-1, bits)}")
        special = {"popcount": self._popcount, "length": self._length, "table": self._table, "load": self._load}
        return (special | {"store": self._store, "shl": self._shift, "shr": self._shift})[op](node, bits)

    def _shift(self, node: Node, bits: int) -> str:
        """A shift; one by the width or more, or by a negative number, gives 0, as no machine instruction promises."""
        value, amount = node.args
        vector = self.vector(bits)
        verb = "shl" if node.op == "shl" else "lshr" if range_of(value)[0] >= 0 else "ashr"
        low, high = range_of(amount)
        if low >= 0 and high < bits:
            return self.out(f"{verb} {vector} {self.number(value, bits)}, {self.number(amount, bits)}")
        if verb == "ashr":
            raise UntraceableError("a number that may be negative is shifted to the right by an unknown number of bits")
        given = self.number(amount, bits)
        if self.avx512:
            return self._shifted_by_lane(verb, bits, self.number(value, bits), given)
        shifted = self.out(f"{verb} {vector} {self.number(value, bits)}, {given}")
        fits = self.out(f"icmp ult {vector} {given}, {self.constant(bits, bits)}")
        return self.out(f"select {self.mask_type} {fits}, {vector} {shifted}, {vector} zeroinitializer")

    def _shifted_by_lane(self, verb: str, bits: int, value: str, amount: str) -> str:
        """A shift by the instruction for it, which gives 0 for shifts that are too wide."""
        name = f"llvm.x86.avx512.p{'sll' if verb == 'shl' else 'srl'}v.{ {16: 'w', 32: 'd', 64: 'q'}[bits] }.512"
        count = 512 // bits
        kind, whole = f"<{count} x i{bits}>", self.vector(bits)
        parts = []
        for start in range(0, self.lanes, count):
            lanes_at = ", ".join(f"i32 {start + lane}" for lane in range(count))
            one, other = (
                self.out(f"shufflevector {whole} {given}, {whole} poison, <{count} x i32> <{lanes_at}>")
                for given in (value, amount)
            )
            parts.append(self.call(kind, name, f"{kind} {one}, {kind} {other}", f"{kind}, {kind}"))
        return self.joined(parts, count, bits)

    def joined(self, parts: list[str], size: int, bits: int) -> str:
        """Vectors of `size` numbers as one vector; there are a power of two of them."""
        while len(parts) > 1:
            lanes_at, kind = ", ".join(f"i32 {lane}" for lane in range(2 * size)), f"<{size} x i{bits}>"
            parts = [
                self.out(f"shufflevector {kind} {one}, {kind} {other}, <{2 * size} x i32> <{lanes_at}>")
                for one, other in zip(parts[::2], parts[1::2], strict=True)
            ]
            size *= 2
        return parts[0]

    def _popcount(self, node: Node, bits: int) -> str:
        return self._counted(node, bits, "ctpop")[0]

    def _length(self, node: Node, bits: int) -> str:
        zeros, wide = self._counted(node, bits, "ctlz", ", i1 false")
        return self.out(f"sub {self.vector(bits)} {self.constant(wide, bits)}, {zeros}")

    def _counted(self, node: Node, bits: int, name: str, more: str = "") -> tuple[str, int]:
        """A count of the bits of a number, in so many bits; and those of the number."""
        wide = max(exact_width(node.args[0]), COUNTED[node.op])
        vector = self.vector(wide)
        given, types = f"{vector} {self.number(node.args[0], wide)}{more}", f"{vector}{', i1' if more else ''}"
        found = self.call(vector, f"llvm.{name}.v{self.lanes}i{wide}", given, types)
        return self._narrowed(found, wide, bits, fits=True), wide

    def _table(self, node: Node, bits: int) -> str:
        entries, index = node.args
        if self.avx512 and len(entries) <= SMALL_TABLE and min(entries) >= 0 and max(entries) < 1 << 16:
            return self._looked_up(entries, self.number(index, 16), bits)
        name = f"@table{node.number}"
        content = ", ".join(
            f"i{bits} {entry - (entry >> bits - 1 << bits) if entry >= 0 else entry}" for entry in entries
        )
        self.declarations.add(f"{name} = private unnamed_addr constant [{len(entries)} x i{bits}] [{content}]")
        lanes_at = self.number(index, INDEX_BITS)
        at = self.out(f"getelementptr inbounds i{bits}, ptr {name}, {self.vector(INDEX_BITS)} {lanes_at}")
        return self._gather(at, bits)

    def _looked_up(self, entries: Sequence[int], lanes_at: str, bits: int) -> str:
        """The entries of a small table at some places, in numbers of so many bits."""
        vector, found = self.vector(16), self._permuted(entries[:PERMUTED], lanes_at)
        if len(entries) > PERMUTED:
            first = self.out(f"icmp ult {vector} {lanes_at}, {self.constant(PERMUTED, 16)}")
            others = self._permuted(entries[PERMUTED:], lanes_at)
            found = self.out(f"select {self.mask_type} {first}, {vector} {found}, {vector} {others}")
        if bits > 16:
            return self.out(f"zext {vector} {found} to {self.vector(bits)}")
        return self._narrowed(found, 16, bits, fits=True)

    def _permuted(self, entries: Sequence[int], lanes_at: str) -> str:
        """The entries at some places modulo PERMUTED."""
        numbers = [entry - (entry >> 15 << 16) for entry in [*entries, *[0] * (PERMUTED - len(entries))]]
        half = PERMUTED // 2
        kind = f"<{half} x i16>"
        low, high = (", ".join(f"i16 {each}" for each in numbers[start : start + half]) for start in (0, half))
        parts = []
        for start in range(0, self.lanes, half):
            lanes = ", ".join(f"i32 {start + lane}" for lane in range(half))
            index = f"shufflevector {self.vector(16)} {lanes_at}, {self.vector(16)} poison, <{half} x i32> <{lanes}>"
            given = f"{kind} <{low}>, {kind} {self.out(index)}, {kind} <{high}>"
            parts.append(self.call(kind, "llvm.x86.avx512.vpermi2var.hi.512", given, f"{kind}, {kind}, {kind}"))
        return self.joined(parts, half, 16)

    def _load(self, node: Node, bits: int) -> str:
        return self._narrowed(self._gather(self._address(node), CELL_BITS), CELL_BITS, bits, fits=node.values[0] >= 0)

    def _gather(self, at: str, bits: int) -> str:
        vector, pointers = self.vector(bits), f"<{self.lanes} x ptr>"
        given = f"{pointers} {at}, i32 {bits // 8}, {self.mask_type} splat (i1 true), {vector} poison"
        types = f"{pointers}, i32, {self.mask_type}, {vector}"
        return self.call(vector, f"llvm.masked.gather.v{self.lanes}i{bits}.v{self.lanes}p0", given, types)

    def _store(self, node: Node, bits: int) -> str:
        row, _, _, value, where = node.args
        assert row
        at, vector, pointers = self._address(node), self.vector(CELL_BITS), f"<{self.lanes} x ptr>"
        name = f"llvm.masked.scatter.v{self.lanes}i{CELL_BITS}.v{self.lanes}p0"
        self.declarations.add(f"declare void @{name}({vector}, {pointers}, i32, {self.mask_type})")
        given = f"{vector} {self.number(value, CELL_BITS)}, {pointers} {at}, i32 {CELL_BITS // 8}"
        self.line(f"call void @{name}({given}, {self.mask_type} {self.mask(where)})")
        return "stored"

    def _address(self, node: Node) -> str:
        """The addresses of an element of a row, of which `%row_NAME_lanes` are the numbers of the first ones."""
        row, index = node.args[0], self.number(node.args[2], INDEX_BITS)
        vector = self.vector(INDEX_BITS)
        lane = self.out(f"add {vector} {index}, %row_{row}_lanes")
        return self.out(f"getelementptr inbounds i{CELL_BITS}, ptr %row_{row}, {vector} {lane}")


# ---------------------------------------------------------------- rows of bytes turned, and back

COLUMNS = 16
"""Columns that are turned at a time."""


def columns_of(emitter: Emitter, rows: Sequence[str]) -> list[str]:
    """16 vectors with a byte of each lane, from 16 bytes of each lane."""
    if len(rows) % COLUMNS:
        return [_gathered(emitter, rows, column) for column in range(COLUMNS)]
    return _transposed(emitter, [emitter.joined(list(rows[first::COLUMNS]), COLUMNS, 8) for first in range(COLUMNS)])


def rows_of(emitter: Emitter, columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lanes, in no order, each with its 16 bytes, from 16 vectors with a byte of each lane."""
    if emitter.lanes % COLUMNS:
        for lane in range(emitter.lanes):
            found = (emitter.out(f"extractelement {emitter.vector(8)} {each}, i32 {lane}") for each in columns)
            yield lane, _collected(emitter, list(found))
        return
    for first, vector in enumerate(_transposed(emitter, columns)):
        for start in range(0, emitter.lanes, COLUMNS):
            indices = ", ".join(f"i32 {start + index}" for index in range(COLUMNS))
            kind = emitter.vector(8)
            piece = emitter.out(f"shufflevector {kind} {vector}, {kind} poison, <{COLUMNS} x i32> <{indices}>")
            yield start + first, piece


def _gathered(emitter: Emitter, rows: Sequence[str], column: int) -> str:
    """One byte of each row, for so few lanes that there is nothing to shuffle."""
    bytes_ = [emitter.out(f"extractelement <{COLUMNS} x i8> {row}, i32 {column}") for row in rows]
    return _collected(emitter, bytes_)


def _collected(emitter: Emitter, bytes_: Sequence[str]) -> str:
    kind, found = f"<{len(bytes_)} x i8>", "poison"
    for index, each in enumerate(bytes_):
        found = emitter.out(f"insertelement {kind} {found}, i8 {each}, i32 {index}")
    return found


def _transposed(emitter: Emitter, vectors: Sequence[str]) -> list[str]:
    """16 vectors turned, in each part of 16 bytes for itself: byte k of vector j becomes byte j of vector k.

    Four perfect shuffles of 256 bytes turn a square of 16 times 16.
    """
    found = list(vectors)
    for _ in range(4):
        halves = zip(found[: COLUMNS // 2], found[COLUMNS // 2 :], strict=True)
        found = [_interleaved(emitter, one, other, upper) for one, other in halves for upper in (False, True)]
    return found


def _interleaved(emitter: Emitter, one: str, other: str, upper: bool) -> str:
    """The bytes of the lower or upper halves of all parts of two vectors, in turn."""
    lanes, half = emitter.lanes, COLUMNS // 2
    indices = [
        start + half * upper + index + second * lanes
        for start in range(0, lanes, COLUMNS)
        for index in range(half)
        for second in (0, 1)
    ]
    kind, listed = emitter.vector(8), ", ".join(f"i32 {index}" for index in indices)
    return emitter.out(f"shufflevector {kind} {one}, {kind} {other}, <{lanes} x i32> <{listed}>")
