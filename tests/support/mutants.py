"""Mutants of declarations: each has one fault, which the checks must detect."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from fsm import Game
from fsm.check import explore_stepped
from fsm.check.stepped import Walk
from fsm.declaration.arcs import Arc, SmallDeck
from fsm.declaration.declaration import Declaration, DeclarationError
from rules.rule import RuleFunction

DEFINITION = "the declaration"


@dataclass(frozen=True)
class Mutant:
    """A fault: what was done, and how to make the declaration that has it, which may be refused."""

    description: str
    declaration: Callable[[], Declaration]

    def caught_by(self, kind: type[Game], *decks: SmallDeck) -> str | None:
        """The first property that fails with one of some small decks, or None if the fault is not caught."""
        try:
            declaration = self.declaration()
        except DeclarationError:
            return DEFINITION
        faulty: type[Game] = type(kind.__name__, (kind,), {"declaration": declaration})
        for deck in decks:
            if failures := explore_stepped(faulty, deck, first=True).failures:
                return failures[0]
        return None

    def is_none(self, kind: type[Game], *decks: SmallDeck) -> bool:
        """Whether the fault is none: whether with all small decks exactly the same is reached by the same events."""
        faulty: type[Game] = type(kind.__name__, (kind,), {"declaration": self.declaration()})
        return all(_reached(faulty, deck) == _reached(kind, deck) for deck in decks)


@cache
def _reached(kind: type[Game], deck: SmallDeck) -> tuple[set[Hashable], list[int]]:
    walk = Walk(kind, deck)
    report = walk.run()
    return walk.seen, [report.fired[arc] for arc in report.game.arcs]


def with_arc(game: Declaration, place: int, arc: Arc | None, description: str) -> Mutant:
    """The game with another arc in the place of one, or without it."""
    arcs = game.arcs[:place] + (() if arc is None else (arc,)) + game.arcs[place + 1 :]
    return Mutant(f"{description}: {game.arcs[place]}", lambda: replace(game, arcs=arcs))


def mutants(game: Declaration) -> Iterator[Mutant]:
    """All faults of one arc: it is gone, leads elsewhere, a guard is dropped or turned round, a callback is dropped,
    done twice, or comes in another order.
    """
    for place, arc in enumerate(game.arcs):
        yield with_arc(game, place, None, "arc dropped")
        for description, changed in (*destinations(game, arc), *guards(arc), *callbacks(arc)):
            yield with_arc(game, place, changed, description)


def destinations(game: Declaration, arc: Arc) -> Iterator[tuple[str, Arc]]:
    """The arc with each other destination."""
    for phase in game.phases:
        if phase is not arc.dest:
            yield f"leads to {phase}", replace(arc, dest=phase)


def guards(arc: Arc) -> Iterator[tuple[str, Arc]]:
    """The arc with a guard dropped, or turned round."""
    for guard in arc.conditions:
        without = tuple(each for each in arc.conditions if each is not guard)
        yield f"guard {guard.__name__} dropped", replace(arc, conditions=without)
        yield f"guard {guard.__name__} excluded", replace(arc, conditions=without, unless=(*arc.unless, guard))
    for guard in arc.unless:
        without = tuple(each for each in arc.unless if each is not guard)
        yield f"guard not {guard.__name__} dropped", replace(arc, unless=without)
        yield f"guard {guard.__name__} demanded", replace(arc, unless=without, conditions=(*arc.conditions, guard))


def callbacks(arc: Arc) -> Iterator[tuple[str, Arc]]:
    """The arc with a callback dropped, done twice, or done after the next one."""
    for place, callback in enumerate(arc.before):
        before, after = arc.before[:place], arc.before[place + 1 :]
        yield f"callback {callback.__name__} dropped", replace(arc, before=before + after)
        yield f"callback {callback.__name__} twice", replace(arc, before=(*before, callback, callback, *after))
        if after:
            yield f"callback {callback.__name__} late", replace(arc, before=(*before, after[0], callback, *after[1:]))


def with_function(game: Declaration, old: RuleFunction, new: RuleFunction) -> Mutant:
    """The game with another function in the place of one, in all arcs."""

    def put(functions: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(new if function is old else function for function in functions)

    arcs = tuple(
        replace(arc, conditions=put(arc.conditions), unless=put(arc.unless), before=put(arc.before))
        for arc in game.arcs
    )
    disjoint = tuple(put(group) for group in game.disjoint)
    description = f"{new.__name__} in the place of {old.__name__}"
    return Mutant(description, lambda: replace(game, arcs=arcs, disjoint=disjoint))
