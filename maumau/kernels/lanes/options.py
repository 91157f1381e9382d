"""What a policy may choose in a phase, in the order in which it tries: decision rules, or the legal moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from fsm.declaration.arcs import Arc, Choice, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import FIRST_LEGAL
from fsm.declaration.values import NO_VALUE
from maumau.kernels.lanes.graph import Graph, Node, UntraceableError, Value
from maumau.kernels.lanes.trace import TracedTable, trace
from rules.rule import RuleFunction

Reading = Callable[[Graph, TracedTable, Value], Value]
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
    if policy.choices:
        return [_of_choice(game, choice) for choice in policy.choices[phase]]
    if policy is FIRST_LEGAL:
        return [_of_offer(game, phase, offer) for offer in game.control[phase].offers]
    raise UntraceableError(f"policy {policy.name} is not known in lanes")


def _of_choice(game: Declaration, choice: Choice) -> Option:
    when = tuple(reading(guard) for guard in choice.when)
    card, value = choice.card and reading(choice.card), choice.value and reading(choice.value)
    return Option(choice.trigger, choice.rule, when, card, value, game.value_kind(choice.trigger))


def reading(function: RuleFunction) -> Reading:
    """What a rule function returns."""
    return lambda graph, table, path: _value(graph, function, table, path)


def _of_offer(game: Declaration, phase: Phase, offer: Offer) -> Option:
    """The first legal move of an offer: the lowest card, and the lowest value that may be named with it."""
    mask = offer.cards or offer.values
    when: Reading = partial(any_enabled, game.leaving(phase, offer.trigger)) if mask is None else reading(mask)
    card = partial(_lowest, reading(offer.cards)) if offer.cards else None
    value = partial(_lowest, reading(offer.values)) if offer.values else None
    return Option(offer.trigger, FIRST_LEGAL.name, (when,), card, value, game.value_kind(offer.trigger))


def _lowest(mask: Reading, graph: Graph, table: TracedTable, path: Value) -> Value:
    """The lowest place in a mask, NO_VALUE if there is none."""
    indices = mask(graph, table, path)
    lowest = graph.binary("and", indices, graph.unary("neg", indices))
    return graph.binary("add", graph.unary("length", lowest), NO_VALUE)


def any_enabled(arcs: tuple[Arc, ...], graph: Graph, table: TracedTable, path: Value) -> Value:
    """Whether one of some arcs is enabled."""
    found: Value = False
    for arc in arcs:
        enabled: Value = True
        for guard, answer in _answers(arc):
            holds = graph.as_bool(trace(graph, guard, [table], path))
            enabled = graph.both(enabled, holds if answer else graph.negation(holds))
        found = graph.either(found, enabled)
    return found


def _answers(arc: Arc) -> Iterator[tuple[RuleFunction, bool]]:
    yield from ((guard, True) for guard in arc.when)
    yield from ((guard, False) for guard in arc.unless)


def _value(graph: Graph, function: RuleFunction, table: TracedTable, path: Value) -> Value:
    found = trace(graph, function, [table], path)
    if not isinstance(found, int | Node):
        raise UntraceableError(f"{function.__name__} returns no integer")
    return found
