"""The range of every fact of a game, found and then proved by interval arithmetic, and the width of every operation.

A range is proved if it holds the fact after the deal and, whenever all facts are in their ranges, again after a pass.
Nothing is assumed. Facts that may grow without an end, as the number of turns, are limited: their value is compared
with the limit after every few passes, and a game that is beyond it leaves the lanes. It is proved that they cannot
leave their registers before. A fact that may grow faster than that is bounded by what its declaration says
(`Fact.most`), and compared with it after each step.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE
from maumau.kernels.lanes.firing import Schedule
from maumau.kernels.lanes.graph import LaneRow
from maumau.kernels.lanes.intervals import BINARY, BYTE, UNARY, Range, hull, narrower, within
from maumau.kernels.lanes.nodes import Operation, Value, range_of, select_range
from maumau.kernels.lanes.passes import ANY, PHASE, Deal, Pass, pile_fields, traced_pass
from maumau.kernels.lanes.request import UntraceableError
from rules.ending import Ending

PASSES = 4
"""Passes between two comparisons with the limits."""
LIMITS = {255: 20, 4095: 64}
"""The greatest values of limited facts, with how far they may grow in that many passes. One that grows too fast for the
limit that fits a byte has the other.
"""
BEYOND = 4 * max(LIMITS)
"""A fact that grows beyond this at once is a mask or a hash and has no limit."""
PATIENCE = 8
"""Times that such a fact may grow."""
SHORT = 16
"""A declared limit that is compared though the fact grows slowly."""
MAX_ROUNDS = 40


class RangeError(UntraceableError):
    """A range does not hold all values that a fact may have."""


@dataclass(frozen=True)
class Ranges:
    """facts: by name, in all passes. rows: of the elements of rows in memory. limited: those compared at run time with
    a limit. bounds: of those that are compared with a range after each step.
    """

    facts: Mapping[str, Range]
    rows: Mapping[str, Range]
    limited: frozenset[str]
    bounds: Mapping[str, Range]

    @property
    def entry(self) -> dict[str, Range]:
        """The ranges in which the facts are when passes begin."""
        return {
            name: (low + LIMITS.get(-low, 0), high - LIMITS.get(high, 0)) if name in self.limited else (low, high)
            for name, (low, high) in self.facts.items()
        }


def ranges_of(
    game: Declaration,
    players: int,
    policies: tuple[Policy, ...],
    schedule: Schedule,
    deal: Deal,
    longest: int,
    negative: Container[str] = (),
    rounds: int = 0,
) -> tuple[Ranges, Pass]:
    """The ranges of all facts, proved, and the pass that was traced with them. longest: turns of long games. negative:
    facts that are less than 0 in some games. rounds: as of `Request`.

    Raises UntraceableError.
    """
    facts = {name: range_of(value) for name, value in deal.facts.items()}
    facts[PHASE] = (0, len(game.phases) - 1)
    piles = _piles(game)
    rows = {name: reduce(hull, map(range_of, row), piles.get(name, (0, 0))) for name, row in deal.rows.items()}
    steps = thresholds(game, players, longest)
    grown = dict.fromkeys(facts, 0)
    declared = _declared(game, players)
    bounds: dict[str, Range] = {}
    for _ in range(MAX_ROUNDS):
        traced = traced_pass(game, policies, schedule, facts, rows, bounds, tally=False, rounds=rounds)
        found = {name: range_of(value) for name, value in traced.after.items()}
        beyond = {name for name in found.keys() - bounds.keys() if _is_beyond(declared, name, facts[name], found[name])}
        if beyond:
            bounds |= {name: declared[name.partition(".")[0]] for name in beyond}
            facts |= {name: hull(range_of(deal.facts[name]), narrower(bounds[name], facts[name])) for name in beyond}
            continue
        wider = {name: _wider(name, steps, facts[name], values, grown[name]) for name, values in found.items()}
        below = {name for name, (low, _) in wider.items() if -low in LIMITS and name not in negative} - bounds.keys()
        if below:
            bounds |= dict.fromkeys(below, (0, ANY))
            continue
        more = {name: rows[name] if name in piles else _row_after(traced, row) for name, row in traced.rows.items()}
        if wider == facts and more == rows:
            limited = frozenset(name for name, values in found.items() if not within(values, facts[name]))
            proved = Ranges(facts, rows, limited, bounds)
            prove(proved, deal, traced)
            return proved, traced
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
        now = {name: found[x] if isinstance(x, Operation) else range_of(x) for name, x in traced.after.items()}
        claims += [(name, values, ranges.facts[name]) for name, values in now.items()]
    claims += [(name, now[name], entry[name]) for name in now.keys() - ranges.limited]
    for name, (low, high), proved in claims:
        if not within((low, high), proved):
            raise RangeError(f"{name} may be from {low} to {high}, its range is {proved[0]} to {proved[1]}")


def ranges_under(nodes: Iterable[Operation], fields: Mapping[str, Range]) -> dict[Operation, Range]:
    """The ranges of all nodes if the fields have these ranges, which must be in those that the graph was built for."""
    found: dict[Operation, Range] = {}

    def of(value: Value) -> Range:
        return found[value] if isinstance(value, Operation) else (int(value), int(value))

    for node in nodes:
        found[node] = narrower(_range(node, fields, of), node.values)
    return found


def _range(node: Operation, fields: Mapping[str, Range], of: Callable[[Value], Range]) -> Range:
    if node.is_mask or node.op in ("load", "store", "move", "input", "table"):
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


def _wider(name: str, steps: list[int], old: Range, found: Range, grown: int) -> Range:
    """A range that holds both, its ends moved to the next thresholds; one that keeps growing ends at the limit."""
    low, high = hull(old, found)
    if (low, high) == old:
        return old
    if within((low, high), (-BEYOND, BEYOND)):
        below = old[0] if old[0] - low <= _growth(-old[0]) else steps[max(bisect_right(steps, low) - 1, 0)]
        above = old[1] if high - old[1] <= _growth(old[1]) else steps[min(bisect_left(steps, high), len(steps) - 1)]
        return below, above
    if grown >= PATIENCE:
        bits = max(high, -low).bit_length()
        raise UntraceableError(f"{name} grows beyond all limits: after {grown + 1} passes it may have {bits} bits")
    return low, high


def _declared(game: Declaration, players: int) -> dict[str, Range]:
    """The ranges that facts have in a position, and hands, as far as the declaration says."""
    cards = len(game.codec.notation.cards)
    found = dict.fromkeys(game.held_in, (0, (1 << cards) - 1))
    for fact in game.codec.facts:
        count = players if fact.holds.of == "seat" else len(fact.holds.names(game.codec.notation, players))
        if fact.holds.is_set:
            found[fact.field] = 0, (1 << count) - 1
        elif not fact.holds.is_queue:
            found[fact.field] = (NO_VALUE, count - 1) if fact.holds.of else (0, fact.limit)
    return found


def _piles(game: Declaration) -> dict[str, Range]:
    """The ranges of the rows that hold piles of cards in an order: of how many they are, and of their cards. What is
    stored beyond is a violation.
    """
    greatest = max(len(game.codec.notation.cards) - 1, game.deck_size)
    return dict.fromkeys(pile_fields(game), (0, greatest))


def _is_beyond(declared: Mapping[str, Range], name: str, before: Range, values: Range) -> bool:
    """Whether a pass may take a fact beyond what is declared, faster than one that is limited may grow, or beyond so
    little that loops over it are short.

    Others are limited: bounded after each step, a random player's Mau-Mau took 1.05 to 1.1 times as long.
    """
    low, high = declared.get(name.partition(".")[0], values)
    if within(values, (low, high)):
        return False
    return high <= SHORT or values[1] - before[1] > _growth(max(LIMITS))


def _growth(limit: int) -> int:
    """How far a fact that is limited may grow in a pass."""
    return LIMITS.get(limit, 0) // PASSES


def _row_after(traced: Pass, row: LaneRow) -> Range:
    """The range of a row with what a pass stores in it, as far as a byte holds it: other values are violations."""
    values = row.values
    for value in traced.stored(row.name):
        low, high = range_of(value)
        values = hull(values, (max(low, BYTE[0]), min(high, BYTE[1])))
    return values
