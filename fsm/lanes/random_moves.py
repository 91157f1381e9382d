"""The options of a random player: in a step the moves of every game are counted, and one die is rolled for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.arcs import Offer, Phase
from fsm.declaration import Declaration
from fsm.lanes.graph import Graph, Value, range_of
from fsm.lanes.options import Option, Reading, any_enabled, reading
from fsm.lanes.trace import TracedTable, trace
from fsm.policy import RANDOM
from fsm.values import NO_VALUE
from rules.chance import below

Places = Mapping[int, Value]
"""Masks of cards or values by powers of two: one of them stands for as many moves as the powers of its masks add up to.
"""


@dataclass(frozen=True)
class _Offered:
    """What an offer offers: its cards, or its values where no card is named; and how many moves they are."""

    offer: Offer
    places: Places
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
    graph: Graph, game: Declaration, table: TracedTable, waiting: Mapping[Phase, Value]
) -> dict[Phase, list[Option]]:
    """The options of each phase. waiting: the masks of the games in which a player chooses; no game is in two of them.

    Where there are several moves a die is rolled, which the table counts: see `rules.chance.below`.
    """
    moves: Value = 0
    offered = dict[Phase, list[_Offered]]()
    for phase, path in waiting.items():
        offered[phase] = [_offered(graph, game, table, path, phase, offer) for offer in game.control[phase].offers]
        moves = graph.select(path, _sum(graph, (each.count for each in offered[phase])), moves)
    die = _rolled(graph, table, moves)
    chosen = {phase: list(_chosen(graph, path, offered[phase], die)) for phase, path in waiting.items()}
    named = _Named(graph, table, list(chain.from_iterable(chosen.values())))
    return {phase: [named.option(game, each) for each in found] for phase, found in chosen.items()}


def _rolled(graph: Graph, table: TracedTable, moves: Value) -> Value:
    """The number of a move, each as likely as the others; 0 where there are fewer than two, without a die."""
    several = graph.compare("gt", moves, 1)
    seed, number, rolls = (table.fields[name] for name in ("seed", "number", "rolls"))
    assert isinstance(rolls, Value)
    die: Value = trace(graph, below, [graph.select(several, moves, 1), seed, number, rolls], several)
    table.fields["rolls"] = graph.binary("add", rolls, graph.number(several))
    return die


def _chosen(graph: Graph, path: Value, offered: Sequence[_Offered], die: Value) -> Iterator[_Chosen]:
    """The offers of a phase, of which the die chooses one: they have its numbers in their order."""
    first: Value = 0
    for each in offered:
        following = graph.binary("add", first, each.count)
        holds = graph.compare("lt", die, following)
        here = graph.both(path, graph.both(graph.compare("ge", die, first), holds))
        yield _Chosen(each, holds, here, graph.binary("sub", die, first))
        first = following


# ---------------------------------------------------------------- moves, counted and found by number


def _offered(graph: Graph, game: Declaration, table: TracedTable, path: Value, phase: Phase, offer: Offer) -> _Offered:
    """What an offer offers in the games of a mask; an event that names nothing is one move."""
    if offer.cards and offer.values:
        return _cards_with_values(graph, table, path, offer, reading(offer.cards), reading(offer.values))
    if mask := offer.cards or offer.values:
        places = reading(mask)(graph, table, path)
    else:
        places = graph.number(any_enabled(game.leaving(phase, offer.trigger), graph, table, path))
    return _Offered(offer, {1: places}, _count(graph, {1: places}))


def _cards_with_values(
    graph: Graph, table: TracedTable, path: Value, offer: Offer, cards: Reading, values: Reading
) -> _Offered:
    """Cards, of which each is one move for each value that may be named with it, and one if there is none."""
    given = cards(graph, table, path)
    masks, most = dict[int, Value](), 0
    for code in range(range_of(given)[1].bit_length()):
        there = graph.truth(graph.binary("and", given, 1 << code))
        named = graph.unary("popcount", values(graph, _with_card(table, code), graph.both(path, there)))
        moves = graph.select(graph.compare("lt", named, 1), 1, named)
        for power in (1 << bit for bit in range(range_of(moves)[1].bit_length())):
            holds = graph.truth(graph.binary("and", moves, power))
            masks[power] = graph.binary("or", masks.get(power, 0), graph.select(holds, 1 << code, 0))
        most += range_of(moves)[1]
    places = {power: graph.binary("and", given, mask) for power, mask in masks.items() if mask != 0}
    count = graph.required(_count(graph, places), (0, most), path, f"{offer.trigger} has more than {most} moves")
    return _Offered(offer, places, count)


def _with_card(table: TracedTable, card: Value) -> TracedTable:
    """The table with a card that is named."""
    found = table.copy()
    found.fields["card"] = card
    return found


def _count(graph: Graph, places: Places) -> Value:
    """How many moves there are."""
    return _sum(graph, (graph.binary("mul", graph.unary("popcount", mask), power) for power, mask in places.items()))


def _sum(graph: Graph, values: Iterable[Value]) -> Value:
    found: Value = 0
    for value in values:
        found = graph.binary("add", found, value)
    return found


def place_of(graph: Graph, places: Places, number: Value) -> tuple[Value, Value]:
    """The card or value that stands for move `number`, and which of its own moves that is.

    It is found by halving: the lower half of the masks has it, or the upper half, among whose moves it has the number
    that is less by those of the lower half. The place is meaningless where there are not so many moves.
    """
    size = max(range_of(mask)[1].bit_length() for mask in places.values())
    found: Value = 0
    for exponent in reversed(range((size - 1).bit_length())):
        half = 1 << exponent
        lower = {power: graph.binary("and", mask, (1 << half) - 1) for power, mask in places.items()}
        count = _count(graph, lower)
        inside = graph.compare("lt", number, count)
        number = graph.select(inside, number, graph.binary("sub", number, count))
        found = graph.select(inside, found, graph.binary("or", found, half))
        places = {
            power: graph.select(inside, lower[power], graph.binary("shr", mask, half)) for power, mask in places.items()
        }
    return graph.select(graph.compare("gt", found, size - 1), 0, found), number


class _Named:
    """What is named with the chosen moves, found once for all offers: in each game one of them is chosen at most."""

    def __init__(self, graph: Graph, table: TracedTable, chosen: Sequence[_Chosen]) -> None:
        """table: as it is before anything is named."""
        self.place: Value = NO_VALUE
        self.value: Value = NO_VALUE
        places = dict[int, Value]()
        number: Value = 0
        values: Value = 0
        naming = [each for each in chosen if each.offered.offer.cards or each.offered.offer.values]
        for each in naming:
            number = graph.select(each.where, each.number, number)
            for power, mask in each.offered.places.items():
                places[power] = graph.select(each.where, mask, places.get(power, 0))
        if places:
            self.place, number = place_of(graph, places, number)
        for each in naming:
            offer = each.offered.offer
            if offer.cards and offer.values:
                read = reading(offer.values)(graph, _with_card(table, self.place), each.where)
                values = graph.select(each.where, read, values)
        if values != 0:
            found, _ = place_of(graph, {1: values}, number)
            self.value = graph.select(graph.truth(values), found, NO_VALUE)

    def option(self, game: Declaration, chosen: _Chosen) -> Option:
        """The option of an offer."""
        offer, rule = chosen.offered.offer, RANDOM.name
        card = _known(self.place) if offer.cards else None
        value = _known(self.value if offer.cards else self.place) if offer.values else None
        return Option(offer.trigger, rule, (_known(chosen.holds),), card, value, game.value_kind(offer.trigger))


def _known(value: Value) -> Reading:
    """A reading of what is known already."""
    return lambda graph, table, path: value
