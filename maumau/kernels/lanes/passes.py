"""A deal, a pass and the results of a game as graphs: what all lanes compute at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fsm.declaration.arcs import Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.results import MEASURED
from maumau.kernels.lanes.by_value import ByValue
from maumau.kernels.lanes.cells import Cells, LanePiles, TracedTable, forbidden
from maumau.kernels.lanes.firing import PassStep, Schedule, StepBuilder
from maumau.kernels.lanes.graph import LaneGraph, LaneRow
from maumau.kernels.lanes.intervals import BYTE, Range, within
from maumau.kernels.lanes.nodes import Operation, Value, computed, range_of
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.trace import trace
from rules.chance import SEED_LIMIT, draw_words, shuffle_by_words, words_for
from rules.piles import cards_laid, cards_taken
from rules.queues import QUEUE_BYTES

PHASE = "phase"
NUMBERS = ("seed", "number")
"""The facts that are numbers of a call: the seed, and the number of the game."""
DICE = (*NUMBERS, "rolls")
"""The facts on which dice depend."""
ANY = 1 << 62
"""The bound of a fact that must not be negative, however great it is."""
MIN_ENTRIES = 16
"""Bytes of a row of memory, at least: rows are moved so many bytes at a time."""

MAX_ENTRIES = 192
"""Bytes of a row, at most: a place beyond its end, where elements go that are not stored, is also a byte."""

DECKS, MOST_DEALT = 200, 0.01
"""Decks that are looked through, and the part of them, at most, whose deal leaves the lanes. Of official UNO one game
in 27 would, which then was as fast as in the scalar kernel.
"""

Counted = list[tuple[Value, Counter]]
Facts = dict[str, Value]
"""The values of facts by name; those of a list have the place in the name: `hands.2`."""


def flat(table: TracedTable) -> Facts:
    """The facts of a table, without rows of memory."""
    found: Facts = {}
    for name, value in table.fields.items():
        if isinstance(value, Cells):
            found |= {f"{name}.{index}": each for index, each in enumerate(value.values)}
        elif isinstance(value, int | Operation):
            found[name] = value
    return found


def seats_of(policies: tuple[Policy, ...]) -> list[str]:
    """The facts that say which seats have each policy but the first; no field of a table can be called so."""
    return [f"seats-{number}" for number in range(1, len(policies))]


def row_fields(game: Declaration) -> tuple[str, ...]:
    """The fields that lie in memory, because a pass selects an element of many: the byte rings."""
    return tuple(name for name, value in game.defaults.items() if isinstance(value, bytearray))


def pile_fields(game: Declaration) -> tuple[str, ...]:
    """Those of them that hold piles of cards in an order (`rules.queues`). How many cards a pile has is a fact."""
    return tuple(fact.field for fact in game.codec.facts if fact.holds.is_queue)


# ---------------------------------------------------------------- the deal


@dataclass(frozen=True)
class Deal:
    """The deal and the first events. deck: the bytes of the deck. rows: the bytes of each row at the start."""

    graph: LaneGraph
    deck: list[Value]
    facts: Facts
    rows: Mapping[str, list[Value]]
    fired: Counted


def given_deal(game: Declaration, players: int, policies: tuple[Policy, ...]) -> Deal:
    """The deal of a deck that is given; it is checked apart that it is the whole deck.

    Raises UntraceableError for a deal that goes on or not by the order of the cards, if too many games would leave.
    """
    graph, codes = LaneGraph(), game.full_deck()
    deck: list[Value] = [graph.node("input", (f"deck{index}",), BYTE) for index in range(game.deck_size)]
    cards = [_one_of(graph, card, (min(codes), max(codes))) for card in deck]
    dealt = replace(_dealt(game, players, policies, graph, cards), deck=deck)
    for mask, what in graph.violations:
        if isinstance(mask, int) or _share(game, players, dealt, mask) > MOST_DEALT:
            raise UntraceableError(f"the deal depends on the order of the cards: {what}")
    return dealt


def _share(game: Declaration, players: int, deal: Deal, mask: Operation) -> float:
    """For which part of some decks a mask of their deal holds."""
    nodes, holds = reached([mask], deal.graph.nodes), 0
    for number in range(DECKS):
        deck = game.shuffled_deck(players, 0, number)
        given = {"seed": 0, "number": number, **{f"deck{place}": card for place, card in enumerate(deck)}}
        holds += computed(nodes, given)[mask]
    return holds / DECKS


def not_whole(deal: Deal, codes: bytearray) -> Value:
    """The mask of decks that are not the whole deck.

    Bit c of the first mask is set if code c is there, of the second if it is there twice, and so on: a deck has as many
    cards as the whole deck, so if all masks are those of the whole deck, it has the same cards.
    """
    if max(codes) >= 64:
        raise UntraceableError(f"card codes up to {max(codes)}; use codes below 64")
    graph = deal.graph
    copies = max(codes.count(code) for code in codes)
    some = sum(1 << code for code in set(codes))
    seen: list[Value] = [0] * copies
    least, greatest = deal.deck[0], deal.deck[0]
    for card in deal.deck:
        least = graph.select(graph.compare("lt", card, least), card, least)
        greatest = graph.select(graph.compare("gt", card, greatest), card, greatest)
        carried = graph.binary("and", graph.binary("shl", 1, _one_of(graph, card, (min(codes), max(codes)))), some)
        for number, mask in enumerate(seen):
            seen[number] = graph.binary("or", mask, carried)
            carried = graph.binary("and", mask, carried)
    wrong = graph.either(graph.compare("lt", least, min(codes)), graph.compare("gt", greatest, max(codes)))
    for number, mask in enumerate(seen, 1):
        whole = sum(1 << code for code in set(codes) if codes.count(code) >= number)
        wrong = graph.either(wrong, graph.compare("ne", mask, whole))
    return wrong


def _one_of(graph: LaneGraph, card: Value, codes: Range) -> Value:
    """A byte of a deck as a card code; any code, if it is none, for such a deck is refused."""
    beyond = graph.either(graph.compare("lt", card, codes[0]), graph.compare("gt", card, codes[1]))
    return graph.node("clamp", (beyond, codes[0], card), codes) if beyond is not False else card


def shuffled_deal(game: Declaration, players: int, policies: tuple[Policy, ...]) -> Deal:
    """The deal of a deck of a seed: words, shuffle and amendment as rule functions say them.

    Games in which the shuffle has to be repeated, or a deck is amended by dice, are violations.
    """
    graph, size = LaneGraph(), game.deck_size
    seed, number = (graph.node("input", (name,), (0, SEED_LIMIT - 1)) for name in NUMBERS)
    words, deck = Cells([0] * words_for(size)), Cells([0] * size)
    trace(graph, draw_words, [words, 1, seed, number])
    trace(graph, game.fill, [deck])
    trace(graph, shuffle_by_words, [deck, words, 1, 0, seed, number])
    if game.amend:
        trace(graph, game.amend, [deck, players, seed, number])
    return _dealt(game, players, policies, graph, deck.values)


def _dealt(game: Declaration, players: int, policies: tuple[Policy, ...], graph: LaneGraph, deck: list[Value]) -> Deal:
    fields: dict[str, Value | Cells | LaneRow] = {}
    for name, value in game.defaults.items():
        fields[name] = int(value) if isinstance(value, int) else Cells([int(each) for each in value])
        if name in DICE:
            fields[name] = forbidden("the dice of a game are rolled after its deal")
    table = TracedTable(fields)
    trace(graph, game.deal, [table, Cells(deck), players])
    table.fields |= {name: graph.node("input", (name,), (0, SEED_LIMIT - 1)) for name in NUMBERS} | {"rolls": 0}
    seats = {name: graph.node("input", (name,), (0, (1 << players) - 1)) for name in seats_of(policies)}
    initial = game.phase_numbers[game.initial]
    firing = StepBuilder(graph, game, policies, table, initial, list(seats.values()), tally=True)
    firing.step(PassStep((game.initial,), forces=True, chooses=False))
    rows = {name: _bytes(name, table.fields[name]) for name in row_fields(game)}
    facts = {name: value for name, value in flat(table).items() if name.partition(".")[0] not in rows}
    facts |= {f"{name}.{at}": size for name in pile_fields(game) for at, size in enumerate(rows[name][::QUEUE_BYTES])}
    return Deal(graph, deck, facts | seats | {PHASE: firing.phase_code}, rows, firing.fired)


def _bytes(name: str, cells: object) -> list[Value]:
    assert isinstance(cells, Cells)
    if len(cells.values) % MIN_ENTRIES:
        raise UntraceableError(f"{name} has {len(cells.values)} places; use a multiple of {MIN_ENTRIES}")
    if len(cells.values) > MAX_ENTRIES:
        raise UntraceableError(f"{name} has {len(cells.values)} places; lanes have room for {MAX_ENTRIES}")
    return cells.values


# ---------------------------------------------------------------- a pass


def reached(roots: Iterable[Value], nodes: Sequence[Operation]) -> list[Operation]:
    """The nodes that the roots depend on, themselves included, in the order in which they were built."""
    found: set[Operation] = set()
    waiting = [root for root in roots if isinstance(root, Operation)]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [arg for arg in node.args if isinstance(arg, Operation)]
    return [node for node in nodes if node in found]


@dataclass(frozen=True)
class Pass:
    """One pass. before, after: the facts. rows: the range of each row. fired, used: what is counted, with its mask."""

    graph: LaneGraph
    before: Facts
    after: Facts
    rows: Mapping[str, LaneRow]
    fired: Counted
    used: list[tuple[Value, str]]

    def stored(self, row: str) -> list[Value]:
        """The values that are stored in a row, before they are made to fit."""
        into = [store for store in self.graph.stores if store.args[0] == row]
        found = [store if store.op == "move" else store.args[3] for store in into]
        return [value.args[2] if isinstance(value, Operation) and value.op == "clamp" else value for value in found]

    def needed(self, results: set[str]) -> list[str]:
        """The facts that a pass must know, for the next passes and for the `results` ones, in their order."""
        roots: list[Value] = [*self.graph.stores, *(mask for mask, _ in self.graph.violations)]
        roots += [mask for mask, _ in (*self.fired, *self.used)]
        found = {PHASE} | results
        while True:
            nodes = reached([*roots, *(self.after[name] for name in found)], self.graph.nodes)
            read = {node.args[0] for node in nodes if node.op == "field"} | found
            if read == found:
                return [name for name in self.before if name in found and isinstance(self.before[name], Operation)]
            found = read


def _running(
    graph: LaneGraph, game: Declaration, ranges: Mapping[str, Range], apart: Mapping[str, LaneRow]
) -> TracedTable:
    """The table of games whose facts are in these ranges. apart: fields that are given otherwise."""
    fields: dict[str, Value | Cells | LaneRow] = {}
    for name, value in game.defaults.items():
        if name in apart or isinstance(value, int):
            fields[name] = apart[name] if name in apart else graph.field(name, ranges[name])
        else:
            indices = (f"{name}.{index}" for index in range(len(value)))
            fields[name] = Cells([graph.field(index, ranges[index]) for index in indices])
    for name in pile_fields(game):
        sizes = (f"{name}.{index}" for index in range(len(game.defaults[name]) // QUEUE_BYTES))
        fields[name] = LanePiles([graph.field(size, ranges[size]) for size in sizes], apart[name], game.deck_size)
    return TracedTable(fields)


def traced_pass(
    game: Declaration,
    policies: tuple[Policy, ...],
    schedule: Schedule,
    ranges: Mapping[str, Range],
    rows: Mapping[str, Range],
    bounds: Mapping[str, Range],
    tally: bool,
    rounds: int = 0,
) -> Pass:
    """The pass of games whose facts are in these ranges. bounds: ranges in which facts are to be after a step. rounds:
    as of `Request`.

    Raises UntraceableError.
    """
    graph, values = LaneGraph(rounds), game.defaults
    memory = {name: LaneRow(name, len(values[name]), row) for name, row in rows.items()}
    table = _running(graph, game, ranges, memory)
    seats = {name: graph.field(name, ranges[name]) for name in seats_of(policies)}
    phase = graph.field(PHASE, ranges[PHASE])
    firing = StepBuilder(graph, game, policies, table, phase, list(seats.values()), tally=tally)
    before = flat(table) | seats | {PHASE: phase}
    for step in schedule:
        firing.step(step)
        for name, (low, high) in sorted(bounds.items()):
            of, place = table.place(name)
            value = of[place]
            what = f"{name} is negative" if high == ANY else f"{name} is not from {low} to {high}"
            of[place] = graph.required(value, (low, min(high, max(range_of(value)[1], low))), True, what)
    after = flat(table) | seats | {PHASE: firing.phase_code}
    return Pass(graph, before, after, memory, firing.fired, firing.used)


# ---------------------------------------------------------------- the results


@dataclass(frozen=True)
class LaneResults:
    """The results of games that are over, in the order of a result's fields, and the scores and the marks by seat."""

    graph: LaneGraph
    facts: Facts
    results: Facts
    scores: list[Value]
    marks: list[Value]

    @property
    def by_value(self) -> ByValue:
        """Where the results are counted by value."""
        columns = *(self.results[name] for name in MEASURED), *self.scores
        return ByValue.of(len(self.scores), [range_of(value) for value in columns])

    @property
    def facts_read(self) -> set[str]:
        """The facts that the results are computed from."""
        nodes = reached([*self.results.values(), *self.scores, *self.marks], self.graph.nodes)
        return {node.args[0] for node in nodes if node.op == "field"}


