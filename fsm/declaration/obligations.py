"""What every executor relies on that the effects of a game do: how it ended, turns, laid and drawn cards, facts.

It is read from the effects, so that a game in which one is missing is refused where it is declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from opcode import EXTENDED_ARG, opmap
from typing import Any

from fsm.declaration.parts import Parts
from fsm.edge.kept import kept_weakly
from rules.piles import lay_open
from rules.rule import RuleFunction, mark_of
from rules.table import FourfoldTable

STORE_ATTR = opmap["STORE_ATTR"]


def unmet(game: Parts) -> Iterator[str]:
    """The obligations that a game does not meet, with the arc or the phase."""
    assigned = {arc: _of_all(_assigned, arc.before) for arc in game.arcs}
    for arc in game.arcs:
        called = _of_all(_reached, arc.before)
        if arc.dest is game.final and "ending" not in assigned[arc]:
            yield f"arc {arc}: no effect says how the game ends, expected one that sets `ending`, such as shedding.win"
        if lay_open in called and "trail" not in assigned[arc]:
            yield f"arc {arc}: lays a card without a trace, expected `trace(table, card)` after lay_open"
    going_on = [assigned[arc] for arc in game.arcs if arc.dest is not game.final]
    if any(control.starts_turn for control in game.control.values()) and not any("turns" in each for each in going_on):
        yield "no effect counts turns, expected `turns += 1` where a turn is over, as in shedding.next_player"
    yield from _missing_facts(game)


def _missing_facts(game: Parts) -> Iterator[str]:
    """Fields of the game's own that effects set and guards or offers read, and that belong to no position."""
    own = {entry.name for entry in fields(game.table)} - {entry.name for entry in fields(FourfoldTable)}
    own -= {*game.position_lists, *(fact.field for fact in game.codec.facts), *(kind.value for kind in game.own_kinds)}
    own -= {name for name in own if not isinstance(getattr(game.table(), name), int)}
    own &= _of_all(_assigned, (effect for arc in game.arcs for effect in arc.before))
    reading: list[Any] = [guard for arc in game.arcs for guard in (*arc.conditions, *arc.unless)]
    for control in game.control.values():
        reading += [mask for offer in control.offers for mask in (offer.cards, offer.values) if mask]
    for name in sorted(own & _of_all(_mentioned, reading)):
        yield f"field {name}: decides what is legal and belongs to no position, expected Fact({name!r}, {name!r})"


def _of_all(found: Any, functions: Iterable[RuleFunction]) -> set[Any]:
    return {each for function in functions for each in found(function)}


@kept_weakly
def _reached(function: RuleFunction) -> frozenset[RuleFunction]:
    """A function and all rule functions that it calls, directly or not."""
    found, waiting = {function}, [function]
    while waiting:
        now = waiting.pop()
        cells = [cell.cell_contents for cell in now.__closure__ or ()]
        named = [*map(now.__globals__.get, now.__code__.co_names), *cells]
        new = {each for each in named if mark_of(each) is not None} - found
        found |= new
        waiting += new
    return frozenset(found)


@kept_weakly
def _mentioned(function: RuleFunction) -> frozenset[str]:
    """The names that a function and those that it calls use, of fields among them."""
    return frozenset(name for each in _reached(function) for name in each.__code__.co_names)


@kept_weakly
def _assigned(function: RuleFunction) -> frozenset[str]:
    """The fields to which a function and those that it calls assign."""
    return frozenset(name for each in _reached(function) for name in _stored(each))


def _stored(function: RuleFunction) -> Iterator[str]:
    code, extended = function.__code__.co_code, 0
    for operation, argument in zip(code[::2], code[1::2], strict=True):
        index = extended | argument
        extended = index << 8 if operation == EXTENDED_ARG else 0
        if operation == STORE_ATTR:
            yield function.__code__.co_names[index]
