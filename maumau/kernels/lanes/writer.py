"""Writes the functions of a kernel that come from graphs: deal, pass and results of all lanes at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from maumau.kernels.compiled.results import MEASURED
from maumau.kernels.compiler.direct.lines import ATTRIBUTES, Body
from maumau.kernels.lanes.driver import (
    CALLS,
    COLUMNS,
    ID,
    LINE,
    OWN,
    Key,
    LaneLayout,
    LaneMemory,
    columns_of,
    count_columns,
    rows_of,
    write_endings,
    write_rows,
)
from maumau.kernels.lanes.emit import Emitter
from maumau.kernels.lanes.graph import LaneGraph
from maumau.kernels.lanes.nodes import Operation, Value
from maumau.kernels.lanes.passes import (
    PHASE,
    Counted,
    Deal,
    LaneResults,
    Pass,
    not_whole,
    reached,
    seats_of,
)
from maumau.kernels.lanes.ranges import PASSES, Ranges
from maumau.kernels.lanes.request import Request, UntraceableError
from maumau.kernels.lanes.widths import Planes, widths
from rules.ending import Ending

MAX_CALLS = 1024
"""Calls of a pass function after which a game leaves the lanes: it may go on for ever, or no arc is enabled."""


class Writer:
    """Writes the functions of one kernel."""

    def __init__(self, request: Request, memory: LaneMemory, ranges: Ranges, planar: Collection[str]) -> None:
        """planar: the facts that are kept as planes."""
        self.request, self.memory, self.ranges, self.planar = request, memory, ranges, planar
        self.game, self.lanes = request.game, request.target.lanes
        self.functions: list[str] = []
        self.declarations: set[str] = set()

    def _emitter(
        self, graph: LaneGraph, outputs: Sequence[tuple[Value, int]], roots: Iterable[Value]
    ) -> tuple[Emitter, list[Operation]]:
        """A writer of the operations that some values need, with their bits; and these operations."""
        nodes = reached([*(value for value, _ in outputs), *roots], graph.nodes)
        planes = Planes(self.planar)
        return Emitter(self.request.target, widths(nodes, outputs), planes, self.memory.strides), nodes

    def _end(self, emitter: Emitter, head: str, returned: str = "void") -> None:
        """End a function. Vectors for which there is no register lie on the stack, none of them across two lines of the
        cache.
        """
        self.functions.append(emitter.definition(f"{head} alignstack({self.lanes}) {ATTRIBUTES}", f"ret {returned}"))
        self.declarations |= emitter.declarations

    def _bits(self, mask: str, emitter: Emitter) -> str:
        name = emitter.out(f"bitcast {emitter.mask_type} {mask} to i{self.lanes}")
        return name if self.lanes == 64 else emitter.out(f"zext i{self.lanes} {name} to i64")

    def _vector(self, layout: LaneLayout, key: Key) -> str:
        return f"<{self.lanes} x i{layout.fields[key][0]}>"

    def _load(self, emitter: Emitter, layout: LaneLayout, key: Key, base: str) -> str:
        at = emitter.address_at(base, layout.fields[key][1])
        return emitter.out(f"load {self._vector(layout, key)}, ptr {at}, align {LINE}")

    def _keep(self, emitter: Emitter, layout: LaneLayout, key: Key, value: str, base: str) -> None:
        at = emitter.address_at(base, layout.fields[key][1])
        emitter.line(f"store {self._vector(layout, key)} {value}, ptr {at}, align {LINE}")

    def _count(self, emitter: Emitter, mask: Value, at: Iterable[tuple[str, int]], among: str = "") -> None:
        """Add the number of games in which a mask holds to counters. at: the base and the index of each. among: bits of
        the games that count.
        """
        bits = self._bits(emitter.mask(mask), emitter)
        bits = emitter.out(f"and i64 {bits}, {among}") if among else bits
        ones = emitter.out(f"call i64 @llvm.ctpop.i64(i64 {bits})")
        for base, index in at:
            emitter.increase(base, index, ones)

    def _counters(self, fired: Counted, used: Iterable[tuple[Value, str]] = ()) -> dict[Value, list[tuple[str, int]]]:
        """The counters of each mask that is counted."""
        found: dict[Value, list[tuple[str, int]]] = {}
        if self.request.tally:
            rules = self.game.rule_names
            numbered = [("%fired", self.game.counters.index(counter), mask) for mask, counter in fired]
            numbered += [("%used", rules.index(rule), mask) for mask, rule in used]
            for base, index, mask in numbered:
                if isinstance(mask, Operation) or mask:
                    found.setdefault(mask, []).append((base, index))
        return found

    # ------------------------------------------------------------ the pass

    def passes(self, found: Pass) -> None:
        """The function `passes`: some passes; it writes the masks of games that are over and that leave the lanes."""
        layout = self.memory.state
        facts = [key for key in layout.fields if key[0] not in OWN]
        changed = [key for key in facts if found.after[key[0]] is not found.before[key[0]]]
        violation = found.graph.any_of(mask for mask, _ in found.graph.violations)
        outputs = [(found.after[name], layout.fields[name, plane][0]) for name, plane in changed]
        counters = self._counters(found.fired, found.used)
        emitter, nodes = self._emitter(found.graph, outputs, [*found.graph.stores, violation, *counters])
        emitter.label("entry")
        self._write_addresses(emitter)
        for key in facts:
            self._begin(emitter, found, key, changed)
        emitter.line("br label %loop")
        emitter.label("loop")
        emitter.line("%count = phi i64 [ 0, %entry ], [ %next, %loop ]")
        emitter.line(f"%bad = phi {emitter.mask_type} [ zeroinitializer, %entry ], [ %worse, %loop ]")
        for key in changed:
            name = _name(key)
            emitter.line(
                f"%now_{name} = phi {self._vector(layout, key)} [ %old_{name}, %entry ], [ %new_{name}, %loop ]"
            )
        for node in nodes:
            emitter.write([node])
            if node in counters:
                self._count(emitter, node, counters.pop(node))
        for mask, at in counters.items():
            self._count(emitter, mask, at)
        emitter.line(f"%worse = or {emitter.mask_type} %bad, {emitter.mask(violation)}")
        for key in changed:
            value = emitter.piece(found.after[key[0]], key[1], layout.fields[key][0])
            kind = self._vector(layout, key)
            emitter.line(f"%new_{_name(key)} = bitcast {kind} {value} to {kind}")
        emitter.line("%next = add i64 %count, 1")
        emitter.line(f"%more = icmp ult i64 %next, {PASSES}")
        emitter.line("br i1 %more, label %loop, label %done")
        emitter.label("done")
        for key in changed:
            self._keep(emitter, layout, key, f"%new_{_name(key)}", "%state")
        self._tell(emitter, changed)
        self._end(emitter, "void @passes(ptr %room, ptr %fired, ptr %used)")

    def _begin(self, emitter: Emitter, found: Pass, key: Key, changed: list[Key]) -> None:
        """Load a fact where passes begin."""
        name, layout = _name(key), self.memory.state
        bits, offset = layout.fields[key]
        emitter.line(f"%at_{name} = getelementptr inbounds i8, ptr %state, i64 {offset}")
        emitter.line(f"%old_{name} = load {self._vector(layout, key)}, ptr %at_{name}, align {LINE}")
        before = found.before[key[0]]
        assert isinstance(before, Operation)
        emitter.name(before, key[1], f"%{'now' if key in changed else 'old'}_{name}", bits)

    def _write_addresses(self, emitter: Emitter) -> None:
        """The addresses of rows, and room for an element of each lane's and its place."""
        parts = "state", "places", "cells", *["counts"] * bool(self.memory.moved)
        for name in (*parts, *(f"row {row}" for row in self.memory.rows)):
            at = f"getelementptr inbounds i8, ptr %room, i64 {self.memory.offset[name]}"
            emitter.line(f"%{name.replace(' ', '_')} = {at}")

    def _tell(self, emitter: Emitter, changed: list[Key]) -> None:
        """Write the masks of games that are over, and of those that leave the lanes: beyond a limit, or after too
        long.
        """
        layout = self.memory.state
        bits, kind = layout.fields[PHASE, 0][0], self._vector(layout, (PHASE, 0))
        phase = ("%new_" if (PHASE, 0) in changed else "%old_") + _name((PHASE, 0))
        final = self.game.phase_numbers[self.game.final]
        over = emitter.out(f"icmp eq {kind} {phase}, {emitter.constant(final, bits)}")
        bad = "%worse"
        for key in sorted(key for key in changed if key[0] in self.ranges.limited):
            bits, (low, high) = layout.fields[key][0], self.ranges.entry[key[0]]
            kind = self._vector(layout, key)
            span = emitter.out(f"sub {kind} %new_{_name(key)}, {emitter.constant(low, bits)}")
            far = emitter.out(f"icmp ugt {kind} {span}, {emitter.constant(high - low, bits)}")
            bad = emitter.out(f"or {emitter.mask_type} {bad}, {far}")
        calls, kind = self._load(emitter, layout, (CALLS, 0), "%state"), self._vector(layout, (CALLS, 0))
        more = emitter.out(f"add {kind} {calls}, {emitter.constant(1, OWN[CALLS])}")
        self._keep(emitter, layout, (CALLS, 0), more, "%state")
        late = emitter.out(f"icmp ugt {kind} {more}, {emitter.constant(MAX_CALLS, OWN[CALLS])}")
        bad = emitter.out(f"or {emitter.mask_type} {bad}, {late}")
        for name, mask in (("over", over), ("gone", bad)):
            at = emitter.address_at("%room", self.memory.offset[name])
            emitter.line(f"store i64 {self._bits(mask, emitter)}, ptr {at}")

    # ------------------------------------------------------------ the deal

    def deal(self, deal: Deal, *, given: bool) -> None:
        """The function `deal_given` or `deal_shuffled`: it deals a block, and returns the mask of games that cannot be
        played: decks that are not whole, or shuffles that are left to other code. Games of given decks leave after they
        are dealt.
        """
        memory, layout = self.memory, self.memory.state
        graph = deal.graph
        leaves = graph.any_of(mask for mask, _ in graph.violations)
        refused = not_whole(deal, self.game.full_deck()) if given else leaves
        calls = graph.select(leaves, MAX_CALLS, 0) if given else 0
        facts = [key for key in layout.fields if key[0] not in OWN]
        outputs: list[tuple[Value, int]] = [(deal.facts[key[0]], layout.fields[key][0]) for key in facts]
        byte_outputs: list[tuple[Value, int]] = [(value, 8) for row in deal.rows.values() for value in row]
        counters = self._counters(deal.fired)
        emitter, nodes = self._emitter(graph, outputs + byte_outputs, [refused, calls, *counters])
        if given:
            self._read_decks(emitter, deal)
        self._numbers(emitter, nodes)
        arguments = f"ptr %room,{' ptr %decks,' * given} i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired"
        name = "deal_given" if given else "deal_shuffled"
        emitter.line(f"%fresh = getelementptr inbounds i8, ptr %room, i64 {memory.offset['fresh']}")
        emitter.write([node for node in nodes if node.op != "input"])
        for key in facts:
            self._keep(emitter, layout, key, emitter.piece(deal.facts[key[0]], key[1], layout.fields[key][0]), "%fresh")
        self._keep(emitter, layout, (ID, 0), self._numbered_from(emitter, "%first", OWN[ID]), "%fresh")
        self._keep(emitter, layout, (CALLS, 0), emitter.number(calls, OWN[CALLS]), "%fresh")
        for row, values in deal.rows.items():
            self._keep_rows(emitter, row, values)
        bits = self._bits(emitter.mask(refused), emitter)
        if self.request.tally:
            good = emitter.out(f"xor i64 {bits}, -1")
            among = emitter.out(f"and i64 {self._there(emitter)}, {good}")
            for mask, at in counters.items():
                self._count(emitter, mask, at, among)
        self._end(emitter, f"i64 @{name}({arguments}, i64 %seats)", f"i64 {bits}")

    def _there(self, emitter: Emitter) -> str:
        """The bits of the lanes for which there is a game in the block."""
        left = emitter.out("sub i64 %games, %first")
        some = emitter.out(f"icmp ult i64 {left}, {self.lanes}")
        shifted = emitter.out(f"shl i64 1, {left}")
        lower = emitter.out(f"add i64 {shifted}, -1")
        return emitter.out(f"select i1 {some}, i64 {lower}, i64 {(1 << self.lanes) - 1 if self.lanes < 64 else -1}")

    def _numbers(self, emitter: Emitter, nodes: Sequence[Operation]) -> None:
        """The seed, the numbers of the games of a block, and the seats of each policy, as vectors."""
        inputs = {node.args[0]: node for node in nodes if node.op == "input"}
        if seed := inputs.get("seed"):
            emitter.name(seed, 0, self._same(emitter, "%seed", 64), 64)
        if number := inputs.get("number"):
            first = emitter.out("add i64 %base, %first")
            emitter.name(number, 0, self._numbered_from(emitter, first, 64), 64)
        for place, name in enumerate(seats_of(self.request.policies)):
            if seats := inputs.get(name):
                emitter.name(seats, 0, self._same(emitter, emitter.out(f"lshr i64 %seats, {8 * place}"), 8), 8)

    def _same(self, emitter: Emitter, number: str, bits: int) -> str:
        """A vector of the lower bits of a number of 64 bits."""
        vector, part = emitter.vector(bits), number if bits == 64 else emitter.out(f"trunc i64 {number} to i{bits}")
        one = emitter.out(f"insertelement {vector} poison, i{bits} {part}, i64 0")
        return emitter.out(f"shufflevector {vector} {one}, {vector} poison, <{self.lanes} x i32> zeroinitializer")

    def _numbered_from(self, emitter: Emitter, first: str, bits: int) -> str:
        """The numbers of lanes, from a number of 64 bits on."""
        listed = ", ".join(f"i{bits} {lane}" for lane in range(self.lanes))
        return emitter.out(f"add {emitter.vector(bits)} {self._same(emitter, first, bits)}, <{listed}>")

    def _read_decks(self, emitter: Emitter, deal: Deal) -> None:
        """Read the decks of a block, and turn them: a vector of bytes for each place of the deck."""
        size, lanes = self.game.deck_size, self.lanes
        if size < COLUMNS:
            raise UntraceableError(f"decks of {size} cards; use at least {COLUMNS}")
        emitter.line("%last = add i64 %games, -1")
        rows = []
        for lane in range(lanes):
            number = emitter.out(f"add i64 %first, {lane}")
            number = emitter.out(f"call i64 @llvm.umin.i64(i64 {number}, i64 %last)")
            offset = emitter.out(f"mul i64 {number}, {size}")
            rows.append(emitter.out(f"getelementptr inbounds i8, ptr %decks, i64 {offset}"))
        for start in [*range(0, size - COLUMNS + 1, COLUMNS), *[size - COLUMNS] * (size % COLUMNS > 0)]:
            pieces = []
            for lane in range(lanes):
                at = emitter.out(f"getelementptr inbounds i8, ptr {rows[lane]}, i64 {start}")
                pieces.append(emitter.out(f"load <{COLUMNS} x i8>, ptr {at}, align 1"))
            for column, plane in enumerate(columns_of(emitter, pieces)):
                node = deal.deck[start + column]
                assert isinstance(node, Operation)
                emitter.name(node, 0, plane, 8)

    def _keep_rows(self, emitter: Emitter, row: str, values: list[Value]) -> None:
        """Write the bytes of a row of every lane, one lane after the other."""
        base, stride = self.memory.offset[f"fresh {row}"], self.memory.strides[row]
        for start in range(0, len(values), COLUMNS):
            planes = [emitter.number(value, 8) for value in values[start : start + COLUMNS]]
            for lane, piece in rows_of(emitter, planes):
                at = emitter.address_at("%room", base + lane * stride + start)
                emitter.line(f"store <{COLUMNS} x i8> {piece}, ptr {at}, align 1")

    # ------------------------------------------------------------ the results

    def _outcome(self, outcome: LaneResults, values: Sequence[Value]) -> tuple[Emitter, list[str]]:
        """The emitter of some values of the results, with these as vectors of 32 bits."""
        memory = self.memory
        emitter, nodes = self._emitter(outcome.graph, [(value, 32) for value in values], [])
        emitter.label("entry")
        emitter.line(f"%done = getelementptr inbounds i8, ptr %room, i64 {memory.offset['done']}")
        for node in nodes:
            if node.op == "field":
                for key in (key for key in memory.done.fields if key[0] == node.args[0]):
                    text = self._load(emitter, memory.done, key, "%done")
                    emitter.name(node, key[1], text, memory.done.fields[key][0])
        emitter.write(nodes)
        return emitter, [emitter.number(value, 32) for value in values]

    def keep_results(self, outcome: LaneResults) -> None:
        """The function `keep`: numbers of the games are turned, four at a time, and written to the rows."""
        emitter, values = self._outcome(outcome, [*outcome.results.values(), *outcome.scores])
        vector, scores = emitter.vector(32), len(outcome.scores)
        first, winner, *others = values
        winner = emitter.out(f"and {vector} {winner}, splat (i32 255)")
        parts = [(winner, 8)]
        if "winners" in outcome.results:
            parts.append((others.pop(0), 16))
        for value, bits in parts:
            first = emitter.out(f"or {vector} {first}, {emitter.out(f'shl {vector} {value}, splat (i32 {bits})')}")
        columns = [first, *others]
        write_rows(emitter, self.memory, {"%results": columns[:-scores], "%scores": columns[-scores:]})
        self._end(emitter, "void @keep(ptr %room, i64 %count, ptr %results, ptr %scores)")

    def keep_marks(self, outcome: LaneResults) -> None:
        """The function `keep_marks`: the marks of the games are written to their rows."""
        head = "void @keep_marks(ptr %room, i64 %count, ptr %marks)"
        if not outcome.marks:
            self.functions.append(Body().definition(f"{head} {ATTRIBUTES}"))
            return
        emitter, values = self._outcome(outcome, outcome.marks)
        write_rows(emitter, self.memory, {"%marks": values})
        self._end(emitter, head)

    def count_values(self, outcome: LaneResults) -> None:
        """The function `count`: the words of all values become one more, and endings without a winner are written."""
        head, by_value = "void @count(ptr %room, i64 %count, ptr %endings, ptr %words)", outcome.by_value
        if not by_value.columns:
            self.functions.append(Body().definition(f"{head} {ATTRIBUTES}", "unreachable"))
            return
        emitter, values = self._outcome(outcome, [*outcome.results.values(), *outcome.scores])
        numbered = f"{self._numbered_from(emitter, '0', 32)}, {self._same(emitter, '%count', 32)}"
        emitter.line(f"%there = icmp ult {emitter.vector(32)} {numbered}")
        kind, by_name = emitter.vector(32), dict(zip(outcome.results, values, strict=False))
        for code in map(int, Ending):
            self._add_mask(emitter, code, emitter.out(f"icmp eq {kind} {by_name['ending']}, splat (i32 {code})"))
        for seat in range(by_value.players):
            holds = emitter.out(f"icmp eq {kind} {by_name['winner']}, splat (i32 {seat})")
            if "winners" in by_name:
                bit = emitter.out(f"and {kind} {by_name['winners']}, splat (i32 {1 << seat})")
                shared = emitter.out(f"icmp ne {kind} {bit}, zeroinitializer")
                holds = emitter.out(f"or {emitter.mask_type} {holds}, {shared}")
            self._add_mask(emitter, by_value.wins + seat, holds)
        wide = emitter.vector(64)
        trails = emitter.out(f"zext {kind} {by_name['trail']} to {wide}")
        trails = emitter.out(f"select {emitter.mask_type} %there, {wide} {trails}, {wide} zeroinitializer")
        name = f"llvm.vector.reduce.add.v{self.lanes}i64"
        emitter.increase("%words", by_value.trails, emitter.call("i64", name, f"{wide} {trails}", wide))
        columns = [*(by_name[name] for name in MEASURED), *values[len(by_name) :]]
        count_columns(emitter, self.memory, columns, by_value)
        unwon = emitter.out(f"icmp ne {kind} {by_name['ending']}, splat (i32 {int(Ending.WON)})")
        unwon = self._bits(emitter.out(f"and {emitter.mask_type} {unwon}, %there"), emitter)
        write_endings(emitter, self.memory, unwon, by_name["ending"])
        self._end(emitter, head)

    def _add_mask(self, emitter: Emitter, index: int, mask: str) -> None:
        both = emitter.out(f"and {emitter.mask_type} {mask}, %there")
        ones = emitter.out(f"call i64 @llvm.ctpop.i64(i64 {self._bits(both, emitter)})")
        emitter.increase("%words", index, ones)


def _name(key: Key) -> str:
    return f"{key[0]}.{key[1]}"
