"""Decorators for rule functions: plain functions of the table, marked with their role in a declaration.

A rule function reads and writes the plain fields of one table (integers, lists of integers, byte rings) and uses
integer operations only. Python calls it directly; the compiler compiles the same function to machine code. The
decorators import nothing for that: they set an attribute on the function, and there is no registry of functions. So
functions in any file can be marked, also lambdas and closures.

- `@guard("why a move is refused")`: answers whether an arc may be fired (`conditions`, `unless`).
- `@effect`: changes the table (`before`, `deal`).
- `@choice`: picks the card, suit or other object of a move for a policy.
- `@query`: any other value: masks of cards, scores, what must hold.
- `@rule`: a helper of these, which has no place in a declaration itself.

Guards, choices and queries are asked at any time and any number of times, so they change nothing: one that assigns to a
field of the table is refused where it is defined.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from opcode import opmap
from string import Formatter
from types import FunctionType
from typing import Any, TypeVar

RuleFunction = Callable[..., Any]
T = TypeVar("T")
Guard = Callable[[T], bool]
"""Whether an arc may be fired on a table."""
Effect = Callable[[T], None]
"""What an arc does to a table."""
Pick = Callable[[T], int]
"""The code of the card, the suit or the other object that a policy names."""
Query = Callable[[T], int]
"""A number, a mask or a truth value that is read off a table."""

G = TypeVar("G", bound=Callable[[Any], bool])
E = TypeVar("E", bound=Callable[..., None])
P = TypeVar("P", bound=Callable[[Any], int])
Q = TypeVar("Q", bound=RuleFunction)


class Role(StrEnum):
    """What a rule function is for."""

    GUARD = "guard"
    EFFECT = "effect"
    CHOICE = "choice"
    QUERY = "query"
    HELPER = "helper"


READING = (Role.GUARD, Role.CHOICE, Role.QUERY)
"""The roles whose functions change nothing."""
STORE_ATTR, STORE_SUBSCR = opmap["STORE_ATTR"], opmap["STORE_SUBSCR"]
LOAD_CONST, RETURN_VALUE = opmap["LOAD_CONST"], opmap["RETURN_VALUE"]
RETURN_CONST = opmap.get("RETURN_CONST", RETURN_VALUE)  # of Python 3.12 and 3.13
OF_RETURNS = re.compile(b"[" + re.escape(bytes((RETURN_VALUE, RETURN_CONST))) + b"]")


@dataclass(frozen=True)
class Reason:
    """A reason why a move is refused, with the cards that it excludes.

    sentence: `only a seven answers a seven`. It may name the card (`{card}`), the open card (`{open_card}`) and fields
    that are facts of the position. cards: the cards of which the sentence is true, as a mask or as a query of one
    (table), which knows nothing of the guard. None: the cards that the guard refuses. Raises TypeError, or ValueError
    for a brace that names nothing.
    """

    sentence: str
    cards: RuleFunction | int | None = None

    def __post_init__(self) -> None:
        is_mask = self.cards is None or type(self.cards) is int or mark_of(self.cards) is not None
        if not (isinstance(self.sentence, str) and is_mask):
            raise TypeError('guard: the reason of a refusal is missing; give it: @guard("{card} is not a seven")')
        named_in(self.sentence)

    @property
    def names(self) -> tuple[str, ...]:
        """What the sentence names."""
        return named_in(self.sentence)

    def mask(self, table: Any) -> int | None:
        """Return the mask of the cards of which the sentence is true on `table`; None: those that the guard refuses."""
        return int(self.cards(table)) if callable(self.cards) else self.cards

    def is_true_of(self, table: Any, card: int) -> bool:
        """Return whether the sentence is true of a card that is refused on `table`. card: its code."""
        mask = self.mask(table)
        return mask is None or mask >> card & 1 == 1


Refusal = str | Reason | tuple[Reason, ...]
"""Why a guard refuses moves: a sentence, a reason, or several, of which the first one that is true is given."""


@dataclass(frozen=True)
class Mark:
    """What a decorator notes on a function: its role and, of a guard, why a move is refused where it does not hold.

    cards, kind: the query, or the constant mask, of cards of which a guard is made; see `among`.
    """

    role: Role
    reasons: tuple[Reason, ...] = ()
    cards: RuleFunction | None = None
    kind: int = 0


def guard(refusal: Refusal) -> Callable[[G], G]:
    """Mark a guard: a function of the table that answers yes or no.

    refusal: why a move is refused when the guard returns false: `{card} is not a seven`. It may name the card, the open
    card (`{open_card}`) and fields that are facts of the position. Raises ValueError for a brace that names none.
    """
    reasons = _reasons(refusal)
    return lambda function: _marked(function, Mark(Role.GUARD, reasons))


def _reasons(refusal: Refusal) -> tuple[Reason, ...]:
    """The reasons of a refusal. Raises TypeError."""
    given = refusal if isinstance(refusal, tuple) and refusal else (refusal,)
    return tuple(each if isinstance(each, Reason) else Reason(each) for each in given)  # type: ignore[arg-type]


def among(cards: RuleFunction | int, name: str, refusal: Refusal, description: str) -> Guard[Any]:
    """Return the guard that the played card is one of a mask, so that the rule is written once.

    The guard has a source, so it is read, hashed and compiled like one that is written by hand.

    cards: the query of the mask (table); or the mask of a kind of cards, such as the sevens: guards of kinds that have
    no card in common exclude each other. name: of the guard, for diagrams. refusal: as for `guard`. description: its
    docstring.
    """
    texts = all(isinstance(text, str) for text in (name, description))
    constant = isinstance(cards, int) and not isinstance(cards, bool) and 0 < cards < 1 << 63
    if not (constant or mark_of(cards)) or not texts or not name.isidentifier():
        raise TypeError(
            'among: wrong arguments; give a query or mask, a name and two texts: among(fitting, "fits", "...", "...")'
        )
    reasons = _reasons(refusal)
    mask, kind = (str(cards), cards) if isinstance(cards, int) else (f"{cards.__name__}(table)", 0)
    query = None if isinstance(cards, int) else cards
    body = f"return ({mask} >> table.card & 1) == 1"
    return _made_of(query, name, "bool", body, description, Mark(Role.GUARD, reasons, query, kind))


def any_of(cards: RuleFunction) -> Guard[Any]:
    """The guard that a mask has a card. cards: the query of the mask (table)."""
    body = f"return {cards.__name__}(table) != 0"
    mark = Mark(Role.GUARD, (Reason(f"none of {label(cards)}"),))
    return _made_of(cards, f"any_{cards.__name__}", "bool", body, f"There is one of {label(cards)}.", mark)


def highest_of(cards: RuleFunction) -> Pick[Any]:
    """The choice of the card with the highest code of a mask that has one. cards: the query of the mask (table)."""
    body = f"return {cards.__name__}(table).bit_length() - 1"
    return _made_of(
        cards, f"highest_{cards.__name__}", "int", body, f"The highest of {label(cards)}.", Mark(Role.CHOICE)
    )


def lowest_of(cards: RuleFunction) -> Pick[Any]:
    """The choice of the card with the lowest code of a mask that has one. cards: the query of the mask (table)."""
    body = f"cards = {cards.__name__}(table)\n    return (cards & -cards).bit_length() - 1"
    return _made_of(cards, f"lowest_{cards.__name__}", "int", body, f"The lowest of {label(cards)}.", Mark(Role.CHOICE))


def _made_of(
    cards: RuleFunction | None, name: str, returned: str, body: str, description: str, mark: Mark
) -> FunctionType:
    """A function of a mask, with its source where tracebacks and the compiler find it."""
    if cards is not None and mark_of(cards) is None:
        raise TypeError(f"{cards!r} is not a query; give a query of a mask")
    source = f"def {name}(table: Table) -> {returned}:\n    {body}\n"
    file = f"<{name} of {cards.__module__ if cards else hex(mark.kind)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names: dict[str, Any] = {cards.__name__: cards, "__name__": cards.__module__} if cards else {"__name__": __name__}
    exec(compile(source, file, "exec", annotations.compiler_flag, dont_inherit=True), names)
    made: FunctionType = names[name]
    made.__doc__ = description
    return _marked(made, mark)


def named_in(refusal: str) -> tuple[str, ...]:
    """What a refusal names: `card` of `{card} is not a seven`. Raises ValueError for a brace that names nothing."""
    try:
        parts = tuple(Formatter().parse(refusal))
    except ValueError as error:
        raise ValueError(f"guard: {refusal!r}: {error}; write {{card}} or {{{{ for a brace") from None
    named = [part for part in parts if part[1] is not None]
    for _, name, form, conversion in named:
        if not str(name).isidentifier() or form or conversion:
            raise ValueError(f"guard: {refusal!r} has {name!r} in braces; write a name alone, such as {{card}}")
    return tuple(str(name) for _, name, _, _ in named)


def effect(function: E) -> E:
    """Mark `function` as an effect, which changes the table and returns nothing."""
    return _marked(function, Mark(Role.EFFECT))


def choice(function: P) -> P:
    """Mark `function` as a choice: given the table, it returns the code of what a policy names, and changes nothing."""
    return _marked(function, Mark(Role.CHOICE))


def query(function: Q) -> Q:
    """Mark `function` as a query, which returns a value and changes nothing."""
    return _marked(function, Mark(Role.QUERY))


def rule(function: Q) -> Q:
    """Mark `function` as a helper that rule functions call."""
    return _marked(function, Mark(Role.HELPER))


def _marked(function: Q, mark: Mark) -> Q:
    if not isinstance(function, FunctionType):
        raise TypeError(f"{mark.role}: {function!r} is not a function; give a function")
    before = mark_of(function)
    if before is not None and before.role is not mark.role:
        raise TypeError(f"{mark.role}: {function.__qualname__} already has the role {before.role}; remove one mark")
    if mark.role in READING and (field := _assigned(function)):
        raise TypeError(f"{mark.role}: {function.__qualname__} assigns to {field}; write a function without effects")
    values, nothing = _returned(function)
    if mark.role is Role.EFFECT and values and function.__name__ != "<lambda>":
        raise TypeError(f"effect: {function.__qualname__} returns a value; write a function that changes the table")
    if mark.role in READING and nothing and not (values and mark.role is Role.GUARD):
        raise TypeError(f"{mark.role}: {function.__qualname__} may return nothing; return a value in every case")
    vars(function)["rule"] = mark
    return function


def _assigned(function: FunctionType) -> str:
    """The first field of a table, or item of one, that a function assigns to: `table.due`; empty if there is none."""
    operations = function.__code__.co_code[::2]
    if STORE_ATTR not in operations and STORE_SUBSCR not in operations:
        return ""
    tree = parsed(function)
    stored = (node for node in ast.walk(tree) if isinstance(getattr(node, "ctx", None), ast.Store)) if tree else ()
    for node in stored:
        field = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(field, ast.Attribute):
            return ast.unparse(node)
    return ""


def _returned(function: FunctionType) -> tuple[bool, bool]:
    """Whether a function returns a value somewhere, and whether it returns nothing somewhere."""
    code = function.__code__
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    values = nothing = False
    for place in (match.start() for match in OF_RETURNS.finditer(operations)):
        at = place if operations[place] != RETURN_VALUE else place - 1
        is_none = operations[at] in (LOAD_CONST, RETURN_CONST) and code.co_consts[arguments[at]] is None
        values, nothing = values or not is_none, nothing or is_none
    return values, nothing


def parsed(function: Callable[..., Any]) -> ast.Module | None:
    """The source of a function with its docstring, parsed; None if there is none, as of one typed into a shell."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree: Any = compile(source, "source", "exec", ast.PyCF_ONLY_AST, optimize=0)
    except (OSError, TypeError, SyntaxError):
        return None
    return tree  # type: ignore[no-any-return]


