"""What is wrong with the table, the facts and what rule functions do in a declaration, found without playing.

Obligations are what every executor relies on that the rule functions of a game do, and what they must do without. The
effects say how it ended, turns, laid and drawn cards, facts: this is read from them, so that a game in which one is
missing is refused where it is declared. What cannot be compiled is named there as well, with its line.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise
from opcode import opmap
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple
from warnings import warn_explicit

from fsm.declaration.dealing import DealtParts
from fsm.declaration.decks import NAME, PLAIN_NAME
from fsm.declaration.facts import KINDS, MAX_NUMBER, MAX_TALLY, Fact, default_values
from fsm.declaration.introspection import names_read, operations_of, reached, source_tree
from fsm.declaration.parts import HANDS, Parts
from fsm.declaration.shapes import rule_uses, uses
from fsm.edge.errors import CompilationWarning
from fsm.edge.kept import kept
from rules.chance import roll
from rules.notation import UNKNOWN, shown
from rules.piles import lay_open
from rules.queues import QUEUE_BYTES
from rules.rule import Role, RuleFunction, label, mark_of
from rules.table import FourfoldTable
from rules.visibility import visibility


def unfit_table(game: Parts) -> Iterator[str]:
    """Fields that are not integers, lists of them or byte rings, and room for too few seats or cards."""
    for name, value in default_values(game.table).items():
        if not (
            isinstance(value, int | bytearray) or (isinstance(value, list) and all(isinstance(x, int) for x in value))
        ):
            expected = "an integer, a list of integers or a bytearray"
            yield f"table: {name} is {shown(value)}; use {expected}, such as {name}: int = seen_by_all(0)"
        elif isinstance(value, list) and len(value) < game.codec.most:
            seats = f"{len(value)} seats, there are up to {game.codec.most} players"
            yield f"table: {name} has {seats}; declare factory=each_seat({game.codec.most})"
        elif isinstance(value, bytearray) and len(value) < game.deck_size:
            size = f"{len(value)} places, the deck has {game.deck_size} cards"
            yield f"table: {name} has {size}; declare ring_of({1 << (game.deck_size - 1).bit_length()})"

    alone = [players for players in game.codec.players if game.scoring.sides and players % game.scoring.sides]
    if alone and any(seen_by.has_partners for seen_by in visibility(game.table).values()):
        yield f"table: a field is seen by partners, but {alone[0]} players have none; use seen_by_owner"


def unfit_facts(game: DealtParts) -> Iterator[str]:
    """Facts of a field that the table does not have, of an unknown kind, or with the name of another one."""
    values = default_values(game.table)
    names: set[str] = set()
    for fact in game.codec.facts:
        if fact.name in names:
            yield f"fact {fact.name}: another fact has this name; use different names"
        names.add(fact.name)
        room = MAX_TALLY if fact.kind == "counts" else MAX_NUMBER
        if not NAME.fullmatch(fact.name) or fact.name in ("hands", "melds", "discard", "draw"):
            yield f"fact {shown(fact.name)} is not a name of a fact in a position; {PLAIN_NAME}, and not that of a pile"
        if fact.kind not in KINDS:
            yield f"fact {fact.name}: unknown kind {shown(fact.kind)}; use one of {', '.join(KINDS)}"
        elif (of := fact.holds.of) in ("suit", "rank") and not getattr(game.codec.notation, f"{of}s"):
            yield f"fact {fact.name}: the notation has no {of}s; declare Notation(..., {of}s=...)"
        elif fact.words and (fact.kind != "number" or not _are_words(fact.words)):
            yield f"fact {fact.name}: words {', '.join(fact.words)}; use another one for each number, without blanks"
        elif fact.field not in values:
            is_unseen = hasattr(game.table, fact.field)  # an attribute of the class, which no dataclass takes for one
            declared = f"declare {fact.field}: int = seen_by_all(0), with @dataclass(slots=True) above the class"
            expected = declared if is_unseen else f"use one of {', '.join(values)}"
            yield f"fact {fact.name}: the table has no field {shown(fact.field)}; {expected}"
        elif not 0 < fact.most <= room:
            yield f"fact {fact.name}: most is {shown(fact.most)}; use 1 to {room:,}"
        elif fact.is_queue != isinstance(values[fact.field], bytearray):
            row = "queues(...)" if fact.is_queue else "no queues"
            yield f"fact {fact.name}: {fact.field} is of another kind than {fact.kind}; use {row}"
        elif isinstance(values[fact.field], list) != fact.holds.is_list:
            is_list = "a list" if isinstance(values[fact.field], list) else "not a list"
            kind = "counts" if isinstance(values[fact.field], list) else "another kind"
            yield f"fact {fact.name}: {fact.field} is {is_list}, but the kind is {fact.kind}; use {kind}"
        elif fact.is_pile or fact.kind == "card":
            yield from _unfit_pile(game, fact)
        if fact.field in HANDS:
            yield f"fact {fact.name}: {fact.field} belongs to every position; use another field"


def _are_words(words: tuple[str, ...]) -> bool:
    """Whether words can stand in a position: each of them once; the first, for 0, may be empty."""
    return len(set(words)) == len(words) and all(map(NAME.fullmatch, filter(None, words))) and UNKNOWN not in words


def _unfit_pile(game: DealtParts, fact: Fact) -> Iterator[str]:
    """Cards that are carried, a pile in the middle that one seat owns, and one of cards that occur several times."""
    if fact.carried:
        yield f"fact {fact.name}: cards are not carried to another round; use a fact of another kind"
    if not fact.is_pile:
        return
    if fact.in_middle and visibility(game.table)[fact.field].has_owner:
        yield f"fact {fact.name}: a pile in the middle is nobody's own; declare that all see it, or that nobody does"
    room = len(default_values(game.table)[fact.field]) // QUEUE_BYTES
    if fact.is_queue and room < (needed := len(fact.piles(game.codec.most))):
        yield f"fact {fact.name}: {fact.field} has room for {room} piles; use queues({needed})"
    if game.has_twins:
        yield f"fact {fact.name}: a pile has each card once; use a deck in which every card appears once"


# ---------------------------------------------------------------- what every executor relies on


BUILT_IN = frozenset(vars(builtins))
OF_EVERY_TABLE = {entry.name for entry in fields(FourfoldTable)}
"""Fields that are in every position, or in none; except for what is due and drawn."""


def unmet(game: Parts) -> Iterator[str]:
    """The obligations that a game does not meet, with the arc or the phase."""
    for arc in game.arcs:
        if arc.dest is game.final and not sets("ending", arc.before):
            yield f"transition {arc}: no effect says how the game ends; add one that sets `ending`, as shedding.win"
        if lay_open in reached(arc.before) and not sets("trail", arc.before):
            yield f"transition {arc}: lays a card without a trace; call `trace(table, card)` after lay_open"
    known = {*dir(game.table), *(entry.name for entry in fields(game.table))}
    used: set[RuleFunction] = set()
    for use in uses(game):
        for function in filter(None, use.functions):
            yield from (f"{use.place}: {fault}" for fault in _unknown(function, use.takes, known))
            for each in {*reached((function,))} - used if function not in used else ():
                used.add(each)
                yield from (f"{use.place}: {fault}" for fault in (*_undefined(each), *_impure(each)))
    roles = [
        (use, each) for use in rule_uses(game) if use.role is not Role.EFFECT for each in filter(None, use.functions)
    ]
    rolling = {each for each in {each for _, each in roles} if any(map(is_of_chance, reached((each,))))}
    for use, function in roles:
        if function in rolling:
            name = function.__name__
            yield f"{use.place}: {name} rolls dice; roll them in an effect, and keep the result in a field"
    going_on = (arc for arc in game.arcs if arc.dest is not game.final)
    if any(control.starts_turn for control in game.control.values()) and not any(
        sets("turns", arc.before) for arc in going_on
    ):
        yield "no effect counts turns; add `turns += 1` where a turn ends, as in shedding.next_player"
    yield from _missing_facts(game)


def rule_functions(game: Parts) -> Iterator[RuleFunction]:
    """What the rules of a game call, directly or not."""
    for use in rule_uses(game):
        for function in filter(None, use.functions):
            yield from reached((function,))


def is_of_chance(function: object) -> bool:
    """Whether a function rolls dice."""
    return getattr(function, "__module__", "") == roll.__module__


def _missing_facts(game: Parts) -> Iterator[str]:
    """Fields that effects or the deal set and rules read, and that belong to no position."""
    values = default_values(game.table)
    effects: list[RuleFunction] = [effect for arc in game.arcs for effect in arc.before]
    legal: list[RuleFunction] = [guard for arc in game.arcs for guard in (*arc.conditions, *arc.unless)]
    legal += [mask for offer in game.offers for mask in (offer.cards, offer.values) if mask]
    known = {*(fact.field for fact in game.codec.facts), *(kind.value for kind in game.own_kinds)}
    own = {name for name, value in values.items() if not isinstance(value, bytearray)} - known - OF_EVERY_TABLE
    own -= {game.codec.melds.field} if game.codec.melds else set()
    for name in sorted(own | (({"due", "drawn"} - known) & values.keys())):
        is_list = isinstance(values[name], list)
        reading = effects + legal if name in own else legal
        if (is_list or sets(name, [*effects, game.deal])) and any(
            name in _attributes(each).read for each in reached(reading)
        ):
            fact = f'Fact("{name}", "{name}", "counts")' if is_list else f'Fact("{name}", "{name}")'
            yield f"field {name}: rules read it, but it belongs to no position; add {fact} to the facts"


def sets(field: str, functions: Iterable[RuleFunction]) -> bool:
    """Whether one of some functions, or of those that they call, assigns to a field of the table."""
    return any(field in _attributes(each).changed for each in reached(functions))


def _values(function: RuleFunction) -> list[Any]:
    """The values of the names that a function itself uses, also of those in modules."""
    names = function.__code__.co_names
    named = [*map(function.__globals__.get, names), *(cell.cell_contents for cell in function.__closure__ or ())]
    return named + [getattr(module, name, None) for module in named if isinstance(module, ModuleType) for name in names]


IMPURE = {"_random", "datetime", "nt", "os", "posix", "random", "secrets", "time", "uuid"}
"""Modules whose functions answer otherwise the next time; those that make numbers have no seed of a game."""


@kept
def _impure(function: RuleFunction) -> tuple[str, ...]:
    """What a function itself uses of modules that answer otherwise the next time, wherever they are imported."""
    modules = [_module_of(value) for value in _values(function) if mark_of(value) is None]
    modules += sorted(_attributes(function).imported)
    expected = "use fields of the table, or in an effect dice: `rules.chance.roll`"
    used = dict.fromkeys(module for module in modules if not IMPURE.isdisjoint(module.split(".")))
    return tuple(f"{label(function)!r} uses the module {module}; {expected}" for module in used)


def _module_of(value: Any) -> str:
    """The module that a value is, or that defines it: that of its class for an object, such as of random numbers."""
    if isinstance(value, ModuleType):
        return value.__name__
    return str(getattr(value, "__module__", None) or type(getattr(value, "__self__", value)).__module__)


class Attributes(NamedTuple):
    """The names of attributes that a function itself uses, and of modules.

    changed: those that it sets. read: those that it reads, other than to count on: `table.turns += 1`. fields: those of
    its arguments, each with the number of the argument. imported: the modules that it imports.
    """

    changed: set[str]
    read: set[str]
    fields: set[tuple[int, str]]
    imported: set[str]


@kept
def _attributes(function: RuleFunction) -> Attributes:
    found, code = Attributes(set(), set(), set(), set()), function.__code__
    arguments = code.co_varnames[: code.co_argcount]
    for (before, what), (operation, named) in pairwise(operations_of(code)):
        if operation == "IMPORT_NAME":
            found.imported.add(named)
        if operation not in ("LOAD_ATTR", "STORE_ATTR"):
            continue
        if operation == "STORE_ATTR":
            found.changed.add(named)
        elif before != "COPY":
            found.read.add(named)
        loaded = what[-1] if isinstance(what, tuple) else what  # of two variables the last
        if "LOAD_FAST" in before and loaded in arguments:
            found.fields.add((arguments.index(loaded), named))
        elif operation == "STORE_ATTR":
            found.fields.add((0, named))
    return found


TABLES = {"table", "before", "after"}
"""What arguments are called that are tables."""


def _unknown(function: RuleFunction, takes: Sequence[str], known: set[str]) -> Iterator[str]:
    """Fields that a function reads or sets and the table does not have. takes: what it is given."""
    tables = [argument for argument, what in enumerate(takes) if what in TABLES]
    used = {name for argument, name in _attributes(function).fields if argument in tables}
    for name in sorted(used - known):
        expected = f"declare {name}: int = seen_by_all(0), or in a house rule AddField"
        yield f"{label(function)!r} uses a field {name!r} that the table does not have; {expected}"


@kept
def _undefined(function: RuleFunction) -> tuple[str, ...]:
    """The names that a function itself uses and that are not defined."""
    names = {name for name, *_ in names_read(function.__code__)} - function.__globals__.keys()
    return tuple(f"{label(function)!r} uses {name}, which is not defined" for name in sorted(names - BUILT_IN))


OPERATIONS = (
    *("BUILD_LIST", "BUILD_SET", "BUILD_MAP", "BUILD_STRING", "BUILD_SLICE", "BINARY_SLICE", "FORMAT_VALUE"),
    *("FORMAT_SIMPLE", "IMPORT_NAME", "RAISE_VARARGS", "MAKE_FUNCTION", "YIELD_VALUE", "STORE_GLOBAL", "BEFORE_WITH"),
    *("PUSH_EXC_INFO", "LIST_APPEND", "SET_ADD", "MAP_ADD", "SET_UPDATE", "LIST_EXTEND"),
)
REFUSED = frozenset(opmap[name] for name in OPERATIONS if name in opmap)
CONSTRUCTS = (
    *("JoinedStr", "List", "Set", "Dict", "ListComp", "SetComp", "DictComp", "GeneratorExp", "Slice", "Lambda"),
    *("FunctionDef", "ClassDef", "Try", "With", "Raise", "Global", "Import", "ImportFrom", "Yield", "YieldFrom"),
)
"""Operations of Python that no compiled function has, and the names of the syntax that says what they are."""


def warn_of(functions: Iterable[RuleFunction]) -> None:
    """Warn of each function that cannot be compiled, at its line. functions: rule functions of a game."""
    for function in dict.fromkeys(functions):
        for line, construct in _uncompiled(function):
            file = function.__code__.co_filename
            where = f"{file}:{line}: {label(function)!r} cannot be compiled: {construct}"
            warn_explicit(f"{where}; the game can only be stepped", CompilationWarning, file, line)


@kept
def _uncompiled(function: RuleFunction) -> tuple[tuple[int, str], ...]:
    code = function.__code__
    named = {name: function.__globals__.get(name) for name in code.co_names}
    others = [name for name, value in named.items() if isinstance(value, FunctionType) and mark_of(value) is None]
    first, *rest = code.co_consts or (None,)
    constants = rest if isinstance(first, str) else (first, *rest)  # the first text is a docstring
    strange = (isinstance(each, str | bytes | float | complex | CodeType) for each in constants)
    if not others and REFUSED.isdisjoint(code.co_code[::2]) and not any(strange):
        return ()
    tree = source_tree(function)
    found = _found(tree, others) if tree else ()
    return tuple((code.co_firstlineno + line - 1, construct) for line, construct in found)[:1]


def _found(tree: Any, others: list[str]) -> Iterator[tuple[int, str]]:
    from ast import Name, walk

    for node in (each for statement in getattr(tree, "body", ()) for each in walk(statement)):
        if type(node).__name__ in CONSTRUCTS:
            yield getattr(node, "lineno", 1), f"{type(node).__name__} is not known there"
        elif isinstance(node, Name) and node.id in others:
            yield node.lineno, f"{node.id} is called, but is not a rule function"
