"""What every executor relies on that the effects of a game do: how it ended, turns, laid and drawn cards, facts.

It is read from the effects, so that a game in which one is missing is refused where it is declared.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from opcode import EXTENDED_ARG, opmap
from types import ModuleType
from typing import Any, NamedTuple

from fsm.declaration.arcs import Invariant, Postcondition
from fsm.declaration.parts import Parts
from fsm.declaration.table_fields import default_values
from fsm.edge.kept import kept_weakly
from rules.piles import lay_open
from rules.rule import RuleFunction, label, mark_of
from rules.table import FourfoldTable

COPY, LOAD_ATTR, LOAD_FAST, LOAD_GLOBAL, STORE_ATTR = map(
    opmap.__getitem__, ("COPY", "LOAD_ATTR", "LOAD_FAST", "LOAD_GLOBAL", "STORE_ATTR")
)
SHIFT = {LOAD_ATTR: int(sys.version_info >= (3, 12)), LOAD_GLOBAL: 1, STORE_ATTR: 0}
"""The operations with names, each with the bits of its argument below the index of the name."""
OF_EVERY_TABLE = {entry.name for entry in fields(FourfoldTable)}
"""Fields that are in every position, or in none; but for what is due and drawn."""


def unmet(game: Parts) -> Iterator[str]:
    """The obligations that a game does not meet, with the arc or the phase."""
    assigned = {arc: _of_all(_assigned, arc.before) for arc in game.arcs}
    for arc in game.arcs:
        called = _of_all(_reached, arc.before)
        if arc.dest is game.final and "ending" not in assigned[arc]:
            yield f"arc {arc}: no effect says how the game ends, expected one that sets `ending`, such as shedding.win"
        if lay_open in called and "trail" not in assigned[arc]:
            yield f"arc {arc}: lays a card without a trace, expected `trace(table, card)` after lay_open"
    for where, functions in _uses(game):
        yield from (f"{where}: {fault}" for function in functions for fault in _unknown(function, game.table))
    going_on = [assigned[arc] for arc in game.arcs if arc.dest is not game.final]
    if any(control.starts_turn for control in game.control.values()) and not any("turns" in each for each in going_on):
        yield "no effect counts turns, expected `turns += 1` where a turn is over, as in shedding.next_player"
    yield from _missing_facts(game)


def rule_functions(game: Parts) -> Iterator[RuleFunction]:
    """What arcs, offers, properties, the deal and the score of a game call, directly or not."""
    masks = [
        mask for control in game.control.values() for offer in control.offers for mask in (offer.cards, offer.values)
    ]
    named = [function for _, functions in _uses(game) for function in functions]
    for function in filter(None, (*named, *masks, game.deal, game.deal_each, game.score)):
        yield from _reached(function)


def _uses(game: Parts) -> Iterator[tuple[str, tuple[RuleFunction, ...]]]:
    yield from ((f"arc {arc}", (*arc.conditions, *arc.unless, *arc.before)) for arc in game.arcs)
    conditions: tuple[Invariant | Postcondition, ...] = (*game.own_invariants, *game.postconditions)
    yield from ((f"property {each.description!r}", (each.holds,)) for each in conditions)


def _missing_facts(game: Parts) -> Iterator[str]:
    """Fields that effects or the deal set and rules read, and that belong to no position."""
    values = default_values(game.table)
    effects: list[RuleFunction] = [effect for arc in game.arcs for effect in arc.before]
    legal: list[RuleFunction] = [guard for arc in game.arcs for guard in (*arc.conditions, *arc.unless)]
    for control in game.control.values():
        legal += [mask for offer in control.offers for mask in (offer.cards, offer.values) if mask]
    known = {*(fact.field for fact in game.codec.facts), *(kind.value for kind in game.own_kinds)}
    own = {name for name, value in values.items() if not isinstance(value, bytearray)} - known - OF_EVERY_TABLE
    own -= {game.codec.melds.field} if game.codec.melds else set()
    lists = {name for name in own if isinstance(values[name], list)}
    changed = _of_all(_assigned, [*effects, game.deal]) | lists
    read = own & _of_all(_loaded, effects + legal) | ({"due", "drawn"} - known) & _of_all(_loaded, legal)
    for name in sorted(changed & read):
        fact = f'Fact("{name}", "{name}", "counts")' if name in lists else f'Fact("{name}", "{name}")'
        yield f"field {name}: rules read it and it belongs to no position, expected {fact} among the facts"


def _of_all(found: Any, functions: Iterable[RuleFunction]) -> set[Any]:
    return {each for function in functions for each in found(function)}


@kept_weakly
def _reached(function: RuleFunction) -> frozenset[RuleFunction]:
    """A function and all rule functions that it calls, directly or not."""
    found, waiting = {function}, [function]
    while waiting:
        now = waiting.pop()
        names = now.__code__.co_names
        named = [*map(now.__globals__.get, names), *(cell.cell_contents for cell in now.__closure__ or ())]
        named += [getattr(module, name, None) for module in named if isinstance(module, ModuleType) for name in names]
        new = {each for each in named if mark_of(each) is not None} - found
        found |= new
        waiting += new
    return frozenset(found)


class Names(NamedTuple):
    """The names that a function itself uses.

    changed: fields that it sets. read: fields that it reads, other than to count on: `table.turns += 1`. fields: those
    of the tables that are its arguments. globals: what it finds in its module.
    """

    changed: set[str]
    read: set[str]
    fields: set[str]
    globals: set[str]


@kept_weakly
def _names(function: RuleFunction) -> Names:
    found, code = Names(set(), set(), set(), set()), function.__code__
    extended, before = 0, (0, 0)
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        index = extended | argument
        extended = index << 8 if operation == EXTENDED_ARG else 0
        if operation in SHIFT:
            name = code.co_names[index >> SHIFT[operation]]
            if operation == LOAD_GLOBAL:
                found.globals.add(name)
            elif operation == STORE_ATTR:
                found.changed.add(name)
            elif before[0] != COPY:
                found.read.add(name)
            of_argument = before[0] == LOAD_FAST and before[1] < code.co_argcount
            if operation == STORE_ATTR or (operation == LOAD_ATTR and of_argument):
                found.fields.add(name)
        before = operation, argument
    return found


@kept_weakly
def _assigned(function: RuleFunction) -> frozenset[str]:
    """The fields to which a function and those that it calls assign."""
    return frozenset(name for each in _reached(function) for name in _names(each).changed)


@kept_weakly
def _loaded(function: RuleFunction) -> frozenset[str]:
    """The fields that a function and those that it calls read."""
    return frozenset(name for each in _reached(function) for name in _names(each).read)


def _unknown(function: RuleFunction, table: type) -> Iterator[str]:
    """Fields that a function reads or sets and the table does not have, and names that are not defined."""
    for name in sorted(_names(function).fields):
        if not hasattr(table, name):
            expected = f"expected {name}: int = seen_by_all(0), or in a house rule AddField"
            yield f"{label(function)!r} is about a field {name!r} of the table, {expected}"
    for each in _reached(function):
        for name in _names(each).globals:
            if name not in each.__globals__ and not hasattr(builtins, name):
                yield f"{label(each)!r} uses {name}, which is not defined"
