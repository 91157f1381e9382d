"""What an explorer (`maumau.kernels.compiled.explore`) reads of a game: constants, made from its declaration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from fsm.check.properties import BasicProperty
from fsm.check.readable import PositionTest
from fsm.declaration.arcs import Arc, Offer, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.edge.errors import CompilationError
from fsm.edge.kept import kept
from maumau.kernels.compiled.events import nothing
from maumau.kernels.compiled.explore import IN_MASK, explore
from maumau.kernels.compiler.program import KernelSource, Program, module_source
from maumau.kernels.compiler.rows import row_constants
from maumau.kernels.compiler.source import Constants, constants_source
from rules.rule import RuleFunction

Stated = tuple[Callable[[Any], bool], RuleFunction]
"""A property: whether it concerns a phase or an arc, and what must hold there."""
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
    def guards(self) -> tuple[RuleFunction, ...]:
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
    return (1 << 10) // game.most_outcomes


def most_events(game: Declaration) -> int:
    """An upper bound of the number of events that are tried at a position, forced ones included."""
    return max(sum(_most_of(game, offer) for offer in control.offers) for control in game.control.values()) + 16


def _most_of(game: Declaration, offer: Offer) -> int:
    """An upper bound of the number of events of an offer: each card with each value, or without one, and each other bit
    of a hand.
    """
    cards, values = map(int.bit_count, game.masks_named(offer))
    return (values + 1) * max(cards, 1) + MASK_BITS * bool(cards)


def exploring(game: Declaration) -> Program:
    """`explore`, which stages the positions to which those that are known lead."""
    return Program(explore, explorer_source, game, game, large=True, small=True, checked=True)


def explorer_source(game: Declaration) -> KernelSource:
    """The source of a module with `explore`."""
    parts = [constants_source(_constants(game)), PositionTest(game).source]
    title = f"{game.title} explored: generated from its declaration."
    queries = chain.from_iterable(response.queries for response in game.responses)
    return module_source(title, parts, chain(game.functions, queries, [nothing]), [explore])


def _constants(game: Declaration) -> Constants:
    """What the compiled functions of an explorer read of a game."""
    assert game.deal_each is not None
    numbers, numbered = game.phase_numbers, list(enumerate(pairs(game)))
    after = len(BasicProperty) + len(game.all_invariants)
    effects = list(dict.fromkeys(arc.before for arc in game.arcs))
    invariants, postconditions = (
        [(each.concerns, each.holds) for each in stated] for stated in (game.all_invariants, game.postconditions)
    )
    return {
        "ARC_EFFECTS": tuple(effects.index(arc.before) for arc in game.arcs),
        "ASKED": tuple(_asked(game, *place) for place in numbered),
        "BATCH": batch(game),
        "CONDITIONS": tuple(each for place in numbered for each in _conditions(game, *place)),
        "DESTS": tuple(numbers[arc.dest] for arc in game.arcs),
        "EFFECTS": tuple(enumerate(effects)),
        "FEW": after + len(game.postconditions),
        "FINAL": numbers[game.final],
        "INITIAL": numbers[game.initial],
        "INVARIANTS": _together(len(BasicProperty), invariants, tuple(game.phases)),
        "OUTCOMES": game.most_outcomes,
        "OWN_KINDS": tuple((number, str(kind)) for number, kind in enumerate(game.own_kinds, 1)),
        "POSTCONDITIONS": _together(after, postconditions, game.arcs),
        "PROPOSED": tuple(_proposed(game, phase) for phase in game.phases),
        "RESPONSES": tuple(_responses(game)),
        "RETURNS": tuple(int(game.control_of(phase).may_return) for phase in game.phases),
        "SEED": -1 if game.follows_dice else 0,
        "VALUE_KINDS": tuple(_value_kind(game, pair.trigger) for pair in pairs(game)),
        "game_deal_each": game.deal_each,
        **PositionTest(game).constants,
        **row_constants(game),
    }


# ---------------------------------------------------------------- events


@kept
def asked_alike(game: Declaration, phase: Phase) -> list[RuleFunction]:
    """The guards that several events of a phase ask, one of which is always tried, and that do not depend on the event:
    neither they nor what they call have the name of a field into which its card or its value is put.
    """
    several = [pair for pair in pairs(game) if pair.phase is phase]
    always = {guard for pair in several if not (pair.offer and pair.offer.named) for guard in pair.guards}
    counts = Counter(guard for pair in several for guard in pair.guards)
    fields = {"card", "suit", *map(str, game.own_kinds)}
    shared = [guard for guard, count in counts.items() if guard in always and count > 1]
    return [guard for guard in shared if fields.isdisjoint(game.reads([guard]))]


def _proposed(game: Declaration, phase: Phase) -> tuple[object, ...]:
    """What is tried in a phase: its number, the guards that are asked alike, the forced events, and what is offered."""
    here = [(number, pair) for number, pair in enumerate(pairs(game)) if pair.phase is phase]
    forced = tuple(number for number, pair in here if pair.offer is None)
    alike = tuple((guard, bit) for bit, guard in enumerate(asked_alike(game, phase)))
    offers = tuple((number, *_offered(game, pair.offer)) for number, pair in here if pair.offer is not None)
    return game.phase_numbers[phase], alike, forced, offers


def _offered(game: Declaration, offer: Offer) -> tuple[object, ...]:
    """What is offered: the cards and the values, each with the mask of all that there are."""
    what = "always" if offer.always else "guarded"
    if offer.cards is not None:
        what = "cards in hand" if offer.from_hand else "cards"
    elif offer.values is not None:
        what = "values"
    cards, values = game.masks_named(offer)
    return what, offer.cards or nothing, cards, offer.values or nothing, values


def _value_kind(game: Declaration, trigger: str) -> int:
    """The number of the kind of the value that is named with an event: 0 for a suit."""
    return (ValueKind.SUIT, *game.own_kinds).index(game.value_kind(trigger))


def _asked(game: Declaration, number: int, pair: Pair) -> tuple[object, ...]:
    """What is asked of an event: its own guards, and for each arc the bits of its guards and those that must be set."""
    bits, shared = _bits_of(game, pair), asked_alike(game, pair.phase)

    def mask(guards: Iterable[RuleFunction]) -> int:
        return sum(1 << bits[guard] for guard in set(guards))

    def asked(arc: Arc) -> tuple[object, ...]:
        return game.arcs.index(arc), arc.trigger, mask(arc.conditions + arc.unless), mask(arc.conditions)

    own = tuple((guard, bit) for guard, bit in bits.items() if guard not in shared)
    return number, own, tuple(map(asked, pair.arcs))


def _conditions(game: Declaration, number: int, pair: Pair) -> Iterator[tuple[int, int, int, int]]:
    """The conditions of the arcs of an event, in the order in which they are asked: the bit and the answer of each."""
    bits = _bits_of(game, pair)
    for arc in pair.arcs:
        for guards, answer in ((arc.conditions, 1), (arc.unless, 0)):
            yield from ((number, game.arcs.index(arc), bits[guard], answer) for guard in guards)


def _bits_of(game: Declaration, pair: Pair) -> dict[RuleFunction, int]:
    """The bits of the guards that are asked alike in the phase of an event, and of its own ones.

    Raises CompilationError where these are too many.
    """
    guards = dict.fromkeys([*asked_alike(game, pair.phase), *pair.guards])
    if len(guards) > MASK_BITS:
        found = f"{pair.trigger} in {pair.phase}: {len(guards)} guards are asked"
        raise CompilationError(f"{found}; ask at most {MASK_BITS}")
    return {guard: bit for bit, guard in enumerate(guards)}


# ---------------------------------------------------------------- properties


def _together(first: int, properties: Iterable[Stated], places: Sequence[Any]) -> tuple[object, ...]:
    """What must hold for the same phases or arcs: the masks of these, and the properties with their rule functions.

    first: the number of the first property. places: all phases or arcs.
    """
    together: dict[tuple[int, ...], list[tuple[int, RuleFunction]]] = {}
    for number, (concerns, holds) in enumerate(properties, first):
        together.setdefault(_masks(map(concerns, places)), []).append((number, holds))
    return tuple((masks, tuple(stated)) for masks, stated in together.items())


def _masks(chosen: Iterable[bool]) -> tuple[int, ...]:
    """The masks of the phases or arcs that are chosen; where all are, each has all bits, so nothing is asked."""
    bits = list(chosen)
    words = [bits[first : first + IN_MASK] for first in range(0, len(bits), IN_MASK)]
    return tuple(-1 if all(bits) else sum(is_there << bit for bit, is_there in enumerate(word)) for word in words)


BEGINS, ENDS = 1, 2
"""Two bits of a position that is judged by a response."""
TOGETHER = 4
"""Responses whose bits are in one byte."""


def _responses(game: Declaration) -> Iterator[tuple[object, ...]]:
    """By what a position is judged: the part, the bit, for each phase whether it is enough, and the queries."""
    for number, response in enumerate(game.responses):
        part, place = divmod(number, TOGETHER)
        for bit, several in ((BEGINS, response.start), (ENDS, response.goal)):
            phases = _masks(phase in several for phase in game.phases)
            queries = tuple(each for each in several if not isinstance(each, Phase))
            yield part, bit << 2 * place, phases, queries
