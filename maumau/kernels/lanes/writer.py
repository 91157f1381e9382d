"""Writes the functions of a kernel that come from graphs: deal, pass and results of all lanes at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.declaration.functions import rule_names
from maumau.kernels.compiler.direct.lines import Body
from maumau.kernels.lanes.driver import ATTRIBUTES, INLINED, LaneLayout, Memory, element
from maumau.kernels.lanes.emit import COLUMNS, Emitter, columns_of, rows_of
from maumau.kernels.lanes.graph import Graph, Node, UntraceableError, Value
from maumau.kernels.lanes.passes import (
    NUMBERS,
    PHASE,
    Counted,
    Deal,
    Outcome,
    Pass,
    deck_codes,
    not_whole,
    reached,
)
from maumau.kernels.lanes.ranges import PASSES, Ranges
from maumau.kernels.lanes.request import Request
from maumau.kernels.lanes.widths import INDEX_BITS, widths
from rules.ending import Ending

MAX_CALLS = 1024
"""Calls of a pass function after which a game leaves the lanes: it may go on for ever, or no arc is enabled."""
SUMS = ("turns", "laid", "taken", "reshuffles", "reshuffled", "longest")


class Writer:
    """Writes the functions of one kernel. operations: of a pass."""

    def __init__(self, request: Request, memory: Memory, ranges: Ranges) -> None:
        self.request, self.memory, self.ranges = request, memory, ranges
        self.game, self.lanes = request.game, request.lanes
        self.functions: list[str] = []
        self.declarations: set[str] = set()
        self.operations = 0

    def _emitter(
        self, graph: Graph, outputs: Sequence[tuple[Value, int]], roots: Iterable[Value]
    ) -> tuple[Emitter, list[Node]]:
        """A writer of the operations that some values need, with their bits; and these operations."""
        nodes = reached([*(value for value, _ in outputs), *roots], graph.nodes)
        avx512 = self.request.wide == 512 and self.lanes == 64
        return Emitter(self.lanes, widths(nodes, outputs), avx512=avx512), nodes

    def _end(self, emitter: Emitter, head: str, returned: str = "void", attributes: str = ATTRIBUTES) -> None:
        self.functions.append(emitter.definition(f"{head} {attributes}", f"ret {returned}"))
        self.declarations |= emitter.declarations

    def _bits(self, mask: str, emitter: Emitter) -> str:
        name = emitter.out(f"bitcast {emitter.mask_type} {mask} to i{self.lanes}")
        return name if self.lanes == 64 else emitter.out(f"zext i{self.lanes} {name} to i64")

    def _load(self, emitter: Emitter, layout: LaneLayout, name: str, base: str) -> str:
        at = emitter.address_at(base, layout.fields[name][1])
        return emitter.out(f"load {layout.vector(name)}, ptr {at}, align {self.memory.line}")

    def _keep(self, emitter: Emitter, layout: LaneLayout, name: str, value: str, base: str) -> None:
        at = emitter.address_at(base, layout.fields[name][1])
        emitter.line(f"store {layout.vector(name)} {value}, ptr {at}, align {self.memory.line}")

    def _count(self, emitter: Emitter, counted: Iterable[tuple[int, Value]], base: str, among: str = "") -> None:
        """Add the number of games in which masks hold to counters. among: bits of the games that count."""
        emitter.declarations.add("declare i64 @llvm.ctpop.i64(i64)")
        masks: dict[int, list[Value]] = {}
        for index, mask in counted:
            if isinstance(mask, Node) or mask:
                masks.setdefault(index, []).append(mask)
        for index, each in masks.items():
            total = "0"
            for mask in each:
                bits = self._bits(emitter.mask(mask), emitter)
                bits = emitter.out(f"and i64 {bits}, {among}") if among else bits
                ones = emitter.out(f"call i64 @llvm.ctpop.i64(i64 {bits})")
                total = emitter.out(f"add i64 {total}, {ones}")
            emitter.increase(base, index, total)

    def _numbered(self, fired: Counted) -> Iterator[tuple[int, Value]]:
        for counter, mask in fired if self.request.tally else ():
            yield self.game.counters.index(counter), mask

    # ------------------------------------------------------------ the pass

    def passes(self, found: Pass) -> None:
        """The function `passes`: some passes; it writes the masks of games that are over and that leave the lanes."""
        layout = self.memory.state
        changed = [name for name in layout.fields if found.after[name] is not found.before[name]]
        violation: Value = False
        for mask, _ in found.graph.violations:
            violation = found.graph.either(violation, mask)
        outputs = [(found.after[name], layout.fields[name][0]) for name in changed]
        counted = [mask for _, mask in found.fired + found.used] if self.request.tally else []
        emitter, nodes = self._emitter(found.graph, outputs, [*found.graph.stores, violation, *counted])
        self.operations = len(nodes)
        emitter.label("entry")
        self._write_addresses(emitter)
        for name in layout.fields:
            self._begin(emitter, found, name, changed)
        emitter.line("br label %loop")
        emitter.label("loop")
        emitter.line("%count = phi i64 [ 0, %entry ], [ %next, %loop ]")
        emitter.line(f"%bad = phi {emitter.mask_type} [ zeroinitializer, %entry ], [ %worse, %loop ]")
        for name in changed:
            emitter.line(f"%now_{name} = phi {layout.vector(name)} [ %old_{name}, %entry ], [ %new_{name}, %loop ]")
        emitter.write(nodes)
        emitter.line(f"%worse = or {emitter.mask_type} %bad, {emitter.mask(violation)}")
        if self.request.tally:
            self._count(emitter, self._numbered(found.fired), "%fired")
            rules = rule_names(self.game)
            self._count(emitter, ((rules.index(rule), mask) for rule, mask in found.used), "%used")
        for name in changed:
            value, kind = emitter.number(found.after[name], layout.fields[name][0]), layout.vector(name)
            emitter.line(f"%new_{name} = bitcast {kind} {value} to {kind}")
        emitter.line("%next = add i64 %count, 1")
        emitter.line(f"%more = icmp ult i64 %next, {PASSES}")
        emitter.line("br i1 %more, label %loop, label %done")
        emitter.label("done")
        for name in changed:
            self._keep(emitter, layout, name, f"%new_{name}", "%state")
        self._tell(emitter, changed)
        self._end(emitter, "void @passes(ptr %room, ptr %fired, ptr %used)")

    def _begin(self, emitter: Emitter, found: Pass, name: str, changed: list[str]) -> None:
        """Load a fact where passes begin."""
        layout = self.memory.state
        bits, offset = layout.fields[name]
        emitter.line(f"%at_{name} = getelementptr inbounds i8, ptr %state, i64 {offset}")
        emitter.line(f"%old_{name} = load {layout.vector(name)}, ptr %at_{name}, align {self.memory.line}")
        before = found.before[name]
        assert isinstance(before, Node)
        emitter.name(before, f"%{'now' if name in changed else 'old'}_{name}", bits)

    def _write_addresses(self, emitter: Emitter) -> None:
        """The addresses of rows, and the number of the first element of each lane's."""
        memory = self.memory
        emitter.line(f"%state = getelementptr inbounds i8, ptr %room, i64 {memory.offset['state']}")
        for name, length in memory.rows.items():
            starts = ", ".join(f"i{INDEX_BITS} {lane * length}" for lane in range(self.lanes))
            vector = emitter.vector(INDEX_BITS)
            emitter.line(f"%row_{name} = getelementptr inbounds i8, ptr %room, i64 {memory.offset[f'row {name}']}")
            emitter.line(f"%row_{name}_lanes = add {vector} zeroinitializer, <{starts}>")

    def _tell(self, emitter: Emitter, changed: list[str]) -> None:
        """Write the masks of games that are over, and of those that leave the lanes: beyond a limit, or after too
        long.
        """
        layout, offset = self.memory.state, self.memory.offset
        phase, kind = ("%new_" if PHASE in changed else "%old_") + PHASE, layout.vector(PHASE)
        final = list(self.game.phases).index(self.game.final)
        over = emitter.out(f"icmp eq {kind} {phase}, {emitter.constant(final, layout.fields[PHASE][0])}")
        bad = "%worse"
        for name in sorted(self.ranges.limited & set(changed)):
            bits, (low, high) = layout.fields[name][0], self.ranges.entry[name]
            span = emitter.out(f"sub {layout.vector(name)} %new_{name}, {emitter.constant(low, bits)}")
            far = emitter.out(f"icmp ugt {layout.vector(name)} {span}, {emitter.constant(high - low, bits)}")
            bad = emitter.out(f"or {emitter.mask_type} {bad}, {far}")
        at = emitter.address_at("%room", offset["calls"])
        vector = emitter.vector(16)
        calls = emitter.out(f"load {vector}, ptr {at}, align {self.memory.line}")
        more = emitter.out(f"add {vector} {calls}, splat (i16 1)")
        emitter.line(f"store {vector} {more}, ptr {at}, align {self.memory.line}")
        late = emitter.out(f"icmp ugt {vector} {more}, splat (i16 {MAX_CALLS})")
        bad = emitter.out(f"or {emitter.mask_type} {bad}, {late}")
        for name, mask in (("over", over), ("gone", bad)):
            at = emitter.address_at("%room", offset[name])
            emitter.line(f"store i64 {self._bits(mask, emitter)}, ptr {at}")

    # ------------------------------------------------------------ the deal

    def deal(self, deal: Deal, *, given: bool) -> None:
        """The function `deal_given` or `deal_shuffled`: it deals a block, and returns the mask of games that cannot be
        played: decks that are not whole, or shuffles that are left to other code.
        """
        memory, layout = self.memory, self.memory.state
        graph = deal.graph
        refused: Value = False
        for mask, _ in graph.violations:
            refused = graph.either(refused, mask)
        if given:
            refused = graph.either(refused, not_whole(deal, deck_codes(self.game)))
        outputs: list[tuple[Value, int]] = [(deal.facts[name], layout.fields[name][0]) for name in layout.fields]
        byte_outputs: list[tuple[Value, int]] = [(value, 8) for row in deal.rows.values() for value in row]
        counted = [mask for _, mask in deal.fired] if self.request.tally else []
        emitter, nodes = self._emitter(graph, outputs + byte_outputs, [refused, *counted])
        if given:
            self._read_decks(emitter, deal)
        self._numbers(emitter, nodes)
        arguments = f"ptr %room,{' ptr %decks,' * given} i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired"
        name = "deal_given" if given else "deal_shuffled"
        emitter.line(f"%fresh = getelementptr inbounds i8, ptr %room, i64 {memory.offset['fresh']}")
        emitter.write([node for node in nodes if node.op != "input"])
        for fact in layout.fields:
            value = emitter.number(deal.facts[fact], layout.fields[fact][0])
            self._keep(emitter, layout, fact, value, "%fresh")
        for row, values in deal.rows.items():
            self._keep_rows(emitter, row, values)
        bits = self._bits(emitter.mask(refused), emitter)
        if self.request.tally:
            good = emitter.out(f"xor i64 {bits}, -1")
            among = emitter.out(f"and i64 {self._there(emitter)}, {good}")
            self._count(emitter, self._numbered(deal.fired), "%fired", among)
        self._end(emitter, f"i64 @{name}({arguments})", f"i64 {bits}")

    def _there(self, emitter: Emitter) -> str:
        """The bits of the lanes for which there is a game in the block."""
        left = emitter.out("sub i64 %games, %first")
        some = emitter.out(f"icmp ult i64 {left}, {self.lanes}")
        shifted = emitter.out(f"shl i64 1, {left}")
        lower = emitter.out(f"add i64 {shifted}, -1")
        return emitter.out(f"select i1 {some}, i64 {lower}, i64 {(1 << self.lanes) - 1 if self.lanes < 64 else -1}")

    def _numbers(self, emitter: Emitter, nodes: Sequence[Node]) -> None:
        """The seed, and the numbers of the games of a block, as vectors."""
        vector, lanes = emitter.vector(64), self.lanes
        inputs = [node for node in nodes if node.op == "input" and node.args[0] in NUMBERS]
        if not inputs:
            return
        emitter.line("%number = add i64 %base, %first")
        names = {}
        for name in NUMBERS:
            one = emitter.out(f"insertelement {vector} poison, i64 %{name}, i64 0")
            names[name] = emitter.out(f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer")
        fields = ", ".join(f"i64 {lane}" for lane in range(lanes))
        names["number"] = emitter.out(f"add {vector} {names['number']}, <{fields}>")
        for node in inputs:
            emitter.name(node, names[node.args[0]], 64)

    def _read_decks(self, emitter: Emitter, deal: Deal) -> None:
        """Read the decks of a block, and turn them: a vector of bytes for each place of the deck."""
        size, lanes = self.game.deck_size, self.lanes
        if size < COLUMNS:
            raise UntraceableError(f"decks of {size} cards, expected at least {COLUMNS}")
        emitter.line("%last = add i64 %games, -1")
        emitter.declarations.add("declare i64 @llvm.umin.i64(i64, i64)")
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
                assert isinstance(node, Node)
                emitter.name(node, plane, 8)

    def _keep_rows(self, emitter: Emitter, row: str, values: list[Value]) -> None:
        """Write the bytes of a row of every lane, one lane after the other."""
        base, length = self.memory.offset[f"fresh {row}"], len(values)
        for start in range(0, length, COLUMNS):
            planes = [emitter.number(value, 8) for value in values[start : start + COLUMNS]]
            for lane, piece in rows_of(emitter, planes):
                at = emitter.address_at("%room", base + lane * length + start)
                emitter.line(f"store <{COLUMNS} x i8> {piece}, ptr {at}, align 1")

    # ------------------------------------------------------------ the results

    def outcome(self, outcome: Outcome) -> None:
        """The functions `compute_results`, `keep_result` and `add_up`, for games that are over."""
        self._compute_results(outcome)
        self._keep_result(scores=len(outcome.scores))
        self._add_up(outcome)

    def _outcome(self, outcome: Outcome) -> tuple[Emitter, list[str]]:
        """The emitter of the results, with the results and the scores as vectors of 32 bits."""
        memory = self.memory
        values = [*outcome.results.values(), *outcome.scores]
        emitter, nodes = self._emitter(outcome.graph, [(value, 32) for value in values], [])
        emitter.line(f"%done = getelementptr inbounds i8, ptr %room, i64 {memory.offset['done']}")
        for node in nodes:
            if node.op == "field":
                name = node.args[0]
                emitter.name(node, self._load(emitter, memory.done, name, "%done"), memory.done.fields[name][0])
        emitter.write([node for node in nodes if node.op != "field"])
        return emitter, [emitter.number(value, 32) for value in values]

    def _compute_results(self, outcome: Outcome) -> None:
        """`compute_results`: the columns of the results are written one after the other."""
        emitter, values = self._outcome(outcome)
        vector = emitter.vector(32)
        ending, winner, *others = values
        winner = emitter.out(f"and {vector} {winner}, splat (i32 255)")
        winner = emitter.out(f"shl {vector} {winner}, splat (i32 8)")
        for index, column in enumerate([emitter.out(f"or {vector} {ending}, {winner}"), *others]):
            at = emitter.address_at("%room", self._column_at(index))
            emitter.line(f"store {vector} {column}, ptr {at}, align {self.memory.line}")
        self._end(emitter, "void @compute_results(ptr %room)", attributes=INLINED)

    def _column_at(self, index: int) -> int:
        return self.memory.offset["columns"] + 4 * self.lanes * index

    def _keep_result(self, *, scores: int) -> None:
        """`keep_result`: the numbers of a place are copied from their columns to the rows of its game."""
        body, columns = Body(), (self._column_at(index) for index in range(self.memory.columns))
        for row, width in (("results", self.memory.columns - scores), ("scores", scores)):
            start = body.out(f"getelementptr i32, ptr %{row}, i64 {body.out(f'mul i64 %id, {width}')}")
            for word in range(width):
                value = body.out(f"load i32, ptr {element(body, next(columns), 32, '%place')}")
                body.line(f"store i32 {value}, ptr {body.out(f'getelementptr i32, ptr {start}, i64 {word}')}")
        given = "ptr %room, i64 %place, i64 %id, ptr %results, ptr %scores"
        self.functions.append(body.definition(f"void @keep_result({given}) {INLINED}"))

    def _add_up(self, outcome: Outcome) -> None:
        emitter, values = self._outcome(outcome)
        self._write_there(emitter)
        vector, names = emitter.vector(32), list(outcome.results)
        by_name = dict(zip(names, values, strict=False))
        scores = values[len(names) :]
        players = len(scores)
        masks = [(int(code), "ending", int(code)) for code in Ending]
        masks += [(len(Ending) + seat, "winner", seat) for seat in range(players)]
        for to, name, outputs in masks:
            holds = emitter.out(f"icmp eq {vector} {by_name[name]}, splat (i32 {outputs})")
            self._add_mask(emitter, to, holds)
        index = len(Ending) + players
        for column in [*scores, *(by_name[name] for name in SUMS[:4])]:
            here = emitter.out(f"select {emitter.mask_type} %there, {vector} {column}, {vector} zeroinitializer")
            total = self._reduced(emitter, "add", here)
            emitter.increase("%sums", index, emitter.out(f"sext i32 {total} to i64"))
            index += 1
        some = emitter.out(f"icmp sgt {vector} {by_name['reshuffles']}, zeroinitializer")
        self._add_mask(emitter, index, some)
        here = emitter.out(f"select {emitter.mask_type} %there, {vector} {by_name['turns']}, {vector} zeroinitializer")
        longest = emitter.out(f"sext i32 {self._reduced(emitter, 'smax', here)} to i64")
        at = emitter.address_at("%sums", index + 1, 64)
        old = emitter.out(f"load i64, ptr {at}")
        new = emitter.call("i64", "llvm.smax.i64", f"i64 {old}, i64 {longest}", "i64, i64")
        emitter.line(f"store i64 {new}, ptr {at}")
        self._end(emitter, "void @add_up(ptr %room, i32 %count, ptr %sums)")

    def _write_there(self, emitter: Emitter) -> None:
        """The mask of the first %count places."""
        vector, places = emitter.vector(32), ", ".join(f"i32 {place}" for place in range(self.lanes))
        one = emitter.out(f"insertelement {vector} poison, i32 %count, i64 0")
        count = emitter.out(f"shufflevector {vector} {one}, {vector} poison, <{self.lanes} x i32> zeroinitializer")
        emitter.line(f"%there = icmp ult {vector} <{places}>, {count}")

    def _add_mask(self, emitter: Emitter, index: int, mask: str) -> None:
        both = emitter.out(f"and {emitter.mask_type} {mask}, %there")
        emitter.increase(
            "%sums", index, emitter.call("i64", "llvm.ctpop.i64", f"i64 {self._bits(both, emitter)}", "i64")
        )

    def _reduced(self, emitter: Emitter, verb: str, value: str) -> str:
        vector = emitter.vector(32)
        return emitter.call("i32", f"llvm.vector.reduce.{verb}.v{self.lanes}i32", f"{vector} {value}", vector)
