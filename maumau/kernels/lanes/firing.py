"""One step of a pass: every game that stands in one of the step's phases fires its next event, under masks.

The arcs of a phase exclude each other by their guards, so the mask of an arc is the product of its answers. Masks are
sums of products, so that those of many arcs share their parts and are small. Callbacks that several arcs share are run
once, under the sum of their masks, in one order that contains the order of each arc.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fsm.declaration.arcs import Arc, Effects, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE
from fsm.declaration.policy import DICE
from maumau.kernels.compiler.phases import Candidate, Guarded, after, candidates_of, forced_arcs, settled
from maumau.kernels.compiler.program import Plan
from maumau.kernels.lanes.graph import INVERSE, Graph, Node, Value
from maumau.kernels.lanes.options import Option, Reading, known, options_of, random_options
from maumau.kernels.lanes.trace import TracedTable, trace
from rules.rule import RuleFunction


@dataclass(frozen=True)
class Step:
    """Games in one of `phases` fire an event: one that is forced, or else, if `chooses`, one that the player chooses.

    forces: whether forced events are fired; otherwise a game in which one is enabled waits for another step. only: the
    events that are chosen, if not all of them are.
    """

    phases: tuple[Phase, ...]
    forces: bool
    chooses: bool
    only: frozenset[str] | None = None

    def chosen(self, trigger: str) -> bool:
        """Whether an event that a player chooses is fired in this step."""
        return self.chooses and (self.only is None or trigger in self.only)


Schedule = tuple[Step, ...]


Literal = tuple[Node, bool]
"""A mask that is no negation, and whether it holds."""
Cube = frozenset[Literal]
"""Literals that hold together; none of them means always."""


def literal(graph: Graph, mask: Value) -> Literal | bool:
    """A mask as a literal, or as what it always is."""
    if not isinstance(mask, Node):
        return bool(mask)
    if mask.op == "not":
        return mask.args[0], False
    assert mask.op not in INVERSE
    return mask, True


def simplified(cubes: Iterable[Cube]) -> set[Cube]:
    """Fewer and smaller cubes that hold in the same games."""
    found = set(cubes)
    while (better := _one_better(found)) is not None:
        found = better
    return found


def _one_better(cubes: set[Cube]) -> set[Cube] | None:
    """The cubes without one that another contains, or with one that is smaller; None if there is none."""
    for one in cubes:
        for other in cubes:
            if one < other:
                return cubes - {other}
            for node, holds in one:
                opposite = (node, not holds)
                if opposite in other and one - {(node, holds)} <= other - {opposite}:
                    return (cubes - {other}) | {other - {opposite}}
    return None


def times(cubes: Iterable[Cube], literals: Iterable[Literal]) -> set[Cube]:
    """The cubes in which the literals hold too."""
    added = frozenset(literals)
    found = {cube | added for cube in cubes}
    return {cube for cube in found if not any((node, not holds) in cube for node, holds in cube)}


def product_of(cubes: Iterable[Cube], others: Iterable[Cube]) -> set[Cube]:
    """The cubes in which one of each holds."""
    given = list(cubes)
    return {cube for other in others for cube in times(given, other)}


def mask_of(graph: Graph, cubes: Iterable[Cube]) -> Value:
    """The mask that holds where one of the cubes does: the most frequent literal is factored out, again and again."""
    given = simplified(cubes)
    if not given or frozenset() in given:
        return bool(given)
    counted = collections.Counter(each for cube in given for each in cube)
    best = max(counted, key=lambda each: (counted[each], -each[0].number, each[1]))
    if counted[best] == 1:
        return _sum(graph, given)
    inside = {cube - {best} for cube in given if best in cube}
    rest = mask_of(graph, {cube for cube in given if best not in cube})
    return graph.either(graph.both(_mask(graph, best), mask_of(graph, inside)), rest)


def _sum(graph: Graph, cubes: Iterable[Cube]) -> Value:
    found: Value = False
    for cube in sorted(cubes, key=lambda cube: sorted((node.number, holds) for node, holds in cube)):
        product: Value = True
        for each in sorted(cube, key=lambda each: each[0].number):
            product = graph.both(product, _mask(graph, each))
        found = graph.either(found, product)
    return found


def _mask(graph: Graph, each: Literal) -> Value:
    node, holds = each
    return node if holds else graph.negation(node)


CARD = "card"

Chosen = tuple[set[Cube], Phase, Option]
"""An option in a phase, with the cubes in which it is chosen."""


@dataclass(frozen=True)
class _Named:
    """What players name in a step. value: with events that name it. field: of the table, for all games. triggers: the
    events with which it is named.
    """

    value: Value
    field: Value
    triggers: frozenset[str]


@dataclass
class Firing:
    """Steps on one graph. fired, used: the masks of counters and of decision rules, as they are counted."""

    graph: Graph
    game: Declaration
    policy: Policy
    table: TracedTable
    phase_code: Value
    tally: bool = False
    fired: list[tuple[Counter, Value]] = field(default_factory=list)
    used: list[tuple[str, Value]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.phases = tuple(self.game.phases)
        self.plan = Plan(self.game, (self.policy,))
        self.named: dict[str, _Named] = {}

    def step(self, step: Step) -> None:
        """Fire the next event of every game in a phase of the step."""
        arcs: list[tuple[Cube, Arc]] = []
        chosen: list[Chosen] = []
        waiting: dict[Phase, set[Cube]] = {}
        for phase in step.phases:
            stands = literal(self.graph, self.graph.compare("eq", self.phase_code, self.phases.index(phase)))
            if stands is not False:
                here = frozenset() if stands is True else frozenset([stands])
                forced, rest = self._forced(phase, here)
                arcs += forced * step.forces
                if step.chooses and self.policy in DICE:
                    waiting[phase] = rest
                elif step.chooses:
                    found = self._chosen(phase, options_of(self.game, self.policy, phase), rest)
                    chosen += [each for each in found if step.chosen(each[2].trigger)]
        chosen += self._at_random(waiting)
        self._name(chosen)
        self._carry_out(arcs + self._events(chosen))

    # ------------------------------------------------------------ which arcs

    def _forced(self, phase: Phase, here: Cube) -> tuple[list[tuple[Cube, Arc]], set[Cube]]:
        """The forced arcs of a phase with their cubes, and the cubes in which none is enabled."""
        candidates = candidates_of(forced_arcs(self.game, phase))
        found, none = self._tree(candidates, self.table, here, certain=False)
        return [(cube | here, arc) for cube, arc in found], product_of([here], simplified(none))

    def _tree(
        self, candidates: list[Candidate[Guarded]], table: TracedTable, here: Cube, *, certain: bool
    ) -> tuple[list[tuple[Cube, Guarded]], list[Cube]]:
        """The cube of every arc that may be enabled, or counter that may apply, and the cubes in which none is.

        certain: one is.
        """
        if certain:
            candidates = settled(self.plan, candidates)
        if not candidates:
            return [], [frozenset()]
        first, answers = candidates[0]
        if not answers:
            return [(frozenset(), first)], []
        asked = [guard for _, answers in candidates for guard in answers]
        guard, path = max(asked, key=asked.count), mask_of(self.graph, [here])
        holds = literal(self.graph, self.graph.as_bool(trace(self.graph, guard, [table], path)))
        found: list[tuple[Cube, Guarded]] = []
        none: list[Cube] = []
        for answer in (True, False):
            if isinstance(holds, bool) and holds is not answer:
                continue
            more = frozenset() if isinstance(holds, bool) else frozenset([(holds[0], holds[1] == answer)])
            arcs, left = self._tree(after(self.plan, candidates, guard, answer), table, here, certain=certain)
            found += [(cube | more, arc) for cube, arc in arcs]
            none += [cube | more for cube in left]
        return found, none

    def _at_random(self, waiting: Mapping[Phase, set[Cube]]) -> Iterator[Chosen]:
        """The options of random players, who share a die. waiting: the cubes in which no event is forced."""
        paths = {phase: mask_of(self.graph, rest) for phase, rest in waiting.items()}
        if paths:
            for phase, options in random_options(self.graph, self.game, self.policy, self.table, paths).items():
                yield from self._chosen(phase, options, waiting[phase])

    def _chosen(self, phase: Phase, options: Iterable[Option], rest: set[Cube]) -> Iterator[Chosen]:
        """The options of a phase with the cubes in which they are chosen: the first whose conditions hold."""
        graph = self.graph
        for option in options:
            path = mask_of(graph, rest)
            found = [literal(graph, graph.as_bool(read(graph, self.table, path))) for read in option.when]
            if False in found:
                continue
            needed: list[Literal] = [each for each in found if not isinstance(each, bool)]
            yield times(rest, needed), phase, option
            left: set[Cube] = set()
            for index, (node, holds) in enumerate(needed):
                left |= times(rest, [*needed[:index], (node, not holds)])
            rest = simplified(left)

    # ------------------------------------------------------------ what is named

    def _name(self, chosen: list[Chosen]) -> None:
        """Put what players name on the table: the card first, for the value is picked with the card on the table."""
        self.named = {}
        picks: dict[str, list[tuple[set[Cube], Option, Reading]]] = {}
        for cubes, _, option in chosen:
            if option.card:
                picks.setdefault(CARD, []).append((cubes, option, option.card))
        for cubes, _, option in chosen:
            if option.card or option.value:
                picks.setdefault(option.field, []).append((cubes, option, option.value or known(NO_VALUE)))
        for name, each in picks.items():
            self._put(name, each)

    def _put(self, name: str, picks: list[tuple[set[Cube], Option, Reading]]) -> None:
        """Put one thing that is named on the table."""
        graph = self.graph
        triggers = frozenset(option.trigger for _, option, _ in picks)
        values: dict[Value, set[Cube]] = {}
        for cubes, option, read in picks:
            value = graph.number(read(graph, self._view({option.trigger}), mask_of(graph, cubes)))
            values.setdefault(value, set()).update(cubes)
        *others, found = values
        for value in reversed(others):
            found = graph.select(mask_of(graph, values[value]), value, found)
        old = self.table.fields[name]
        assert isinstance(old, int | Node)
        full = graph.select(mask_of(graph, set().union(*values.values())), found, old)
        self.table.fields[name] = full
        self.named[name] = _Named(found, full, triggers)

    def _view(self, triggers: set[str]) -> TracedTable:
        """The table for events that are all among `triggers`."""
        table = self.table.copy()
        for name, named in self.named.items():
            if triggers <= named.triggers and table.fields[name] is named.field:
                table.fields[name] = named.value
        return table

    def _events(self, chosen: list[Chosen]) -> list[tuple[Cube, Arc]]:
        """The arcs of the events that players choose, with their cubes."""
        events: dict[tuple[Phase, str], set[Cube]] = {}
        for cubes, phase, option in chosen:
            events.setdefault((phase, option.trigger), set()).update(cubes)
            if self.tally:
                self.used.append((option.rule, mask_of(self.graph, cubes)))
        found = []
        for (phase, trigger), cubes in events.items():
            happens = literal(self.graph, mask_of(self.graph, cubes))
            if happens is not False:
                here = frozenset() if happens is True else frozenset([happens])
                arcs = candidates_of(self.game.leaving(phase, trigger))
                enabled, _ = self._tree(arcs, self._view({trigger}), here, certain=True)
                found += [(cube | here, arc) for cube, arc in enabled]
        return found

    # ------------------------------------------------------------ what the arcs do

    def _carry_out(self, arcs: list[tuple[Cube, Arc]]) -> None:
        """Fire arcs: run their callbacks, and change the phase."""
        if self.tally:
            self.fired += [counted for cube, arc in arcs for counted in self._counted(cube, arc)]
        for callback, chains in in_order(dict.fromkeys(arc.before for _, arc in arcs)):
            self._run(callback, [(cube, arc) for cube, arc in arcs if arc.before in chains])
        dests: dict[Phase, set[Cube]] = {}
        for cube, arc in arcs:
            dests.setdefault(arc.dest, set()).add(cube)
        for dest, cubes in dests.items():
            self.phase_code = self.graph.select(mask_of(self.graph, cubes), self.phases.index(dest), self.phase_code)

    def _counted(self, cube: Cube, arc: Arc) -> Iterator[tuple[Counter, Value]]:
        """The counters of an arc that is about to be fired, with their masks."""
        counters = [counter for counter in self.game.counters if counter.arc == arc]
        view = self._view({arc.trigger})
        for more, counter in self._tree(candidates_of(counters), view, cube, certain=True)[0]:
            yield counter, mask_of(self.graph, [cube | more])

    def _run(self, callback: RuleFunction, arcs: list[tuple[Cube, Arc]]) -> None:
        """Run a callback for the games that fire one of `arcs`."""
        where = mask_of(self.graph, {cube for cube, _ in arcs})
        table = self._view({arc.trigger for _, arc in arcs})
        trace(self.graph, callback, [table], where)
        for name, named in self.named.items():
            if table.fields[name] is named.value:
                table.fields[name] = self.table.fields[name]
        self.table.merge(self.graph, where, table)


def in_order(chains: Iterable[Effects]) -> Iterator[tuple[RuleFunction, set[Effects]]]:
    """Callbacks in one order that contains every chain, each with the chains that run it there.

    A callback comes more than once where the chains contradict each other.
    """
    left = {chain: list(chain) for chain in chains}
    while left := {chain: rest for chain, rest in left.items() if rest}:
        heads = [rest[0] for rest in left.values()]
        ready = (head for head in heads if not any(head in rest[1:] for rest in left.values()))
        callback = next(ready, heads[0])
        running = {chain for chain, rest in left.items() if rest[0] is callback}
        yield callback, running
        for chain in running:
            left[chain].pop(0)
