"""From a declaration to the source of what depends on the game in an explorer (`maumau.kernels.compiled.explore`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from textwrap import indent
from typing import Any, NamedTuple

from fsm.check.inspector import masks_of
from fsm.check.properties import GENERAL, properties
from fsm.check.readable import readable_constants, readable_source
from fsm.declaration.arcs import Arc, Guards, Offer, Phase
from fsm.declaration.declaration import Declaration, functions
from fsm.declaration.dice import MAX_OUTCOMES, follows_dice
from fsm.declaration.facts import ValueKind
from fsm.declaration.introspection import names_in
from fsm.declaration.temporal import Condition, queries_of
from fsm.edge.kept import kept
from maumau.kernels.compiled.explore import (
    FORCED,
    OFFERED,
    PLAIN,
    explore,
    no_values,
    note_fault,
    raised,
    write,
    write_cards,
    write_values,
)
from maumau.kernels.compiled.workspace import warm_up_of
from maumau.kernels.compiler.program import (
    KernelSource,
    Program,
    in_comment,
    mention,
    module_source,
    numbered,
)
from maumau.kernels.compiler.source import Constants, constants_source, row_constants
from rules.rule import Guard

COMPILED = (explore, no_values, note_fault, raised, write, write_cards, write_values)
"""The entry of an explorer, and what the source that is written for a game calls."""
MASK_BITS = 62
"""Numbers in a mask, which is a positive 64-bit integer."""


@dataclass(frozen=True)
class Pair:
    """A phase and an event with the arcs that it may fire there."""

    phase: Phase
    trigger: str
    offer: Offer | None
    arcs: tuple[Arc, ...]

    @property
    def guards(self) -> Guards:
        """The guards of its arcs, each once."""
        return tuple(dict.fromkeys(guard for arc in self.arcs for guard in arc.conditions + arc.unless))


def pairs(game: Declaration) -> tuple[Pair, ...]:
    """All phases with their events, by number."""
    found = []
    for phase in game.phases:
        control = game.control_of(phase)
        found += [Pair(phase, trigger, None, game.leaving(phase, trigger)) for trigger in control.forced]
        found += [Pair(phase, offer.trigger, offer, game.leaving(phase, offer.trigger)) for offer in control.offers]
    return tuple(found)


def batch(game: Declaration) -> int:
    """Deals or positions after which what was found is settled."""
    return 1 << 10 if not follows_dice(game) else (1 << 10) // MAX_OUTCOMES


def most_events(game: Declaration) -> int:
    """An upper bound of the number of events that are tried at a position, forced ones included."""
    return max(sum(_most_of(game, offer) for offer in control.offers) for control in game.control.values()) + 16


def _most_of(game: Declaration, offer: Offer) -> int:
    """An upper bound of the number of events of an offer: each card with each value, or without one, and each other bit
    of a hand.
    """
    cards, values = map(int.bit_count, masks_of(game, offer))
    return (values + 1) * max(cards, 1) + MASK_BITS * bool(cards)


def exploring(game: Declaration) -> Program:
    """`explore`, which stages the positions to which those that are known lead."""
    return Program("explore", explorer_source, game, _warm_up, game, large=True, small=True, checked=True)


def explorer_source(game: Declaration) -> KernelSource:
    """The source of a module with `explore`."""
    parts = [
        constants_source(_constants(game)),
        readable_source(game),
        _propose(game),
        _name_value(game),
        _enabled(game),
        _fire(game),
        _invariants(game),
        _postconditions(game),
        _conditions(game),
    ]
    title = f"{game.title} explored: generated from its declaration."
    queries = chain.from_iterable(map(queries_of, game.responses))
    return module_source(title, parts, chain(functions(game), queries), COMPILED)


def _constants(game: Declaration) -> Constants:
    """What the compiled functions of an explorer read of a game."""
    assert game.deal_each is not None
    numbers = game.phase_numbers
    return {
        "BATCH": batch(game),
        "DESTS": tuple(numbers[arc.dest] for arc in game.arcs),
        "FEW": len(properties(game)),
        "FINAL": numbers[game.final],
        "INITIAL": numbers[game.initial],
        "SEED": -1 if follows_dice(game) else 0,
        "RETURNS": tuple(int(game.control_of(phase).may_return) for phase in game.phases),
        "game_deal_each": game.deal_each,
        **readable_constants(game),
        **row_constants(game),
    }


def _warm_up(game: Declaration) -> tuple[Any, ...]:
    return warm_up_of(explore)


def _chain(name: str, blocks: Iterable[list[str]]) -> str:
    """What is done by the value of a name."""
    return indent(numbered(name, (("", block) for block in blocks), certain=False), "    ")


def _propose(game: Declaration) -> str:
    numbered = list(enumerate(pairs(game)))
    blocks = (
        [
            *(
                line
                for bit, guard in enumerate(asked_alike(game, phase))
                for line in (f"answers |= ({mention(guard)}(table) != 0) << {bit}", f"failed |= faulted() << {bit}")
            ),
            *(line for number, pair in numbered if pair.phase is phase for line in _candidates(game, number, pair)),
        ]
        for phase in game.phases
    )
    return f'''def propose(table, phase, events):
    """Write down every conceivable event, the forced ones first: how many, the answers of guards asked alike, and which
    of these fail.
    """
    count = answers = failed = 0
{_chain("phase", blocks)}
    return count, answers, failed'''


def _candidates(game: Declaration, number: int, pair: Pair) -> Iterator[str]:
    """Statements that write down the events of a pair. A value that is not offered is refused, whatever guards say."""
    if pair.offer is None:
        yield f"count = write(events, count, {number}, -1, -1, {FORCED})"
        return
    values = mention(pair.offer.values) if pair.offer.values else no_values.__name__
    all_cards, all_values = masks_of(game, pair.offer)
    yield "if table.returned == 0:"
    if pair.offer.cards is not None:
        named = "table.hands[table.player]" if pair.offer.from_hand else all_cards
        offered = f"mask_of({mention(pair.offer.cards)}(table), {named})"
        yield f"    count = write_cards(table, events, count, {number}, {offered}, {values}, {all_values})"
    elif pair.offer.values is not None:
        yield f"    count = write_values(events, count, {number}, -1, mask_of({values}(table), {all_values}))"
    else:
        yield f"    count = write(events, count, {number}, -1, -1, {OFFERED if pair.offer.always else PLAIN})"


def _name_value(game: Declaration) -> str:
    lines = "\n".join(f"    {line}" for line in _naming(game))
    return f'''def name_value(table, before, pair, card, value):
    """Put the value of an event on the table, in the field of its kind; the others are as on the table `before`."""
{lines}'''


def _naming(game: Declaration) -> Iterator[str]:
    """Statements that put the value of an event on the table, in the field of its kind."""
    kinds = [game.value_kind(pair.trigger) for pair in pairs(game)]
    if not game.own_kinds:
        yield "table.suit = value"
        return
    yield f"table.suit = value if {one_of('pair', [kind is ValueKind.SUIT for kind in kinds])} else -1"
    for own in game.own_kinds:
        named = f"(card >= 0 or value >= 0) and {one_of('pair', [kind is own for kind in kinds])}"
        yield f"table.{own} = value if {named} else before.{own}"


@kept
def asked_alike(game: Declaration, phase: Phase) -> list[Guard[Any]]:
    """The guards that several events of a phase ask, one of which is always tried, and that do not depend on the event:
    neither they nor what they call have the name of a field into which its card or its value is put.
    """
    several = [pair for pair in pairs(game) if pair.phase is phase]
    always = {guard for pair in several if not (pair.offer and pair.offer.named) for guard in pair.guards}
    counts = Counter(guard for pair in several for guard in pair.guards)
    fields = {"card", "suit", *map(str, game.own_kinds)}
    shared = [guard for guard, count in counts.items() if guard in always and count > 1]
    return [guard for guard in shared if fields.isdisjoint(names_in([guard], "LOAD_ATTR"))][:MASK_BITS]


def _enabled(game: Declaration) -> str:
    doc = '    """How many arcs of an event are enabled, the place of the last one, and whether a guard fails."""'
    asking = _chain("pair", (_asking(pair, asked_alike(game, pair.phase)) for pair in pairs(game)))
    head, end = "def enabled(table, pair, answers, failed):", "return arcs, last, fails"
    return f"{head}\n{doc}\n    arcs, last, fails = 0, -1, 0\n{asking}\n    {end}"


def _asking(pair: Pair, shared: Sequence[Guard[Any]]) -> list[str]:
    """Statements that ask each guard of an event once, and then put the answers together for each arc: as if they were
    asked one after another, as far as they hold, one that fails does so only where it is asked.
    """
    answers = {guard: f"answer_{number}" for number, guard in enumerate(pair.guards)}
    bits = {guard: f">> {bit} & 1" for bit, guard in enumerate(shared)}
    lines = []
    for number, (guard, answer) in enumerate(answers.items()):
        alike = bits.get(guard)
        lines += [
            f"{answer} = {f'answers {alike}' if alike else f'{mention(guard)}(table)'}",
            f"fails_{number} = {f'failed {alike}' if alike else 'faulted()'}",
        ]
    for index, arc in enumerate(pair.arcs):
        conditions = [answers[guard] for guard in arc.conditions] + [f"not {answers[guard]}" for guard in arc.unless]
        lines += [f"if {' and '.join(conditions) or 'True'}:", "    arcs += 1", f"    last = {index}"]
        failing = "0"
        for condition, guard in [*zip(conditions, arc.conditions + arc.unless, strict=True)][::-1]:
            failing = f"fails_{pair.guards.index(guard)} or {condition} and ({failing})"
        lines += [f"if {failing}:", "    fails = 1"] * bool(conditions)
    return lines


def _fire(game: Declaration) -> str:
    def fired(arc: Arc) -> tuple[Arc, list[str]]:
        return arc, [*(f"{mention(callback)}(table)" for callback in arc.before), f"arc = {game.arcs.index(arc)}"]

    blocks = [[numbered("place", map(fired, pair.arcs), certain=False)] for pair in pairs(game)]
    doc = '    """Fire the arc at a place among those of an event; its number."""'
    return f"def fire(table, pair, place):\n{doc}\n    arc = 0\n{_chain('pair', blocks)}\n    return arc"


def _invariants(game: Declaration) -> str:
    properties = [
        Property(number, each.description, f"{mention(each.holds)}(table)", list(map(each.concerns, game.phases)))
        for number, each in enumerate(game.all_invariants, GENERAL)
    ]
    return _soundness("hold(table, phase, faults, here)", "invariants", properties, "phase", "-1")


def _postconditions(game: Declaration) -> str:
    properties = [
        Property(number, each.description, f"{mention(each.holds)}(before, table)", list(map(each.concerns, game.arcs)))
        for number, each in enumerate(game.postconditions, GENERAL + len(game.all_invariants))
    ]
    return _soundness("done(before, table, arc, faults, here, move)", "postconditions", properties, "arc", "move")


class Property(NamedTuple):
    """A property by number. holds: the expression that says so. where: the phases or the arcs for which it must."""

    number: int
    description: str
    holds: str
    where: Sequence[bool]


def _soundness(head: str, what: str, properties: Sequence[Property], name: str, event: str) -> str:
    """A function that notes which properties do not hold. name: of the phase or the arc.

    What several say is asked once, and what must hold for the same phases or arcs is asked together.
    """
    asked: dict[str, list[Property]] = {}
    for each in properties:
        asked.setdefault(each.holds, []).append(each)
    together: dict[tuple[bool, ...], list[str]] = {}
    for holds, several in asked.items():
        where = tuple(map(any, zip(*(each.where for each in several), strict=True)))
        lines = together.setdefault(where, [])
        lines += [
            f"held = {holds}",
            f"if raised(faults, here, {event}):",
            "    sound = False",
            f"elif not held:  # {in_comment('; '.join(each.description for each in several))}",
            "    sound = False",
        ]
        for each in several:
            noted = f"note_fault(faults, {each.number}, here, {event})"
            lines += (
                [f"    {noted}"]
                if tuple(each.where) == where
                else [f"    if {one_of(name, each.where)}:", f"        {noted}"]
            )
    body = ["sound = True"]
    for where, lines in together.items():
        body += lines if all(where) else [f"if {one_of(name, where)}:", *(f"    {line}" for line in lines)]
    return f'def {head}:\n    """Whether all {what} hold."""\n{indent(chr(10).join([*body, "return sound"]), "    ")}'


BEGINS, ENDS = 1, 2
"""Two bits of a position that is judged by a response."""
TOGETHER = 4
"""Responses whose bits are in one byte."""


def _conditions(game: Declaration) -> str:
    """A function that judges a position by some of the responses."""
    doc = '    """Where in a position responses begin, and where they end."""'

    def fulfilled(conditions: Sequence[Condition]) -> str:
        queries = [f"{mention(each)}(table)" for each in conditions if not isinstance(each, Phase)]
        return " or ".join([one_of("phase", [phase in conditions for phase in game.phases]), *queries])

    blocks: list[list[str]] = []
    for number, response in enumerate(game.responses):
        blocks += [[]] * (number % TOGETHER == 0)
        for bit, parts in ((BEGINS, response.start), (ENDS, response.goal)):
            blocks[-1] = [*blocks[-1], f"if {fulfilled(parts)}:", f"    judged |= {bit << 2 * (number % TOGETHER)}"]
    return f"def conditions(table, phase, part):\n{doc}\n    judged = 0\n{_chain('part', blocks)}\n    return judged"


def one_of(name: str, numbers: Sequence[bool]) -> str:
    """The condition that the number called `name` is one of those at whose places `numbers` is true."""
    words = [numbers[first : first + MASK_BITS] for first in range(0, len(numbers), MASK_BITS)]
    masks = [str(sum(1 << index for index, true in enumerate(word) if true)) for word in words]
    chosen = masks[-1]
    for index, mask in list(enumerate(masks[:-1], 1))[::-1]:
        chosen = f"({mask} if {name} < {index * MASK_BITS} else {chosen})"
    return f"{chosen} >> {name} % {MASK_BITS} & 1 == 1"