def outcome_of(game: Declaration, players: int, ranges: Mapping[str, Range], *, marks: bool) -> LaneResults:
    """The results of games whose facts are in these ranges. marks: as of `Request`. Raises UntraceableError."""
    graph, lost = LaneGraph(), (*DICE, *row_fields(game))
    table = _running(graph, game, ranges, {name: forbidden(f"{name} is not kept for the results") for name in lost})
    facts = flat(table)
    winners = ("winners",) * game.shares_wins
    results = {name: facts[name] for name in ("ending", "winner", *winners, "turns")}
    results |= {"laid": trace(graph, cards_laid, [table]), "taken": trace(graph, cards_taken, [table])}
    results |= {name: facts[name] for name in ("reshuffles", "trail")}
    scores = [graph.number(trace(graph, game.score, [table, seat])) for seat in range(players)]
    kept = [
        graph.number(trace(graph, mark, [table, seat])) for mark in game.look.marks * marks for seat in range(players)
    ]
    numbers = [*((f"score {seat}", value) for seat, value in enumerate(scores)), *(("a mark", value) for value in kept)]
    for name, value in [*results.items(), *numbers]:
        if not within(range_of(value), (-1 << 31, (1 << 32) - 1 if name == "trail" else (1 << 31) - 1)):
            raise UntraceableError(f"the result {name} may be out of range: {range_of(value)}")
    return LaneResults(graph, facts, results, scores, kept)