def docstring_of(function: Callable[..., Any]) -> str:
    """The docstring of a function, read from its source where Python has removed docstrings (`-OO`); empty if none."""
    text = function.__doc__
    if text is None and (tree := parsed(function)):
        defined = tree.body[0]
        text = ast.get_docstring(defined) if isinstance(defined, ast.FunctionDef) else None
    return (text or "").strip()


def mark_of(function: object) -> Mark | None:
    """The mark of a function; None if it has none."""
    mark = getattr(function, "rule", None) if isinstance(function, FunctionType) else None
    return mark if isinstance(mark, Mark) else None


def role_of(function: object) -> Role | None:
    """The role of a function; None if it is not marked."""
    mark = mark_of(function)
    return mark.role if mark else None


def guard_reasons(function: RuleFunction) -> tuple[Reason, ...]:
    """Return why `function`, a guard, refuses a move: the first reason that is true of the card is given."""
    mark = mark_of(function)
    return (mark.reasons if mark else ()) or (Reason(f"not so: {label(function)}"),)


def give_reasons(function: RuleFunction, reasons: tuple[Reason, ...]) -> None:
    """Give a guard other reasons."""
    mark = mark_of(function)
    assert mark is not None
    vars(function)["rule"] = replace(mark, reasons=reasons)


def label(function: RuleFunction) -> str:
    """The name of a rule function in words: `fits_open_card` is `fits open card`."""
    return function.__name__.replace("_", " ")
