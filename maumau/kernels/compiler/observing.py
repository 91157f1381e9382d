"""What `observe` of `maumau.kernels.compiled.observing` reads of a game: the parts of an observation.

The constants are beside `KIND`, the index of the name of each card code, and the indices SEEN, LYING, LEFT and LAST of
the notes that are kept on a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.table.sight import sight_of
from maumau.kernels.compiled.observing import observe
from maumau.kernels.compiled.sights import ALL, hand, shown
from maumau.kernels.compiler.past import audience
from maumau.kernels.compiler.program import KernelSource
from maumau.kernels.compiler.sights import search_constants, seen_by
from maumau.kernels.compiler.source import Constants
from rules.rule import RuleFunction


class ShownPart(Protocol):
    """A part of an observation."""

    @property
    def shows(self) -> str:
        """What it shows."""

    @property
    def fact(self) -> Fact | None:
        """The fact that it is about."""

    @property
    def step(self) -> int:
        """How many seats after the observer the seat is that it is about."""

    @property
    def start(self) -> int:
        """The index of its first number."""

    @property
    def width(self) -> int:
        """How many numbers it has."""


@dataclass(frozen=True)
class ObservingPlan:
    """What `observe` is written for.

    players: how many. hands: the fields that hold the hands. kinds: the index of each card code's name. parts: what is
    observed. most: the greatest number; greater ones are cut off. triggers: how many events players choose among.
    events: how many of the last ones are observed.
    """

    game: Declaration
    players: int
    hands: tuple[str, ...]
    kinds: tuple[int, ...]
    parts: Sequence[ShownPart]
    most: int
    triggers: int = 0
    events: int = 0

    def audience(self, phase: Phase, trigger: str) -> tuple[int, int, int]:
        """Return who sees that an event happened in a phase, who sees its card, and who sees its value."""
        return audience(self.game, phase, trigger)

    def in_python(
        self, constants: Mapping[str, Any], *compiled: Callable[..., None]
    ) -> tuple[Callable[..., None], ...]:
        """Return functions for Python: the one that writes observations, and compiled ones, which keep notes.

        constants: what all take for granted. compiled: these functions.
        """
        called: tuple[RuleFunction, ...] = observe, hand, shown, *compiled
        names = {**constants, **observing_constants(self), "PLAYERS": self.players}
        names = KernelSource("", {function.__name__: function for function in called}).in_python(names)
        return names["observe"], *(names[function.__name__] for function in compiled)


def observing_constants(plan: ObservingPlan) -> Constants:
    """Return what `observe` reads of a plan, beside KIND and the indices of what is noted."""
    by_name: dict[int, int] = {}
    for code in sorted(set(plan.game.full_deck())):
        by_name[plan.kinds[code]] = by_name.get(plan.kinds[code], 0) | 1 << code
    run = next((name for name in by_name if by_name[name] != 1 << name), len(by_name))
    asked = [number for phase, number in plan.game.phase_numbers.items() if plan.game.control_of(phase).offers]
    melds = plan.game.codec.melds
    return search_constants(plan.game, plan.players, plan.hands) | {
        "CARD_NAMES": 1 + max(plan.kinds),
        "CARD_PARTS": tuple(_card_part(part) for part in plan.parts if part.shows in CARDS),
        "EVENT_WIDTH": sum(part.width // plan.events for part in plan.parts if part.shows == "past"),
        "FACT_PARTS": tuple(row for part in plan.parts if part.shows == "fact" for row in _fact_parts(plan, part)),
        "GAME_PARTS": tuple(
            row for part in plan.parts if part.shows not in (*CARDS, "fact") for row in _game_parts(plan, part)
        ),
        "MELD_BITS": melds.bits if melds else 0,
        "MORE_HANDS": plan.hands[1:],
        "MOST_SHOWN": plan.most,
        "NAMES_IN_ORDER": run,
        "NAME_MASKS": tuple((name, by_name[name]) for name in range(run, len(by_name))),
        "PHASES_ASKED": tuple(asked.index(n) if n in asked else -1 for n in plan.game.phase_numbers.values()),
        "PILES": tuple((fact.field, fact.is_queue, fact.in_middle) for fact in plan.game.piles),
        "TRIGGERS": plan.triggers,
    }


CARDS = "hand", "open card", "discarded", "known in pile", "known in hand", "pile"
"""The parts that show cards."""


def _card_part(part: ShownPart) -> tuple[str, int, int, int, str, bool, bool]:
    """A part that shows cards: what, the index, the width, the seat after the observer, the pile, and its kind."""
    pile = (part.fact.field, part.fact.is_queue, part.fact.in_middle) if part.fact else ("", False, False)
    return part.shows, part.start, part.width, part.step, *pile


def _fact_parts(plan: ObservingPlan, part: ShownPart) -> Iterator[tuple[str, int, int, int, str, int]]:
    """The parts that show a fact: what, the index, the width, the seat after the observer, the field, who sees it."""
    assert part.fact
    fact, sight = part.fact, sight_of(plan.game)
    if fact.kind in ("counts", "seats"):
        what = "count" if fact.kind == "counts" else "in set"
        for step in range(plan.players):
            is_seen = sight.sees(fact.field, sight.relation(0, step))
            yield what if is_seen else "hidden", part.start + step, 1, step, fact.field, ALL
        return
    what = "set" if fact.holds.is_set else "number" if not fact.holds.of else "card"
    if what == "card" and fact.kind in ("seat", "suit", "rank"):
        what = "seat" if fact.kind == "seat" else "code"
    yield what, part.start, part.width, 0, fact.field, seen_by(plan.game, fact.field)


def _game_parts(plan: ObservingPlan, part: ShownPart) -> Iterator[tuple[str, int, int, int, str, bool]]:
    """The other parts: what, the index, the width, the seat after the observer, the field, and if it is ordered."""
    field, is_queue = (part.fact.field, part.fact.is_queue) if part.fact else ("", False)
    by_seat = {"hand sizes": "hand size", "pile sizes": "pile size"}
    if part.fact and part.fact.in_middle:
        yield "middle size", part.start, 1, 0, field, is_queue
    elif part.shows in by_seat:
        for step in range(plan.players):
            yield by_seat[part.shows], part.start + step, 1, step, field, is_queue
    else:
        melds = plan.game.codec.melds
        yield part.shows, part.start, part.width, part.step, melds.field if melds else field, is_queue
