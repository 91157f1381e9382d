"""Whether the parts of a declaration have the types that their fields are annotated with, and rule functions the roles
of their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from fsm.declaration.arcs import ScoreInvariant
from fsm.declaration.chart import OF_TABLE, FunctionUse, arc_uses, misused
from fsm.declaration.parts import Parts
from fsm.edge.kept import kept
from rules.notation import shown, with_article
from rules.rule import Role, label, mark_of

WORDS = {str: "a text", int: "a whole number", bool: "True or False", NoneType: "None", type: "a class"}


def misfits(what: str, value: Any, *, is_complete: bool = True) -> Iterator[str]:
    """The fields of an object, and of those in it, that are of another type than annotated. what: it is called.

    is_complete: if not, its own fields that are None are not set yet.
    """
    for name, kind in _annotated(type(value)):
        if is_complete or getattr(value, name) is not None:
            yield from _misfit(f"{what}{name}", getattr(value, name), kind)


@kept
def _annotated(owner: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a dataclass or a named tuple with their types; none of other classes."""
    if not (is_dataclass(owner) or hasattr(owner, "_fields")):
        return ()
    names = [entry.name for entry in fields(owner) if entry.init] if is_dataclass(owner) else owner._fields
    hints = get_type_hints(owner)
    return tuple((name, hints[name]) for name in names)


def _misfit(what: str, value: Any, kind: Any) -> Iterator[str]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if all(any(_misfit(what, value, each)) for each in arguments):
            yield _fault(what, value, kind)
    elif not _fits(value, kind, origin, arguments):
        yield _fault(what, value, kind)
    elif origin is tuple:
        kinds = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        for index, (item, of_item) in enumerate(zip(value, kinds, strict=True)):
            yield from _misfit(f"{what}[{index}]", item, of_item)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _misfit(f"{what}[{key}]", item, arguments[1])
    else:
        yield from misfits(f"{what}.", value)


def _fits(value: Any, kind: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if kind is Any or isinstance(kind, TypeVar):
        return True
    if origin is Literal:
        return value in arguments
    if isinstance(kind, type) and issubclass(kind, str):
        return isinstance(value, str)  # a phase may be given by its name
    if origin is type:
        return isinstance(value, type) and issubclass(value, arguments[0])
    if origin is tuple and isinstance(value, tuple) and arguments[-1] is not ... and len(value) != len(arguments):
        return False
    return isinstance(value, origin or kind) and not (kind is int and isinstance(value, bool))


def _fault(what: str, value: Any, kind: Any) -> str:
    name = _name_of(value)
    return f"{what} is {name}; use {_expected(name, kind)}"


def _name_of(value: Any) -> str:
    """What a value is called in a message: a function by its name."""
    if hasattr(value, "__name__"):
        return str(value.__name__)
    return with_article(type(value).__name__) if _annotated(type(value)) else shown(value)


def _expected(name: str, kind: Any) -> str:
    """A type in words. name: of what is there instead."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(_expected(name, each) for each in arguments)
    if origin is Literal:
        return f"one of {', '.join(map(str, arguments))}"
    if origin is tuple:
        if arguments[-1] is not ...:
            return f"a tuple of {len(arguments)}"
        return f"a tuple: ({name},)" if name.isidentifier() else "a tuple: (...,)"
    if origin is type:
        return f"a subclass of {arguments[0].__name__}"
    if origin is Callable or kind is Callable:
        return "a function"
    plain = origin or kind
    return WORDS.get(plain) or with_article(plain.__name__)


# ---------------------------------------------------------------- where rule functions stand


OF_SEAT = ("table", "seat")


def unfit_uses(game: Parts) -> Iterator[str]:
    """Functions of another role or with other parameters than their place has, or in place of a sentence; refusals that
    name no field.
    """
    for part in ("invariants", "postconditions", "over_time"):
        for index, condition in enumerate(getattr(game, part)):
            if not isinstance(condition.description, str):
                given = f"{part}[{index}].description is {_name_of(condition.description)}"
                yield f"{given}; give the sentence first: {type(condition).__name__}('...', ...)"
    yield from misused(uses(game))
    known = ("card", "open_card", *(fact.field for fact in game.codec.facts))
    for arc in game.arcs:
        for guard in arc.conditions:
            reasons = mark.reasons if (mark := mark_of(guard)) else ()
            for name in (name for reason in reasons for name in reason.names):
                if name not in known:
                    yield f"transition {arc}: the refusal of {label(guard)!r} names {name!r}; use {', '.join(known)}"


def uses(game: Parts) -> Iterator[FunctionUse]:
    """Every use of functions in a declaration."""
    yield from rule_uses(game)
    for policy, phase, choice in game.choices():
        place = f"policy {policy.name}: phase {phase}: {choice.trigger!r}"
        yield FunctionUse(f"{place}: conditions", Role.GUARD, choice.conditions)
        yield FunctionUse(place, Role.CHOICE, (choice.card, *choice.picks.values()))
    for call in game.calls:
        yield FunctionUse(f"call {call.description!r}", Role.QUERY, (call.count,), OF_SEAT)
    for trigger, doer in game.look.doers.items():
        yield FunctionUse(f"look: who does {trigger!r}", Role.QUERY, (doer,))
    yield FunctionUse("look: strength", Role.QUERY, (game.look.strength,), ("table", "card"))
    codec = game.codec
    yield FunctionUse("codec: cards_each", None, (codec.cards_each,), ("players",))
    yield FunctionUse("codec: dealt_to", None, (codec.dealt_to,), ("index", "players", "each"))
    yield FunctionUse("codec: receive", None, (codec.receive,), (*OF_SEAT, "card"))
    yield FunctionUse("codec: held", None, (codec.held,), OF_SEAT)


def rule_uses(game: Parts) -> Iterator[FunctionUse]:
    """The uses of functions by the rules, whoever plays and looks on: in arcs, offers, properties, deals and scores."""
    yield from arc_uses(game)
    for phase, control in game.control.items():
        for offer in control.offers:
            yield FunctionUse(
                f"phase {phase}: offer {offer.trigger!r}", Role.QUERY, (offer.cards, *offer.masks.values())
            )
    for group in game.disjoint:
        yield FunctionUse("disjoint", Role.GUARD, group)
    for condition in game.own_invariants:
        takes = (*OF_SEAT, "points") if isinstance(condition, ScoreInvariant) else OF_TABLE
        yield FunctionUse(f"invariant {condition.description!r}", Role.QUERY, (condition.holds,), takes)
    for after in game.postconditions:
        yield FunctionUse(f"postcondition {after.description!r}", Role.QUERY, (after.holds,), ("before", "after"))
    for response in game.responses:
        yield FunctionUse(f"over time {response.description!r}", Role.QUERY, response.queries)
    for place, function in (("score", game.score), ("returns", game.returns), ("scoring: points", game.scoring.points)):
        yield FunctionUse(place, Role.QUERY, (function,), OF_SEAT)
    yield FunctionUse("fill", Role.EFFECT, (game.fill,), ("deck",))
    yield FunctionUse("amend", Role.EFFECT, (game.amend,), ("deck", "players", "seed", "number"))
    yield FunctionUse("deal", Role.EFFECT, (game.deal,), (*OF_TABLE, "deck", "players"))
    yield FunctionUse("deal_each", Role.EFFECT, (game.deal_each,), (*OF_TABLE, "deck", "players", "each"))
