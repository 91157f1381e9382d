"""The hashes of machine code and of rules.

- `bytecode_hash` names machine code in the cache. It differs between versions of Python, and takes a tenth of the time
  of the others: each process that plays many games needs it before the first one.
- `code_hash` names players and pages. It may change in any version of this package.
- `rules_hash` is what records, studies, solutions and rooms store: how a game is played. Names of functions and
  variables, sentences, annotations, modules and the version of Python do not change it.

Functions are hashed by their statements, with all that they read: functions, constants, attributes of modules and
classes, and what these read in turn. A function that has no source is hashed by its bytecode.
"""

from __future__ import annotations

import ast
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from inspect import unwrap
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from fsm.declaration.arcs import Arc, Policy
from fsm.declaration.chain import Chain
from fsm.declaration.declaration import Declaration
from fsm.declaration.introspection import MISSING, closure, read, resolved, source_lines, source_tree
from fsm.declaration.policy import RANDOM_LEGAL_CARD
from fsm.edge.kept import kept
from fsm.table.layout import layout_of
from fsm.table.sight import sight_of
from rules.every_game import OF_EVERY_GAME

PLAIN = (type(None), type(...), type(MISSING), bool, int, float, complex, str, bytes, bytearray)
PLACES = ("__module__", "__qualname__", "__doc__", "__firstlineno__", "__annotate__", "__annotate_func__")
"""Entries of a class that say where it is, not what it does."""
UNREAD = ("annotation", "ctx", "decorator_list", "kind", "returns", "type_comment", "type_params")
"""Parts of a statement that change nothing of what it does."""
NAMING = ("arg", "id", "name")
"""Parts that name a variable."""
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""What tells objects apart within one process only: `<object object at 0x7f80c4658ea0>`."""


def code_hash(*values: object) -> str:
    """Return the hash of functions, with all that they read, and of other values."""
    return _hash(map(_Writer(_parts_of_function).text, values))[:24]


def bytecode_hash(*values: object) -> str:
    """Return the hash of values in which functions are hashed by their bytecode and by the lines of their files."""
    return _hash(map(_Writer(_parts_of_bytecode).text, values))[:24]


@kept
def rules_hash(game: Declaration, *more: object) -> str:
    """Return the hash of how a game is played: of its arcs, of who acts and who sees what, and of all rule functions.

    more: what matters besides, such as policies.
    """
    return _hash(map(_Writer(_parts_of_function).text, (*_rules(game), *more)))[:16]


def _hash(texts: Iterable[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()


def _rules(game: Declaration) -> Iterator[object]:
    codec, scoring = game.codec, game.scoring
    between = {*range(codec.fewest, codec.most + 1)}.difference(codec.players)  # numbers that cannot play
    yield (game.deck_size, codec.fewest, codec.most, *sorted(between), codec.cards_each, tuple(codec.notation.cards))
    yield game.fill, game.amend, game.deal, game.deal_each, game.score, game.returns, OF_EVERY_GAME
    yield game.round_points, scoring.lowest_wins, scoring.unwon_scores, scoring.sides
    yield game.initial, game.final, game.return_ends, game.arcs
    yield dict(game.defaults), sight_of(game).determined
    yield [(entry.name, *entry.metadata.values()) for entry in fields(game.table)]
    layout = layout_of(game)
    yield [fact.field for fact in (*layout.facts, *layout.queues)], layout.lists
    for phase, control in game.control.items():
        yield phase, control.forced, control.starts_turn, control.declines, control.seen_as
        for offer in control.offers:
            yield offer.trigger, offer.cards, offer.kind, offer.values, offer.from_hand, offer.always
            yield offer.face_down, offer.seen_as


class _Writer:
    """Serializes values; one that occurs again is written as a number, so that recursion ends.

    Tuples are written again: Python may keep equal ones as one or not.
    """

    def __init__(self, parts_of_function: Callable[[FunctionType], Iterable[object]]) -> None:
        self._parts_of_function = parts_of_function
        self._written: dict[int, tuple[int, object]] = {}

    def text(self, value: object) -> str:
        if isinstance(value, Enum):
            return self.text(value.value)
        if type(value) in PLAIN:
            return f"{type(value).__name__} {value!r}"
        if type(value) is not tuple:
            known = len(self._written)
            number, _ = self._written.setdefault(id(value), (known, value))
            if number < known:
                return f"number {number}"
        return f"{type(value).__name__} {{{', '.join(map(self.text, self._parts(value)))}}}"

    def _parts(self, value: Any) -> Iterable[object]:
        if isinstance(value, BuiltinFunctionType | FunctionType | type) and _is_of_python(value):
            return value.__module__, value.__qualname__
        return self._parts_of_function(value) if isinstance(value, FunctionType) else _parts(value)


def _parts(value: Any) -> Iterable[object]:
    if isinstance(value, CodeType):
        return value.co_code.hex(), value.co_names, value.co_varnames, value.co_consts
    if isinstance(value, type):
        return value if issubclass(value, Enum) else _parts_of_class(value)
    if isinstance(value, Arc):
        return value.trigger, value.source, value.dest, value.conditions, value.unless, value.before
    if isinstance(value, Chain):
        return value.phase, value.lengths, value.answer
    if isinstance(value, Policy):
        return _decisions(value)
    if isinstance(value, Mapping):
        return sorted(value.items(), key=_order)
    if isinstance(value, set | frozenset):
        return sorted(value, key=_order)
    if isinstance(value, tuple | list):
        return value
    if is_dataclass(value):
        return [getattr(value, entry.name) for entry in fields(value) if entry.compare]
    return _parts_of_object(value)


def _parts_of_object(value: Any) -> Iterable[object]:
    """Return what is in an object of another class: one of Python, of another library, or of a file."""
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    if isinstance(value, BuiltinFunctionType) and value.__module__ is None:  # a method: `dict.fromkeys`
        return value.__self__, value.__qualname__
    if isinstance(value, array):
        return value.typecode, value.tobytes()
    if hasattr(value, "tobytes"):  # an array of numpy
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, ModuleType):
        return ()
    return (vars(value),) if hasattr(value, "__dict__") else (ADDRESS.sub("", repr(value)),)


def _order(value: object) -> str:
    """By what the entries of a set are sorted: their texts, in which those of sets in them are sorted as well."""
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}({sorted(map(_order, value))})"
    if type(value) is tuple:
        return f"({', '.join(map(_order, value))}{',' * (len(value) == 1)})"
    return repr(value)


def _is_of_python(value: Any) -> bool:
    return str(value.__module__).partition(".")[0] in sys.stdlib_module_names


def _parts_of_function(function: FunctionType) -> Iterable[object]:
    if (tree := source_tree(function)) is None:
        return function.__code__, *_around_code(function)
    found = (
        [tree]
        if isinstance(tree, ast.FunctionDef)
        else [each for each in ast.walk(tree) if isinstance(each, ast.Lambda)]
    )
    statements = _Statements(function)
    text = statements.text([part for each in found for part in (each.args, each.body)])
    return text, _given(function), *statements.read.values()


def _parts_of_bytecode(function: FunctionType) -> Iterable[object]:
    return _text_of_code(function.__code__), *_around_code(function)


def _around_code(function: FunctionType) -> Iterable[object]:
    return source_lines(function), *read(function), _given(function)


def _given(function: FunctionType) -> tuple[object, ...]:
    return function.__defaults__, sorted((function.__kwdefaults__ or {}).items())


def _text_of_code(code: CodeType) -> str:
    """Return bytecode as one text, in a quarter of the time that its parts take."""
    constants = [_text_of_code(each) if isinstance(each, CodeType) else _order(each) for each in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, constants))


def _parts_of_class(value: type) -> Iterable[object]:
    """What a class inherits, and what its members do: plain values, and functions that are written in it."""
    own = sorted((item for item in vars(value).items() if item[0] not in PLACES), key=repr)
    return value.__bases__, [item for item in own if type(item[1]) in PLAIN or _is_written(item[1])]


def _is_written(value: object) -> bool:
    """Whether a value is a function that somebody has written, not one of a dataclass."""
    return (
        isinstance(value, FunctionType)
        and not _is_of_python(value)
        and unwrap(value).__code__.co_filename != "<string>"
    )


def _decisions(policy: Policy) -> Iterator[object]:
    """What a policy does. Which decision rule it is counts by its number, not by its name."""
    if policy is RANDOM_LEGAL_CARD:  # it follows from the offers
        return
    yield policy.name
    rules: dict[str, int] = {}
    for phase, choices in policy.choices.items():
        for choice in choices:
            rule = rules.setdefault(choice.rule, len(rules)), choice.decides
            yield phase, choice.trigger, rule, choice.conditions, choice.card, list(choice.picks.items())


class _Statements:
    """Writes statements of a function with numbers in place of the names of its variables, and of what it reads.

    read: what the other names stand for, with what is read of modules and classes by them, in the order of the text.
    """

    def __init__(self, function: FunctionType) -> None:
        self.read: dict[tuple[str, ...], object] = {}
        self._numbers: dict[str, int] = {}
        self._own = frozenset(_own_names(function.__code__))
        self._around = {
            **function.__globals__,
            **dict(zip(function.__code__.co_freevars, closure(function), strict=True)),
        }

    def text(self, node: Any) -> str:
        if isinstance(node, list):
            return f"[{', '.join(self.text(each) for each in node if not _is_docstring(each))}]"
        if not isinstance(node, ast.AST):
            return repr(node)
        if found := self._found(node):
            self.read.setdefault(*found)
            return f"read {list(self.read).index(found[0])}"
        parts = (part for part in ast.iter_fields(node) if part[0] not in UNREAD and part[1] not in (None, []))
        return f"{type(node).__name__}({', '.join(self._part(node, *part) for part in parts)})"

    def _part(self, node: ast.AST, name: str, value: Any) -> str:
        if name in NAMING and value in self._own and not isinstance(node, ast.keyword):
            value = self._numbers.setdefault(value, len(self._numbers))
        return f"{name}={self.text(value)}"

    def _found(self, node: ast.AST) -> tuple[tuple[str, ...], object] | None:
        """The chain of names that a node reads, and what it stands for."""
        if isinstance(node, ast.Name) and node.id not in self._own:
            return (node.id,), resolved((node.id,), self._around)
        if isinstance(node, ast.Attribute) and (found := self._found(node.value)):
            chain, value = found
            if isinstance(value, ModuleType | type):
                return (*chain, node.attr), getattr(value, node.attr, MISSING)
        return None


def _own_names(code: CodeType) -> Iterator[str]:
    """The names of the variables of code, functions within it included."""
    yield from (*code.co_varnames, *code.co_cellvars)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _own_names(inner)


def _is_docstring(node: Any) -> bool:
    """Whether a node is a statement that is a text, which does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
