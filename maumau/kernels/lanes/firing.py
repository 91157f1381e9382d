"""One step of a pass: every game that stands in one of the step's phases fires its next event, under masks.

The guards of the arcs of a phase are asked as a decision tree: the mask of an arc holds where all its answers are
given. Callbacks that several arcs share are run once, where one of the arcs is fired, in one order that contains the
order of each arc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

from fsm.declaration.arcs import Arc, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE
from maumau.kernels.compiler.phases import Candidate, Guarded, after, candidates_of, forced_arcs, most_asked, settled
from maumau.kernels.lanes.cells import TracedTable
from maumau.kernels.lanes.graph import ALWAYS, LaneGraph
from maumau.kernels.lanes.nodes import Value
from maumau.kernels.lanes.options import Option, Reading, known, options_of, random_options
from maumau.kernels.lanes.trace import trace
from rules.rule import RuleFunction


@dataclass(frozen=True)
class PassStep:
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


Schedule = tuple[PassStep, ...]


CARD = "card"

Chosen = tuple[Value, Phase, Option]
"""An option in a phase, with the mask of the games in which it is chosen."""


@dataclass(frozen=True)
class _Named:
    """What players name in a step. value: with events that name it. field: of the table, for all games. triggers: the
    events with which it is named.
    """

    value: Value
    field: Value
    triggers: frozenset[str]


@dataclass
class StepBuilder:
    """Steps on one graph. policies: those that seats may have. seats: of each but the first, the seats that have it, a
    mask. fired, used: the masks of counters and of decision rules, as they are counted.
    """

    graph: LaneGraph
    game: Declaration
    policies: tuple[Policy, ...]
    table: TracedTable
    phase_code: Value
    seats: Sequence[Value]
    tally: bool = False
    fired: list[tuple[Value, Counter]] = field(default_factory=list)
    used: list[tuple[Value, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.named: dict[str, _Named] = {}

    def step(self, step: PassStep) -> None:
        """Fire the next event of every game in a phase of the step."""
        arcs: list[tuple[Value, Arc]] = []
        chosen: list[Chosen] = []
        waiting: dict[Policy, dict[Phase, Value]] = {}
        acting = list(zip(self.policies, self._acting(), strict=True))
        for phase in step.phases:
            here = self.graph.compare("eq", self.phase_code, self.game.phase_numbers[phase])
            if here is False:
                continue
            forced, rest = self._tree(candidates_of(forced_arcs(self.game, phase)), self.table, here, certain=False)
            arcs += forced * step.forces
            for policy, where in acting if step.chooses else ():
                mine = self.graph.both(rest, where)
                if policy.rolls_dice:
                    waiting.setdefault(policy, {})[phase] = mine
                else:
                    found = self._chosen(phase, options_of(self.game, policy, phase), mine)
                    chosen += [each for each in found if step.chosen(each[2].trigger)]
        for policy, games in waiting.items():
            options = random_options(self.graph, self.game, policy, self.table, games)
            chosen += [each for phase, here in games.items() for each in self._chosen(phase, options[phase], here)]
        self._name(chosen)
        self._carry_out(arcs + self._events(chosen))

    def _acting(self) -> list[Value]:
        """For each policy the mask of the games in which a seat that has it acts."""
        seat = self.graph.binary("shl", 1, self.table.value("player"))
        others = [self.graph.as_bool(self.graph.binary("and", seats, seat)) for seats in self.seats]
        return [self.graph.negation(self.graph.any_of(others)), *others]

    # ------------------------------------------------------------ which arcs

    def _tree(
        self, candidates: list[Candidate[Guarded]], table: TracedTable, here: Value, *, certain: bool
    ) -> tuple[list[tuple[Value, Guarded]], Value]:
        """The mask of every arc that is enabled in the games of a mask, or counter that applies; and where none is.

        certain: one is.
        """
        if certain:
            candidates = settled(self.game, candidates)
        if not candidates or here is False:
            return [], here
        first, answers = candidates[0]
        if not answers:
            return [(here, first)], False
        guard = most_asked(candidates)
        holds = self.graph.as_bool(trace(self.graph, guard, [table], here))
        found: list[tuple[Value, Guarded]] = []
        none: Value = False
        for answer, given in ((True, holds), (False, self.graph.negation(holds))):
            left = after(self.game, candidates, guard, answer)
            arcs, rest = self._tree(left, table, self.graph.both(here, given), certain=certain)
            found += arcs
            none = self.graph.either(none, rest)
        return found, none

    def _chosen(self, phase: Phase, options: Iterable[Option], here: Value) -> Iterator[Chosen]:
        """The options of a phase with the masks in which they are chosen: the first whose conditions hold."""
        graph, failed = self.graph, list[Value]()
        for option in options:
            rest = reduce(graph.both, map(graph.negation, failed), here)
            holds = reduce(graph.both, (graph.as_bool(read(graph, self.table, rest)) for read in option.when), ALWAYS)
            if (where := graph.both(rest, holds)) is not False:
                yield where, phase, option
            failed.append(holds)

    # ------------------------------------------------------------ what is named

    def _name(self, chosen: list[Chosen]) -> None:
        """Put what players name on the table: the card first, for the value is picked with the card on the table."""
        self.named = {}
        picks: dict[str, list[tuple[Value, Option, Reading]]] = {}
        for where, _, option in chosen:
            if option.card:
                picks.setdefault(CARD, []).append((where, option, option.card))
        for where, _, option in chosen:
            if option.card or option.value:
                picks.setdefault(option.field, []).append((where, option, option.value or known(NO_VALUE)))
        for name, each in picks.items():
            self._put(name, each)

    def _put(self, name: str, picks: list[tuple[Value, Option, Reading]]) -> None:
        """Put one thing that is named on the table."""
        graph = self.graph
        triggers = frozenset(option.trigger for _, option, _ in picks)
        values: dict[Value, Value] = {}
        for where, option, read in picks:
            value = graph.number(read(graph, self._view({option.trigger}), where))
            values[value] = graph.either(values.get(value, False), where)
        *others, found = values
        for value in reversed(others):
            found = graph.select(values[value], value, found)
        full = graph.select(graph.any_of(values.values()), found, self.table.value(name))
        self.table.fields[name] = full
        self.named[name] = _Named(found, full, triggers)

    def _view(self, triggers: set[str]) -> TracedTable:
        """The table for events that are all among `triggers`."""
        table = self.table.copy()
        for name, named in self.named.items():
            if triggers <= named.triggers and table.fields[name] is named.field:
                table.fields[name] = named.value
        return table

    def _events(self, chosen: list[Chosen]) -> list[tuple[Value, Arc]]:
        """The arcs of the events that players choose, with their masks."""
        events: dict[tuple[Phase, str], Value] = {}
        for where, phase, option in chosen:
            event = phase, option.trigger
            events[event] = self.graph.either(events.get(event, False), where)
            if self.tally:
                self.used.append((where, option.rule))
        found: list[tuple[Value, Arc]] = []
        for (phase, trigger), here in events.items():
            arcs = candidates_of(self.game.leaving(phase, trigger))
            found += self._tree(arcs, self._view({trigger}), here, certain=True)[0]
        return found

    # ------------------------------------------------------------ what the arcs do

    def _carry_out(self, arcs: list[tuple[Value, Arc]]) -> None:
        """Fire arcs: run their callbacks, and change the phase."""
        if self.tally:
            self.fired += [counted for where, arc in arcs for counted in self._counted(where, arc)]
        for callback, chains in in_order(dict.fromkeys(arc.before for _, arc in arcs)):
            self._run(callback, [(where, arc) for where, arc in arcs if arc.before in chains])
        dests: dict[Phase, Value] = {}
        for where, arc in arcs:
            dests[arc.dest] = self.graph.either(dests.get(arc.dest, False), where)
        for dest, where in dests.items():
            self.phase_code = self.graph.select(where, self.game.phase_numbers[dest], self.phase_code)

    def _counted(self, where: Value, arc: Arc) -> list[tuple[Value, Counter]]:
        """The counters of an arc that is about to be fired, with their masks."""
        counters = [counter for counter in self.game.counters if counter.arc == arc]
        return self._tree(candidates_of(counters), self._view({arc.trigger}), where, certain=True)[0]

    def _run(self, callback: RuleFunction, arcs: list[tuple[Value, Arc]]) -> None:
        """Run a callback for the games that fire one of `arcs`."""
        where = self.graph.any_of(where for where, _ in arcs)
        table = self._view({arc.trigger for _, arc in arcs})
        trace(self.graph, callback, [table], where)
        for name, named in self.named.items():
            if table.fields[name] is named.value:
                table.fields[name] = self.table.fields[name]
        self.table.merge(self.graph, where, table)


def in_order(
    chains: Iterable[tuple[RuleFunction, ...]],
) -> Iterator[tuple[RuleFunction, set[tuple[RuleFunction, ...]]]]:
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
