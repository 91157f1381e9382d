"""What a policy may choose in a phase: by its decision rules, the first legal move, or one at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import starmap

from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE
from maumau.kernels.compiler.phases import candidates_of
from maumau.kernels.lanes.cells import TracedTable
from maumau.kernels.lanes.graph import ALWAYS, LaneGraph
from maumau.kernels.lanes.nodes import Operation, Value, range_of
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.trace import trace
from rules.chance import below
from rules.rule import RuleFunction

Reading = Callable[[LaneGraph, TracedTable, Value], Value]
"""What is read off a table in the games of a mask."""


@dataclass(frozen=True)
class Option:
    """An event that is chosen where all of `when` hold.

    rule: the name that it is counted by. card, value: what is named with it; value is read with the card on the table.
    field: the field of the table that holds the value.
    """

    trigger: str
    rule: str
    when: tuple[Reading, ...]
    card: Reading | None
    value: Reading | None
    field: str


def options_of(game: Declaration, policy: Policy, phase: Phase) -> list[Option]:
    """The options of a policy in a phase; the first whose conditions hold is chosen. Raises UntraceableError."""
    if policy.takes_first:
        return [_of_offer(game, policy, phase, offer) for offer in game.control[phase].offers]
    if not policy.choices:
        raise UntraceableError(f"policy {policy.name} is not known in lanes")
    options = []
    for choice in policy.choices[phase]:
        when = tuple(reading(guard) for guard in choice.conditions)
        card, value = choice.card and reading(choice.card), choice.value and reading(choice.value)
        options.append(Option(choice.trigger, choice.rule, when, card, value, game.value_kind(choice.trigger)))
    return options


def reading(function: RuleFunction) -> Reading:
    """What a rule function returns."""
    return lambda graph, table, path: _value(graph, function, table, path)


def _of_offer(game: Declaration, policy: Policy, phase: Phase, offer: Offer) -> Option:
    """The first legal move of an offer: the lowest card, and the lowest value that may be named with it."""
    arcs = game.leaving(phase, offer.trigger)
    when: Reading = reading(offer.named) if offer.named else partial(any_enabled, arcs)
    card = partial(_lowest, reading(offer.cards)) if offer.cards else None
    value = partial(_lowest, reading(offer.values)) if offer.values else None
    return Option(offer.trigger, policy.name, (when,), card, value, game.value_kind(offer.trigger))


def _lowest(mask: Reading, graph: LaneGraph, table: TracedTable, path: Value) -> Value:
    """The lowest place in a mask, NO_VALUE if there is none."""
    indices = mask(graph, table, path)
    lowest = graph.binary("and", indices, graph.unary("neg", indices))
    return graph.binary("add", graph.unary("length", lowest), NO_VALUE)


def any_enabled(arcs: tuple[Arc, ...], graph: LaneGraph, table: TracedTable, path: Value) -> Value:
    """Whether one of some arcs is enabled."""

    def answered(guard: RuleFunction, answer: bool) -> Value:
        holds = graph.as_bool(trace(graph, guard, [table], path))
        return holds if answer else graph.negation(holds)

    each = (starmap(answered, answers.items()) for _, answers in candidates_of(arcs))
    return graph.any_of(reduce(graph.both, masks, ALWAYS) for masks in each)


def _value(graph: LaneGraph, function: RuleFunction, table: TracedTable, path: Value) -> Value:
    found = trace(graph, function, [table], path)
    if not isinstance(found, int | Operation):
        raise UntraceableError(f"{function.__name__} does not return an integer")
    return found


# ---------------------------------------------------------------- random players

MasksByPower = Mapping[int, Value]
"""Masks of cards or values by powers of two: one of them stands for as many moves as the powers of its masks add up to.
"""


@dataclass(frozen=True)
class _Offered:
    """What an offer offers: its cards, or its values where no card is named; and how many moves they are."""

    offer: Offer
    by_power: MasksByPower
    count: Value


@dataclass(frozen=True)
class _Chosen:
    """An offer of which a move is chosen in the games of `where`: those of its phase in which `holds` does, but none of
    the offers before. number: of the move, among those of the offer.
    """

    offered: _Offered
    holds: Value
    where: Value
    number: Value


def random_options(
    graph: LaneGraph, game: Declaration, policy: Policy, table: TracedTable, waiting: Mapping[Phase, Value]
) -> dict[Phase, list[Option]]:
    """The options of each phase. waiting: the masks of the games in which a player chooses; no game is in two of them.

    Where there are several moves a die is rolled, which the table counts: see `rules.chance.below`.
    """
    moves: Value = 0
    offered = dict[Phase, list[_Offered]]()
    for phase, path in waiting.items():
        offered[phase] = [_offered(graph, game, table, path, phase, offer) for offer in game.control[phase].offers]
        if policy.lays_first:
            offered[phase] = _laying_first(graph, offered[phase])
        moves = graph.select(path, _sum(graph, (each.count for each in offered[phase])), moves)
    die = _rolled(graph, table, moves)
    chosen = [(phase, each) for phase, path in waiting.items() for each in _chosen(graph, path, offered[phase], die)]
    named = iter(_named(graph, table, [each for _, each in chosen if each.offered.offer.named]))
    found: dict[Phase, list[Option]] = {phase: [] for phase in waiting}
    for phase, each in chosen:
        index, value = next(named) if each.offered.offer.named else (NO_VALUE, NO_VALUE)
        found[phase].append(_option(game, policy, each, index, value))
    return found


def _rolled(graph: LaneGraph, table: TracedTable, moves: Value) -> Value:
    """The number of a move, each as likely as the others; 0 where there are fewer than two, without a die."""
    several = graph.compare("gt", moves, 1)
    seed, number, rolls = map(table.value, ("seed", "number", "rolls"))
    die: Value = trace(graph, below, [graph.select(several, moves, 1), seed, number, rolls], several)
    table.fields["rolls"] = graph.binary("add", rolls, graph.number(several))
    return die


def _chosen(graph: LaneGraph, path: Value, offered: Sequence[_Offered], die: Value) -> Iterator[_Chosen]:
    """The offers of a phase, of which the die chooses one: they have its numbers in their order."""
    first: Value = 0
    for each in offered:
        following = graph.binary("add", first, each.count)
        holds = graph.compare("lt", die, following)
        here = graph.both(path, graph.both(graph.compare("ge", die, first), holds))
        yield _Chosen(each, holds, here, graph.binary("sub", die, first))
        first = following


# ---------------------------------------------------------------- moves, counted and found by number


def _offered(
    graph: LaneGraph, game: Declaration, table: TracedTable, path: Value, phase: Phase, offer: Offer
) -> _Offered:
    """What an offer offers in the games of a mask; an event that names nothing is one move."""
    if offer.cards and offer.values:
        return _cards_with_values(graph, table, path, offer, reading(offer.cards), reading(offer.values))
    if offer.named:
        by_power = reading(offer.named)(graph, table, path)
    else:
        by_power = graph.number(any_enabled(game.leaving(phase, offer.trigger), graph, table, path))
    return _Offered(offer, {1: by_power}, _count(graph, {1: by_power}))


def _laying_first(graph: LaneGraph, offered: Sequence[_Offered]) -> list[_Offered]:
    """The same, but where an offer lays a card nothing is left of the others."""
    lays = graph.compare("gt", _sum(graph, (each.count for each in offered if each.offer.lays)), 0)
    return [each if each.offer.lays else replace(each, count=graph.select(lays, 0, each.count)) for each in offered]


def _cards_with_values(
    graph: LaneGraph, table: TracedTable, path: Value, offer: Offer, cards: Reading, values: Reading
) -> _Offered:
    """Cards, of which each is one move for each value that may be named with it, and one if there is none."""
    given = cards(graph, table, path)
    masks, most = dict[int, Value](), 0
    for code in range(range_of(given)[1].bit_length()):
        there = graph.as_bool(graph.binary("and", given, 1 << code))
        named = graph.unary("popcount", values(graph, _with_card(table, code), graph.both(path, there)))
        moves = graph.select(graph.compare("lt", named, 1), 1, named)
        for power in (1 << bit for bit in range(range_of(moves)[1].bit_length())):
            holds = graph.as_bool(graph.binary("and", moves, power))
            masks[power] = graph.binary("or", masks.get(power, 0), graph.select(holds, 1 << code, 0))
        most += range_of(moves)[1]
    by_power = {power: graph.binary("and", given, mask) for power, mask in masks.items() if mask != 0}
    count = graph.required(_count(graph, by_power), (0, most), path, f"{offer.trigger} has more than {most} moves")
    return _Offered(offer, by_power, count)


def _with_card(table: TracedTable, card: Value) -> TracedTable:
    found = table.copy()
    found.fields["card"] = card
    return found


def _count(graph: LaneGraph, by_power: MasksByPower) -> Value:
    return _sum(graph, (graph.binary("mul", graph.unary("popcount", mask), power) for power, mask in by_power.items()))


def _sum(graph: LaneGraph, values: Iterable[Value]) -> Value:
    nothing: Value = 0
    return reduce(partial(graph.binary, "add"), values, nothing)


def index_of(graph: LaneGraph, by_power: MasksByPower, number: Value) -> tuple[Value, Value]:
    """The card or value that stands for move `number`, and which of its own moves that is.

    It is found by halving: the lower half of the masks has it, or the upper half, among whose moves it has the number
    that is less by those of the lower half. The index is meaningless where there are not so many moves.
    """
    size = _size(by_power)
    found: Value = 0
    for exponent in reversed(range((size - 1).bit_length())):
        half = 1 << exponent
        lower = {power: graph.binary("and", mask, (1 << half) - 1) for power, mask in by_power.items()}
        count = _count(graph, lower)
        inside = graph.compare("lt", number, count)
        number = graph.select(inside, number, graph.binary("sub", number, count))
        found = graph.select(inside, found, graph.binary("or", found, half))
        by_power = {
            power: graph.select(inside, lower[power], graph.binary("shr", mask, half))
            for power, mask in by_power.items()
        }
    return _below(graph, found, size), number


def _size(by_power: MasksByPower) -> int:
    return max((range_of(mask)[1].bit_length() for mask in by_power.values()), default=0)


def _below(graph: LaneGraph, index: Value, size: int) -> Value:
    """An index that is below `size` in all games for which it is meant, and in the others as well."""
    return graph.select(graph.compare("gt", index, size - 1), 0, index)


def _named(graph: LaneGraph, table: TracedTable, chosen: Sequence[_Chosen]) -> list[tuple[Value, Value]]:
    """What is named with each offer: its card, or its value where no card is named; and the value named with a card.

    Both are found once for all offers, as one of them at most is chosen in a game. table: before anything is named.
    """
    by_power, number = dict[int, Value](), _chosen_one(graph, chosen, [each.number for each in chosen])
    for power in sorted({power for each in chosen for power in each.offered.by_power}):
        by_power[power] = _chosen_one(graph, chosen, [each.offered.by_power.get(power, 0) for each in chosen])
    index, number = index_of(graph, by_power, number)
    cards = [_below(graph, index, _size(each.offered.by_power)) for each in chosen]
    masks: list[Value] = []
    for each, card in zip(chosen, cards, strict=True):
        offer = each.offered.offer
        named = offer.values if offer.cards else None
        masks.append(reading(named)(graph, _with_card(table, card), each.where) if named else 0)
    mask = _chosen_one(graph, chosen, masks)
    value = graph.select(graph.as_bool(mask), index_of(graph, {1: mask}, number)[0], NO_VALUE)
    values = [_below(graph, value, _size({1: mask})) for mask in masks]
    return list(zip(cards, values, strict=True))


def _chosen_one(graph: LaneGraph, chosen: Sequence[_Chosen], values: Sequence[Value]) -> Value:
    """The value that belongs to the offer that is chosen; 0 where none is."""
    found: Value = 0
    for each, value in zip(chosen, values, strict=True):
        found = graph.select(each.where, value, found)
    return found


def _option(game: Declaration, policy: Policy, chosen: _Chosen, index: Value, value: Value) -> Option:
    offer = chosen.offered.offer
    card = known(index) if offer.cards else None
    named = (known(value) if offer.cards else known(index)) if offer.values else None
    return Option(offer.trigger, policy.name, (known(chosen.holds),), card, named, game.value_kind(offer.trigger))


def known(value: Value) -> Reading:
    """A reading of what is known already."""
    return lambda graph, table, path: value
