"""LLVM text of a graph: every operation on vectors with one element for each game, masks on vectors of bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from maumau.kernels.compiled.mixing import LOW_HALF
from maumau.kernels.compiler.objects import gathers
from maumau.kernels.lanes.intervals import BYTE, width_of, within
from maumau.kernels.lanes.nodes import FOLDED, Operation, Value, range_of
from maumau.kernels.lanes.request import TABLE, Target, UntraceableError
from maumau.kernels.lanes.vectors import ROW, TURN, VECTORS, Plane, Vectors, mover
from maumau.kernels.lanes.widths import (
    CHOSEN,
    ENTRY_BITS,
    MOVED,
    PLANES,
    Planes,
    compared_width,
    exact_width,
    lowest_of,
    saturates,
)

PLAIN = {name: name for name in ("add", "sub", "mul", "and", "or", "xor")} | {"mod": "urem", "div": "udiv"}
"""The instructions for operations on two numbers."""
MASKS = {"both": "and", "either": "or"}
PIECE = 16
"""Bytes of a table that is looked up at once, where not the whole of it is."""

HALVES = {"shr": 32, "and": LOW_HALF}
"""The operations, with their constants, that take the upper and the lower word of a product of words."""


def is_upper_word(node: Operation) -> bool:
    """Whether a number is the upper word of a product of two words."""
    if node.op != "shr" or node.args[1] != 32 or not isinstance(node.args[0], Operation) or node.args[0].op != "mul":
        return False
    return all(within(range_of(arg), (0, LOW_HALF)) for arg in node.args[0].args)


class Emitter(Vectors):
    """Writes operations. names: of nodes that are there already, with their bits."""

    def __init__(
        self, target: Target, widths: Mapping[Operation, int], planes: Planes, strides: Mapping[str, int] | None = None
    ) -> None:
        """planes: which numbers are kept so. strides: the bytes from a lane's row to the next lane's, by name."""
        super().__init__(target)
        self.widths, self.planes, self.strides = widths, planes, strides or {}
        self.names: dict[Operation, str] = {}
        self.bits: dict[Operation, int] = {}
        self._planes: dict[Operation, list[Plane]] = {}
        self._cast: dict[tuple[Operation, int], str] = {}
        self._places: dict[tuple[Operation, int], str] = {}
        self._words: dict[Operation, tuple[str, str]] = {}
        self._choices: dict[Operation, list[Operation]] = {}
        for node in widths:
            if node.op == "select":
                self._choices.setdefault(node.args[0], []).append(node)
        self.wide = {node.args[0] for node in widths if is_upper_word(node)}

    def name(self, node: Operation, plane: int, text: str, bits: int) -> None:
        """Tell that a number, or one of its planes, is there already, computed elsewhere."""
        if self.planes.planar(node):
            self._planes.setdefault(node, [0] * PLANES)[plane] = text
        else:
            self.names[node], self.bits[node] = text, bits

    def write(self, nodes: Sequence[Operation]) -> None:
        """Write what concerns memory, in its order. All else is computed where it is first asked for."""
        for node in nodes:
            if node.op in ("load", "store", "move"):
                self._there(node)

    # ------------------------------------------------------------ values

    def mask(self, value: Value) -> str:
        """A mask."""
        if not isinstance(value, Operation):
            return "splat (i1 true)" if value else "zeroinitializer"
        return self._there(value)

    def piece(self, value: Value, plane: int, bits: int) -> str:
        """A number in a register of so many bits, or one of its planes."""
        return self.text(self.bytes_of(value)[plane]) if plane else self.number(value, bits)

    def number(self, value: Value, bits: int) -> str:
        """A number in a register of so many bits."""
        if not isinstance(value, Operation):
            return self.constant(value, bits)
        if (value, bits) not in self._cast:
            self._cast[value, bits] = self._in_register(value, bits)
        return self._cast[value, bits]

    def _in_register(self, value: Operation, bits: int) -> str:
        if self.planes.planar(value):
            return self._joined_planes(self.bytes_of(value), bits)
        name, there = self._there(value), self.bits[value]
        if there == bits:
            return name
        if bits < there:
            if (there, bits) == (32, 8) and self.target.packs and within(value.values, BYTE):
                return self.packed(name)
            narrow = self.out(f"trunc {self.vector(there)} {name} to {self.vector(bits)}")
            if bits == 8 and self.target.register:  # else LLVM compares the wide numbers instead of the narrow ones
                return self.barrier(narrow, self.byte)
            return narrow
        assert there >= exact_width(value), value
        kind = "zext" if value.values[0] >= 0 else "sext"
        return self.out(f"{kind} {self.vector(there)} {name} to {self.vector(bits)}")

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

    def bytes_of(self, value: Value) -> list[Plane]:
        """The planes of a number that is not negative, or only the lower ones matter."""
        if not isinstance(value, Operation):
            return [value >> 8 * place & BYTE[1] for place in range(PLANES)]
        if value not in self._planes:
            self._planes[value] = self._computed(value) if self.planes.planar(value) else self._split(value)
        return self._planes[value]

    def _split(self, value: Operation) -> list[Plane]:
        """The planes of a number that is computed in one register."""
        bits = exact_width(value)
        name, found = self.number(value, bits), list[Plane]()
        for place in range(bits // 8):
            upper = self.out(f"lshr {self.vector(bits)} {name}, {self.constant(8 * place, bits)}") if place else name
            found.append(self.out(f"trunc {self.vector(bits)} {upper} to {self.byte}") if bits > 8 else upper)
        return found + [0] * (PLANES - len(found))

    def _computed(self, node: Operation) -> list[Plane]:
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
            found = [self._choice(where, *pair) for pair in pairs]
            self._choose_more(node)
            return found
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

    def _choose_more(self, node: Operation) -> None:
        """Write the other choices by the same mask, between numbers that are there: registers for masks are few."""
        waiting = self._choices.pop(node.args[0], [])
        for other in waiting:
            there = (
                not isinstance(arg, Operation) or arg in self.names or arg in self._planes for arg in other.args[1:]
            )
            if other is not node and all(there):
                if self.planes.planar(other):
                    self.bytes_of(other)
                else:
                    self._there(other)

    # ------------------------------------------------------------ tables

    def _looked_up(self, column: Sequence[int], leaf: Operation) -> Plane:
        """The lower byte of what a column has for each value of its leaf."""
        entries = {at & BYTE[1]: value & BYTE[1] for at, value in enumerate(column, leaf.values[0])}
        if len(set(entries.values())) == 1:
            return entries[leaf.values[0] & BYTE[1]]
        if self.target.packs:
            places = {at % TABLE: value for at, value in entries.items()}
            return self.in_table([places.get(at, 0) for at in range(TABLE)], self.number(leaf, 8))
        found: Plane = 0
        for start in sorted({at - at % PIECE for at, value in entries.items() if value}):
            part = [entries.get(start + at, 0) for at in range(PIECE)]
            found = self._logic("or", found, self.in_table(part * (self.lanes // PIECE), self._place(leaf, start)))
        return found

    def _place(self, leaf: Operation, start: int) -> str:
        """The places of numbers in a piece of a table; of those that are not in it, places that give 0."""
        if (leaf, start) not in self._places:
            place = self._logic("xor", self.number(leaf, 8), start)
            if self.target.saturates:
                place = self.on_bytes(f"llvm.uadd.sat.v{self.lanes}i8", place, (BYTE[1] + 1) // 2 - PIECE)
            self._places[leaf, start] = self.text(place)
        return self._places[leaf, start]

    # ------------------------------------------------------------ operations

    def _there(self, node: Operation) -> str:
        if node not in self.names:
            self.names[node] = self._mask(node) if node.is_mask else self._number(node)
        return self.names[node]

    def _mask(self, node: Operation) -> str:
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
        bits = compared_width(node)
        sign = "" if node.op == "eq" else "u" if min(range_of(arg)[0] for arg in args) >= 0 else "s"
        one, other = (self._saturated(arg) if saturates(node) else self.number(arg, bits) for arg in args)
        return self.out(f"icmp {sign}{node.op} {self.vector(bits)} {one}, {other}")

    def _saturated(self, value: Value) -> str:
        """A number that is not negative, or the greatest byte if that is less."""
        if not isinstance(value, Operation) or within(value.values, BYTE):
            return self.number(value, 8)
        if value.op in CHOSEN:
            return self.text(self._choice(self.mask(value.args[0]), *map(self._saturated, value.args[1:])))
        return self.on_bytes(f"llvm.uadd.sat.v{self.lanes}i8", *map(self._saturated, value.args))

    def _equal(self, one: Value, other: Value) -> str:
        found: Plane = 0
        for pair in zip(self.bytes_of(one), self.bytes_of(other), strict=True):
            found = self._logic("or", found, self._logic("xor", *pair))
        return self._zero(found)

    def _number(self, node: Operation) -> str:
        bits = self.bits[node] = self.widths[node]
        vector, op, args = self.vector(bits), node.op, node.args
        if width_of(node.values) == 8 and (leaf := self.planes.leaf(node)) and self.planes.small(node):
            self.bits[node] = 8
            return self.text(self._looked_up(self.planes.column(node, leaf), leaf))
        if op in HALVES and node.args[1] == HALVES[op] and node.args[0] in self.wide:
            self.bits[node] = 32
            return self._words_of(node.args[0])[op == "and"]
        if op in PLAIN:
            return self.out(f"{PLAIN[op]} {vector} {self.number(args[0], bits)}, {self.number(args[1], bits)}")
        if op in CHOSEN:
            one, other = self.number(args[1], bits), self.number(args[2], bits)
            found = self.out(f"select {self.mask_type} {self.mask(args[0])}, {vector} {one}, {vector} {other}")
            self._choose_more(node)
            return found
        if op == "neg":
            return self.out(f"sub {vector} zeroinitializer, {self.number(args[0], bits)}")
        if op == "inv":
            return self.out(f"xor {vector} {self.number(args[0], bits)}, {self.constant(-1, bits)}")
        if op in ("popcount", "length"):
            return self._popcount(args[0]) if op == "popcount" else self._length(args[0])
        special = {"table": self._table, "load": self._load, "store": self._store, "move": self._move}
        return (special | dict.fromkeys(MOVED, self._shift))[op](node, bits)

    def _words_of(self, product: Operation) -> tuple[str, str]:
        """The upper and the lower words of products of words."""
        if product not in self._words:
            one, other = (self.number(arg, 32) for arg in product.args)
            self._words[product] = self.words_of_product(one, other)
        return self._words[product]

    def _shift(self, node: Operation, bits: int) -> str:
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

    def _table(self, node: Operation, bits: int) -> str:
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

    def _load(self, node: Operation, bits: int) -> str:
        row, _, index = node.args
        place = f"%row_{row}", self.strides[row], self.number(index, 8)
        if self.target.packs and gathers():
            return self.gathered(*place)
        if self.target.packs and range_of(index)[1] < ROW:
            return self.in_rows(*place)
        self.each_element(*place, stores=False)
        return self.out(f"load {self.byte}, ptr %cells, align {self.lanes}")

    def _store(self, node: Operation, bits: int) -> str:
        """Store elements; those of games in which none is stored go beyond the end of their rows."""
        row, _, index, value, where = node.args
        self.line(f"store {self.byte} {self.number(value, 8)}, ptr %cells, align {self.lanes}")
        place, beyond = self.number(index, 8), self.constant(self.strides[row] - 1, 8)
        place = self.out(f"select {self.mask_type} {self.mask(where)}, {self.byte} {place}, {self.byte} {beyond}")
        self.each_element(f"%row_{row}", self.strides[row], place, stores=True)
        return "stored"

    def _move(self, node: Operation, bits: int) -> str:
        """Move stretches of rows, of one lane after the other in which there is one."""
        row, _, to, source, _, start, count, turns = node.args
        for name, value in zip(VECTORS, (to, start, count), strict=True):
            self.line(f"store {self.byte} {self.number(value, 8)}, ptr {name}, align {self.lanes}")
        moved = self.out(f"icmp ne {self.byte} {self.number(count, 8)}, zeroinitializer")
        mask = self.out(f"bitcast {self.mask_type} {moved} to i{self.lanes}")
        mask = mask if self.lanes == TABLE else self.out(f"zext i{self.lanes} {mask} to i64")
        self.declarations.add(mover(turns, self.target.packs))
        if turns and self.target.packs:
            self.declarations.add(f"declare {self.byte} @{TURN}({self.byte}, {self.byte})")
        rows = f"ptr %row_{row}, i64 {self.strides[row]}, ptr %row_{source}, i64 {self.strides[source]}"
        self.line(f"call void @move{turns}({rows}, {', '.join(f'ptr {name}' for name in VECTORS)}, i64 {mask})")
        return "moved"
