"""The range of every fact of a game, found and then proved by interval arithmetic, and the width of every operation.

A range is proved if it holds the fact after the deal and, whenever all facts are in their ranges, again after a pass.
Nothing is assumed. Facts that may grow without an end, as the number of turns, are limited: their value is compared
with the limit after every few passes, and a game that is beyond it leaves the lanes. It is proved that they cannot
leave their registers before.

An operation is as narrow as its range and its users allow. A number is exact in a register that holds its range. Sums,
products and bitwise operations may be computed modulo a power of two if nobody needs the upper bits; comparisons,
shifts to the right, counts of bits and indices need exact numbers.

Some numbers are kept as planes: a vector of bytes for each byte of the number, so that hands and small facts have the
same width, and nothing is converted between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from fsm.declaration.declaration import Declaration
from maumau.kernels.lanes.firing import Schedule
from maumau.kernels.lanes.graph import FOLDED, Node, Row, Value, range_of, select_range
from maumau.kernels.lanes.intervals import BINARY, UNARY, Range, hull, narrower, width_of, within
from maumau.kernels.lanes.passes import PHASE, Deal, Pass, Policies, traced_pass
from maumau.kernels.lanes.request import TABLE, UntraceableError
from rules.ending import Ending

PASSES = 4
"""Passes between two comparisons with the limits."""
LIMITS = {255: 20, 4095: 64}
"""The greatest values of limited facts, with how far they may grow in that many passes. One that grows too fast for the
limit that fits a byte has the other.
"""
BYTE: Range = (0, 255)
BEYOND = 4 * max(LIMITS)
"""A fact that grows beyond this at once is a mask or a hash and has no limit."""
PATIENCE = 8
"""Times that such a fact may grow."""
MAX_ROUNDS = 40


class RangeError(UntraceableError):
    """A range does not hold all values that a fact may have."""


@dataclass(frozen=True)
class Ranges:
    """facts: by name, in all passes. rows: of the elements of rows in memory. limited: those compared at run time."""

    facts: Mapping[str, Range]
    rows: Mapping[str, Range]
    limited: frozenset[str]

    @property
    def entry(self) -> dict[str, Range]:
        """The ranges in which the facts are when passes begin."""
        return {name: _within_limit(values) if name in self.limited else values for name, values in self.facts.items()}


def _within_limit(values: Range) -> Range:
    low, high = values
    return low + LIMITS.get(-low, 0), high - LIMITS.get(high, 0)


def ranges_of(
    game: Declaration, players: int, policies: Policies, schedule: Schedule, deal: Deal, longest: int
) -> tuple[Ranges, Pass]:
    """The ranges of all facts, proved, and the pass that was traced with them. longest: turns of long games.

    Raises UntraceableError.
    """
    facts = {name: range_of(value) for name, value in deal.facts.items()}
    facts[PHASE] = (0, len(game.phases) - 1)
    rows = {name: reduce(hull, map(range_of, row)) for name, row in deal.rows.items()}
    steps = thresholds(game, players, longest)
    grown = dict.fromkeys(facts, 0)
    for _ in range(MAX_ROUNDS):
        traced = traced_pass(game, policies, schedule, facts, rows, tally=False)
        wider = {name: _wider(steps, facts[name], range_of(value), grown[name]) for name, value in traced.after.items()}
        more = {name: _row_after(traced, row) for name, row in traced.rows.items()}
        if wider == facts and more == rows:
            limited = frozenset(
                name for name, value in traced.after.items() if not within(range_of(value), facts[name])
            )
            found = Ranges(facts, rows, limited)
            prove(found, deal, traced)
            return found, traced
        grown = {name: count + (wider[name] != facts[name]) for name, count in grown.items()}
        facts, rows = wider, more
    raise UntraceableError("no ranges were found that hold all facts")


def prove(ranges: Ranges, deal: Deal, traced: Pass) -> None:
    """Raise RangeError unless every fact is in its range after the deal and after each pass until the next comparison.

    The ranges are computed once more, from those that hold when passes begin.
    """
    entry = ranges.entry
    claims = [(name, range_of(value), entry[name]) for name, value in deal.facts.items()]
    claims += [(name, range_of(value), ranges.rows[name]) for name, row in deal.rows.items() for value in row]
    claims += [(name, row.values, ranges.rows[name]) for name, row in traced.rows.items()]
    now = entry
    for _ in range(PASSES):
        found = ranges_under(traced.graph.nodes, now)
        now = {name: found[x] if isinstance(x, Node) else range_of(x) for name, x in traced.after.items()}
        claims += [(name, values, ranges.facts[name]) for name, values in now.items()]
    claims += [(name, now[name], entry[name]) for name in now.keys() - ranges.limited]
    for name, (low, high), proved in claims:
        if not within((low, high), proved):
            raise RangeError(f"{name} may be from {low} to {high}, its range is {proved[0]} to {proved[1]}")


def ranges_under(nodes: Iterable[Node], fields: Mapping[str, Range]) -> dict[Node, Range]:
    """The ranges of all nodes if the fields have these ranges, which must be in those that the graph was built for."""
    found: dict[Node, Range] = {}

    def of(value: Value) -> Range:
        return found[value] if isinstance(value, Node) else (int(value), int(value))

    for node in nodes:
        found[node] = narrower(_range(node, fields, of), node.values)
    return found


def _range(node: Node, fields: Mapping[str, Range], of: Callable[[Value], Range]) -> Range:
    if node.is_mask or node.op in ("load", "store", "input", "table"):
        return node.values
    if node.op == "field":
        return fields[node.args[0]]
    if node.op == "select":
        condition, one, other = node.args
        return select_range(condition, one, other, of)
    if node.op == "clamp":
        return narrower(node.values, of(node.args[2]))
    if node.op in UNARY:
        return UNARY[node.op](of(node.args[0]))
    return BINARY[node.op](of(node.args[0]), of(node.args[1]))


def thresholds(game: Declaration, players: int, longest: int) -> list[int]:
    """Values that are tried as the ends of ranges: the greatest codes of the notation, and limits."""
    limits = [limit for limit, slack in LIMITS.items() if longest <= limit - slack or limit == max(LIMITS)]
    notation = game.codec.notation
    ends = {0, 1, players - 1, len(notation.suits) - 1, len(notation.cards) - 1, game.deck_size, len(Ending) - 1}
    return sorted(ends | {-1, *limits, *(-limit for limit in limits)})


def _wider(steps: list[int], old: Range, found: Range, grown: int) -> Range:
    """A range that holds both, its ends moved to the next thresholds; one that keeps growing ends at the limit."""
    low, high = hull(old, found)
    if (low, high) == old:
        return old
    if within((low, high), (-BEYOND, BEYOND)):
        below = old[0] if old[0] - low <= _growth(-old[0]) else steps[max(bisect_right(steps, low) - 1, 0)]
        above = old[1] if high - old[1] <= _growth(old[1]) else steps[min(bisect_left(steps, high), len(steps) - 1)]
        return below, above
    if grown >= PATIENCE:
        raise UntraceableError(f"a fact grows beyond all limits: it may be from {low} to {high}")
    return low, high


def _growth(limit: int) -> int:
    """How far a fact that is limited may grow in a pass."""
    return LIMITS.get(limit, 0) // PASSES


def _row_after(traced: Pass, row: Row) -> Range:
    """The range of a row with what a pass stores in it, as far as a byte holds it: other values are violations."""
    values = row.values
    for value in traced.stored(row.name):
        low, high = range_of(value)
        values = hull(values, (max(low, BYTE[0]), min(high, BYTE[1])))
    return values


ENTRY_BITS = 32
"""Bits of an entry of a table in memory, at least, and of the index of one."""
WIDEST = 64
MODULAR = ("add", "sub", "mul", "and", "or", "xor", "neg", "inv", "select", "clamp")


def exact_width(value: Value) -> int:
    """Bits of the register that holds a number exactly. Raises UntraceableError if none does."""
    if bits := width_of(range_of(value)):
        return bits
    raise UntraceableError(f"a number from {range_of(value)[0]} to {range_of(value)[1]}, which fits no register")


def common_width(*values: Value) -> int:
    """Bits of the register that holds each of some numbers exactly."""
    span = range_of(values[0])
    for value in values[1:]:
        span = hull(span, range_of(value))
    if bits := width_of(span):
        return bits
    raise UntraceableError(f"numbers from {span[0]} to {span[1]} are compared, which fit no register")


def widths(nodes: Sequence[Node], outputs: Iterable[tuple[Value, int]]) -> dict[Node, int]:
    """The bits in which each number of `nodes` is computed. outputs: values that are used outside, and with how many
    bits.
    """
    needed = dict.fromkeys(nodes, 0)

    def need(value: Value, bits: int) -> None:
        if isinstance(value, Node) and not value.is_mask:
            needed[value] = max(needed[value], bits)

    for value, bits in outputs:
        need(value, min(bits, width_of(range_of(value)) or WIDEST))
    found: dict[Node, int] = {}
    for node in reversed(nodes):
        if not node.is_mask:
            found[node] = _width(node, needed[node])
        for value, bits in _arguments(node, found.get(node, 0)):
            need(value, bits)
    return found


def _width(node: Node, needed: int) -> int:
    natural = width_of(node.values) or WIDEST
    bits = max(min(natural, needed or 8), ENTRY_BITS if node.op == "table" else 8)
    if node.op in ("shr", "mod", "div"):
        bits = max(bits, exact_width(node.args[0]))
    if node.op in ("mod", "div", "shl", "shr"):
        bits = max(bits, exact_width(node.args[1]))
    return bits


def _arguments(node: Node, bits: int) -> Iterable[tuple[Value, int]]:
    """What a node is computed from, and with how many bits; of masks nobody asks for them."""
    if node.op in MODULAR and not node.is_mask:
        return [(value, min(bits, width_of(range_of(value)) or WIDEST)) for value in node.args]
    if node.op == "shl":
        return [
            (node.args[0], min(bits, width_of(range_of(node.args[0])) or WIDEST)),
            (node.args[1], exact_width(node.args[1])),
        ]
    if node.op in ("eq", "lt", "gt"):
        common_width(*node.args)
    return [(value, exact_width(value)) for value in node.args if isinstance(value, Node)]


# ---------------------------------------------------------------- numbers kept as planes


PLANES = 8
"""Planes of a number, at most."""
WORD: Range = (0, (1 << 8 * PLANES) - 1)
MOVED = ("shl", "shr")
CHOSEN = ("select", "clamp")
BITWISE = ("and", "or", "xor", *CHOSEN)
SLOW = ("shl", "shr", "mul", "mod", "div", "table", "popcount", "length")
"""Operations on bytes that cost more than to look their result up."""


class Planes:
    """What is known about the numbers of a graph. fields: the names of facts that are kept as planes."""

    def __init__(self, fields: Collection[str] = ()) -> None:
        self.fields = fields
        self._planar: dict[Node, bool] = {}
        self._leaves: dict[Node, Node | None] = {}
        self._columns: dict[tuple[Node, Node], Sequence[int]] = {}

    def planar(self, value: Value) -> bool:
        """Whether a number is computed plane by plane."""
        if not isinstance(value, Node) or value.is_mask:
            return False
        if value not in self._planar:
            self._planar[value] = self._is_planar(value)
        return self._planar[value]

    def _is_planar(self, node: Node) -> bool:
        if node.op == "field":
            return node.args[0] in self.fields
        if node.op == "inv" or (node.op == "and" and lowest_of(node)):
            return self.planar(node.args[0] if node.op == "inv" else lowest_of(node))  # type: ignore[arg-type]
        if not within(node.values, WORD):
            return False
        if node.values[1] > BYTE[1] and self.leaf(node):
            return True
        if node.op in MOVED:
            return self.planar(node.args[0]) and not isinstance(node.args[1], Node) and node.args[1] % 8 == 0
        if node.op not in BITWISE:
            return False
        parts = node.args[1:] if node.op in CHOSEN else node.args
        if not all(self._has_planes(part, negative=node.op == "and") for part in parts):
            return False
        return node.values[1] > BYTE[1] or any(map(self.planar, parts))

    def _has_planes(self, value: Value, negative: bool) -> bool:
        if not isinstance(value, Node):
            return negative or value >= 0
        return self.planar(value) or within(value.values, BYTE)

    # ------------------------------------------------------------ functions of one small number

    def leaf(self, node: Node) -> Node | None:
        """The one number of few values that a number is computed from; None if there are others."""
        found = self._leaf(node)
        return None if found is node else found

    def _leaf(self, node: Node) -> Node | None:
        if node in self._leaves:
            return self._leaves[node]
        found: Node | None = None
        if node.op in FOLDED or node.op == "table":
            leaves = {self._leaf(arg) for arg in node.args if isinstance(arg, Node)}
            divisor = node.args[1] if node.op in ("mod", "div") else None
            found = leaves.pop() if len(leaves) == 1 and not isinstance(divisor, Node) else None
        low, high = node.values
        if found is None and not node.is_mask and high - low < TABLE and width_of(node.values) == 8:
            found = node
        self._leaves[node] = found
        return found

    def small(self, node: Node) -> bool:
        """Whether a number of a byte is looked up, by its leaf, instead of computed."""
        leaf = self.leaf(node)
        return bool(leaf) and (node.op in SLOW or any(isinstance(arg, Node) and arg is not leaf for arg in node.args))

    def column(self, value: Value, leaf: Node) -> Sequence[int]:
        """What a number is for each value of its leaf, in their order."""
        low, high = leaf.values
        if not isinstance(value, Node):
            return [value] * (high - low + 1)
        if value is leaf:
            return range(low, high + 1)
        if (value, leaf) not in self._columns:
            if value.op == "table":
                entries, index = value.args
                places = self.column(index, leaf)
                found = [entries[place] if 0 <= place < len(entries) else 0 for place in places]
            else:
                columns = [self.column(arg, leaf) for arg in value.args]
                found = [int(FOLDED[value.op](*each)) for each in zip(*columns, strict=True)]
            self._columns[value, leaf] = found
        return self._columns[value, leaf]


def lowest_of(node: Node) -> Node | None:
    """x, if a number is x & -x."""
    for one, other in (node.args, node.args[::-1]):
        if isinstance(one, Node) and isinstance(other, Node) and other.op == "neg" and other.args[0] is one:
            return one
    return None


def planar_facts(traced: Pass) -> frozenset[str]:
    """The facts of a pass that are kept as planes: wide ones that are only ever computed plane by plane."""
    wide = {
        name
        for name, value in traced.before.items()
        if isinstance(value, Node) and traced.after[name] is not value
        if within(range_of(value), WORD) and range_of(value)[1] > BYTE[1]
    }
    while True:
        planes = Planes(wide)
        kept = {name for name in wide if _keeps(planes, traced.after[name])}
        if kept == wide:
            return frozenset(wide)
        wide = kept


def _keeps(planes: Planes, value: Value) -> bool:
    return not isinstance(value, Node) or planes.planar(value) or within(value.values, BYTE)
