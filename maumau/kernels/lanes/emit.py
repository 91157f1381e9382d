"""LLVM text of a graph: every operation on vectors with one element for each game, masks on vectors of bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from maumau.kernels.compiler.direct.lines import Body
from maumau.kernels.lanes.graph import FOLDED, Node, Value, range_of
from maumau.kernels.lanes.intervals import width_of
from maumau.kernels.lanes.ranges import (
    BYTE,
    CHOSEN,
    ENTRY_BITS,
    MOVED,
    PLANES,
    Planes,
    common_width,
    exact_width,
    lowest_of,
)
from maumau.kernels.lanes.request import TABLE, Target, UntraceableError

PLAIN = {name: name for name in ("add", "sub", "mul", "and", "or", "xor")} | {"mod": "urem", "div": "udiv"}
"""The instructions for operations on two numbers."""
MASKS = {"both": "and", "either": "or"}
PIECE = 16
"""Bytes of a table that is looked up at once, where not the whole of it is."""

Plane = str | int
"""The name of a vector of bytes, or the same byte in all lanes."""


class Emitter(Body):
    """Writes operations. names: of nodes that are there already, with their bits."""

    def __init__(
        self, target: Target, widths: Mapping[Node, int], planes: Planes, strides: Mapping[str, int] | None = None
    ) -> None:
        """planes: which numbers are kept so. strides: the bytes from a lane's row to the next lane's, by name."""
        super().__init__()
        self.target, self.lanes, self.widths, self.planes = target, target.lanes, widths, planes
        self.strides = strides or {}
        self.mask_type = f"<{self.lanes} x i1>"
        self.byte = self.vector(8)
        self.declarations: set[str] = set()
        self.names: dict[Node, str] = {}
        self.bits: dict[Node, int] = {}
        self._planes: dict[Node, list[Plane]] = {}
        self._cast: dict[tuple[Node, int], str] = {}
        self._places: dict[tuple[Node, int], str] = {}

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

    def name(self, node: Node, plane: int, text: str, bits: int) -> None:
        """Tell that a number, or one of its planes, is there already, computed elsewhere."""
        if self.planes.planar(node):
            self._planes.setdefault(node, [0] * PLANES)[plane] = text
        else:
            self.names[node], self.bits[node] = text, bits

    def write(self, nodes: Sequence[Node]) -> None:
        """Write what is not computed when it is asked for: masks and what concerns memory, in their order."""
        for node in nodes:
            if node.is_mask or node.op in ("load", "store"):
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

    def piece(self, value: Value, plane: int, bits: int) -> str:
        """A number in a register of so many bits, or one of its planes."""
        return self.text(self.bytes_of(value)[plane]) if plane else self.number(value, bits)

    def number(self, value: Value, bits: int) -> str:
        """A number in a register of so many bits."""
        if not isinstance(value, Node):
            return self.constant(value, bits)
        if (value, bits) not in self._cast:
            self._cast[value, bits] = self._in_register(value, bits)
        return self._cast[value, bits]

    def _in_register(self, value: Node, bits: int) -> str:
        if self.planes.planar(value):
            return self._joined_planes(self.bytes_of(value), bits)
        name, there = self._there(value), self.bits[value]
        if there == bits:
            return name
        if bits < there:
            narrow = self.out(f"trunc {self.vector(there)} {name} to {self.vector(bits)}")
            return self._barrier(narrow) if bits == 8 and self.target.register else narrow
        assert there >= exact_width(value), value
        kind = "zext" if value.values[0] >= 0 else "sext"
        return self.out(f"{kind} {self.vector(there)} {name} to {self.vector(bits)}")

    def _barrier(self, name: str) -> str:
        """The same bytes, of which LLVM knows nothing: else it compares the wide numbers instead of the narrow ones."""
        return self.out(f'call {self.byte} asm "", "={self.target.register},0"({self.byte} {name})')

    def _joined_planes(self, planes: Sequence[Plane], bits: int) -> str:
        """A number in one register, from its planes."""
        if bits == 8:
            return self.text(planes[0])
        vector, found = self.vector(bits), "zeroinitializer"
        for place, plane in enumerate(planes[: bits // 8]):
            if plane != 0:
                wide = self.out(f"zext {self.byte} {self.text(plane)} to {vector}")
                wide = self.out(f"shl {vector} {wide}, {self.constant(8 * place, bits)}")
                found = self.out(f"or {vector} {found}, {wide}")
        return found

    # ------------------------------------------------------------ planes

    def text(self, plane: Plane) -> str:
        """A plane as LLVM text."""
        return self.constant(plane, 8) if isinstance(plane, int) else plane

    def bytes_of(self, value: Value) -> list[Plane]:
        """The planes of a number that is not negative, or only the lower ones matter."""
        if not isinstance(value, Node):
            return [value >> 8 * place & BYTE[1] for place in range(PLANES)]
        if value not in self._planes:
            self._planes[value] = self._computed(value) if self.planes.planar(value) else self._split(value)
        return self._planes[value]

    def _split(self, value: Node) -> list[Plane]:
        """The planes of a number that is computed in one register."""
        bits = exact_width(value)
        name, found = self.number(value, bits), list[Plane]()
        for place in range(bits // 8):
            upper = self.out(f"lshr {self.vector(bits)} {name}, {self.constant(8 * place, bits)}") if place else name
            found.append(self.out(f"trunc {self.vector(bits)} {upper} to {self.byte}") if bits > 8 else upper)
        return found + [0] * (PLANES - len(found))

    def _computed(self, node: Node) -> list[Plane]:
        if leaf := self.planes.leaf(node):
            column = self.planes.column(node, leaf)
            return [self._looked_up([each >> 8 * place for each in column], leaf) for place in range(PLANES)]
        if node.op == "and" and (one := lowest_of(node)):
            return self._lowest(self.bytes_of(one))
        if node.op == "inv":
            return [self._logic("xor", each, BYTE[1]) for each in self.bytes_of(node.args[0])]
        if node.op in MOVED:
            planes, by = self.bytes_of(node.args[0]), node.args[1] // 8
            zeros: list[Plane] = [0] * by
            return zeros + planes[: PLANES - by] if node.op == "shl" else planes[by:] + zeros
        *condition, one, other = node.args
        pairs = zip(self.bytes_of(one), self.bytes_of(other), strict=True)
        if node.op in CHOSEN:
            where = self.mask(condition[0])
            return [self._choice(where, *pair) for pair in pairs]
        return [self._logic(node.op, *pair) for pair in pairs]

    def _logic(self, op: str, one: Plane, other: Plane) -> Plane:
        """and, or, xor of two planes."""
        if isinstance(one, int):
            one, other = other, one
        if isinstance(one, int) and isinstance(other, int):
            return int(FOLDED[op](one, other))
        if other == 0:
            return 0 if op == "and" else one
        if other == BYTE[1] and op != "xor":
            return one if op == "and" else other
        return self.out(f"{op} {self.byte} {one}, {self.text(other)}")

    def _choice(self, where: str, one: Plane, other: Plane) -> Plane:
        if one == other:
            return one
        first, second = self.text(one), self.text(other)
        return self.out(f"select {self.mask_type} {where}, {self.byte} {first}, {self.byte} {second}")

    def _lowest(self, planes: Sequence[Plane]) -> list[Plane]:
        """The lowest bit alone: that of the first plane that is not 0."""
        found: list[Plane] = []
        before: Plane = 0
        for plane in planes:
            negative = self.out(f"sub {self.byte} zeroinitializer, {self.text(plane)}") if plane else 0
            bit = self._logic("and", plane, negative)
            found.append(self._choice(self._zero(before), bit, 0) if before != 0 else bit)
            before = self._logic("or", before, plane)
        return found

    def _zero(self, plane: Plane) -> str:
        return self.out(f"icmp eq {self.byte} {self.text(plane)}, zeroinitializer")

    # ------------------------------------------------------------ tables

    def _looked_up(self, column: Sequence[int], leaf: Node) -> Plane:
        """The lower byte of what a column has for each value of its leaf."""
        entries = {at & BYTE[1]: value & BYTE[1] for at, value in enumerate(column, leaf.values[0])}
        if len(set(entries.values())) == 1:
            return entries[leaf.values[0] & BYTE[1]]
        if self.target.packs:
            places = {at % TABLE: value for at, value in entries.items()}
            return self._in_table([places.get(at, 0) for at in range(TABLE)], self.number(leaf, 8))
        found: Plane = 0
        for start in sorted({at - at % PIECE for at, value in entries.items() if value}):
            part = [entries.get(start + at, 0) for at in range(PIECE)]
            found = self._logic("or", found, self._in_table(part * (self.lanes // PIECE), self._place(leaf, start)))
        return found

    def _place(self, leaf: Node, start: int) -> str:
        """The places of numbers in a piece of a table; of those that are not in it, places that give 0."""
        if (leaf, start) not in self._places:
            place = self._logic("xor", self.number(leaf, 8), start)
            if self.target.saturates:
                place = self.on_bytes(f"llvm.uadd.sat.v{self.lanes}i8", place, (BYTE[1] + 1) // 2 - PIECE)
            self._places[leaf, start] = self.text(place)
        return self._places[leaf, start]

    def _in_table(self, entries: Sequence[int], places: str) -> str:
        listed = ", ".join(f"i8 {entry - (entry >> 7 << 8)}" for entry in entries)
        return self.on_bytes(self.target.look_up, f"<{listed}>", places)

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
        if node.op == "eq" and any(map(self.planes.planar, args)) and min(range_of(arg)[0] for arg in args) >= 0:
            return self._equal(*args)
        bits = common_width(*args)
        sign = "" if node.op == "eq" else "u" if min(range_of(arg)[0] for arg in args) >= 0 else "s"
        one, other = (self.number(arg, bits) for arg in args)
        return self.out(f"icmp {sign}{node.op} {self.vector(bits)} {one}, {other}")

    def _equal(self, one: Value, other: Value) -> str:
        found: Plane = 0
        for pair in zip(self.bytes_of(one), self.bytes_of(other), strict=True):
            found = self._logic("or", found, self._logic("xor", *pair))
        return self._zero(found)

    def _number(self, node: Node) -> str:
        bits = self.bits[node] = self.widths[node]
        vector, op, args = self.vector(bits), node.op, node.args
        if width_of(node.values) == 8 and (leaf := self.planes.leaf(node)) and self.planes.small(node):
            self.bits[node] = 8
            return self.text(self._looked_up(self.planes.column(node, leaf), leaf))
        if op in PLAIN:
            return self.out(f"{PLAIN[op]} {vector} {self.number(args[0], bits)}, {self.number(args[1], bits)}")
        if op in CHOSEN:
            one, other = self.number(args[1], bits), self.number(args[2], bits)
            return self.out(f"select {self.mask_type} {self.mask(args[0])}, {vector} {one}, {vector} {other}")
        if op == "neg":
            return self.out(f"sub {vector} zeroinitializer, {self.number(args[0], bits)}")
        if op == "inv":
            return self.out(f"xor {vector} {self.number(args[0], bits)}, {self.constant(-1, bits)}")
        if op in ("popcount", "length"):
            return self._popcount(args[0]) if op == "popcount" else self._length(args[0])
        special = {"table": self._table, "load": self._load, "store": self._store}
        return (special | dict.fromkeys(MOVED, self._shift))[op](node, bits)

    def _shift(self, node: Node, bits: int) -> str:
        """A shift; one by the width or more, or by a negative number, gives 0, as no machine instruction promises."""
        value, amount = node.args
        vector = self.vector(bits)
        verb = "shl" if node.op == "shl" else "lshr" if range_of(value)[0] >= 0 else "ashr"
        low, high = range_of(amount)
        given = self.number(amount, bits)
        shifted = self.out(f"{verb} {vector} {self.number(value, bits)}, {given}")
        if low >= 0 and high < bits:
            return shifted
        if verb == "ashr":
            raise UntraceableError("a number that may be negative is shifted to the right by an unknown number of bits")
        fits = self.out(f"icmp ult {vector} {given}, {self.constant(bits, bits)}")
        return self.out(f"select {self.mask_type} {fits}, {vector} {shifted}, {vector} zeroinitializer")

    def _popcount(self, value: Value) -> str:
        total = "zeroinitializer"
        for plane in self.bytes_of(value):
            if plane != 0:
                ones = self.on_bytes(f"llvm.ctpop.v{self.lanes}i8", plane)
                total = self.out(f"add {self.byte} {total}, {ones}")
        return total

    def _length(self, value: Value) -> str:
        """The length of a number: that of its first plane from above that is not 0, and 8 for each plane below it."""
        found: Plane = 0
        below: Plane = 0
        for place, plane in enumerate(self.bytes_of(value)):
            if plane != 0:
                zero = self._zero(plane)
                found, below = self._choice(zero, found, plane), self._choice(zero, below, 8 * place)
        zeros = self.on_bytes(f"llvm.ctlz.v{self.lanes}i8", found, more="i1 false")
        length = self.out(f"sub {self.byte} {self.constant(8, 8)}, {zeros}")
        return self.out(f"add {self.byte} {length}, {self.text(below)}")

    def _table(self, node: Node, bits: int) -> str:
        """An entry of a table that lies in memory."""
        entries, index = node.args
        name = f"@table{node.number}"
        content = ", ".join(
            f"i{bits} {entry - (entry >> bits - 1 << bits) if entry >= 0 else entry}" for entry in entries
        )
        self.declarations.add(f"{name} = private unnamed_addr constant [{len(entries)} x i{bits}] [{content}]")
        lanes_at = self.number(index, ENTRY_BITS)
        at = self.out(f"getelementptr inbounds i{bits}, ptr {name}, {self.vector(ENTRY_BITS)} {lanes_at}")
        vector, pointers = self.vector(bits), f"<{self.lanes} x ptr>"
        given = f"{pointers} {at}, i32 {bits // 8}, {self.mask_type} splat (i1 true), {vector} poison"
        types = f"{pointers}, i32, {self.mask_type}, {vector}"
        return self.call(vector, f"llvm.masked.gather.v{self.lanes}i{bits}.v{self.lanes}p0", given, types)

    # ------------------------------------------------------------ rows in memory

    def _load(self, node: Node, bits: int) -> str:
        row, _, index = node.args
        self._each_element(row, self.number(index, 8), stores=False)
        return self.out(f"load {self.byte}, ptr %cells, align {self.lanes}")

    def _store(self, node: Node, bits: int) -> str:
        """Store elements; those of games in which none is stored go beyond the end of their rows."""
        row, _, index, value, where = node.args
        self.line(f"store {self.byte} {self.number(value, 8)}, ptr %cells, align {self.lanes}")
        place, beyond = self.number(index, 8), self.constant(self.strides[row] - 1, 8)
        place = self.out(f"select {self.mask_type} {self.mask(where)}, {self.byte} {place}, {self.byte} {beyond}")
        self._each_element(row, place, stores=True)
        return "stored"

    def _each_element(self, row: str, places: str, *, stores: bool) -> None:
        """Copy an element of each lane's row to the lane's cell, or from it."""
        self.line(f"store {self.byte} {places}, ptr %places, align {self.lanes}")
        for lane in range(self.lanes):
            place = self.out(f"load i8, ptr {self.address_at('%places', lane)}")
            start = self.address_at(f"%row_{row}", lane * self.strides[row])
            ends = self.address_at(start, self.out(f"zext i8 {place} to i64")), self.address_at("%cells", lane)
            source, target = ends[::-1] if stores else ends
            self.line(f"store i8 {self.out(f'load i8, ptr {source}')}, ptr {target}")

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
