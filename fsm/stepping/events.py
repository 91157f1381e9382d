"""The events of a game as methods, made from its declaration: `game.play("HJ", "C")`, `game.draw()`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.values import ValueKind
from fsm.stepping.steps import Move, Step

MADE = "made_from_declaration"
NAMED = {
    "card": "its name",
    ValueKind.SUIT: "its letter",
    ValueKind.SEAT: "a player, from 1",
    ValueKind.RANK: "its name",
    ValueKind.AMOUNT: "a number",
    ValueKind.ANSWER: "True for yes, False for no",
}
"""What is given for each thing that is named with an event, in its docstring."""


def event_methods(game: Declaration, kind: type, base: type) -> dict[str, Callable[..., Any]]:
    """A method for each event of a declaration that the class `kind` does not define itself, by name.

    The method takes what the event's offers name, and its docstring is made of the sentences of its arcs.
    base: the class of all games, whose names no event may have. Raises DeclarationError for an event that cannot be a
    method.
    """
    for trigger in game.triggers:
        if not trigger.isidentifier() or iskeyword(trigger) or trigger.startswith("_"):
            raise DeclarationError(f"{game.name}: event {trigger!r} is no name for a method, expected one like 'play'")
        if hasattr(base, trigger) or any(trigger in inspect.get_annotations(kind) for kind in base.__mro__):
            raise DeclarationError(f"{game.name}: event {trigger!r} is the name of a part of every game")
    return {trigger: _method(game, kind, trigger) for trigger in game.triggers if not _is_defined(kind, trigger)}


def _is_defined(kind: type, trigger: str) -> bool:
    """Whether a class or one above it has a method of this name that was not made here."""
    method = getattr(kind, trigger, None)
    return method is not None and not hasattr(method, MADE)


def _method(game: Declaration, kind: type, trigger: str) -> Callable[..., Any]:
    """The method of an event, which fires it."""
    named = zip(parameters(game, trigger), words(game, trigger), strict=True)
    arguments = ", ".join([repr(trigger), *map("=".join, named)])
    fires = function(game, trigger, Step, f"self.fire(Move({arguments}))")
    return made(fires, kind, trigger, _sentences(game, trigger))


def function(game: Declaration, trigger: str, returned: type, expression: str) -> Callable[..., Any]:
    """A function with the parameters of an event that returns the value of an expression, as if it was written by hand:
    as the standard library makes the methods of dataclasses.
    """
    typed = ", ".join(["self", *map(": ".join, words(game, trigger).items())])
    code = f"def {trigger}({typed}) -> {returned.__name__}:\n    return {expression}"
    names: dict[str, Any] = {returned.__name__: returned, "Move": Move}
    exec(compile(code, "<made from the declaration>", "exec", dont_inherit=True), names)
    found: Callable[..., Any] = names[trigger]
    return found


def made(method: Callable[..., Any], kind: type, name: str, text: str) -> Callable[..., Any]:
    """A function as the method `name` of the class `kind`, marked as made from its declaration. text: its docstring."""
    method.__name__, method.__qualname__, method.__module__ = name, f"{kind.__qualname__}.{name}", kind.__module__
    method.__doc__ = text
    setattr(method, MADE, True)
    return method


def parameters(game: Declaration, trigger: str) -> tuple[str, ...]:
    """What is named with an event, as `Game.fire` calls it: `card`, `suit`, `seat`. A value with a card is optional."""
    offers = [offer for control in game.control.values() for offer in control.offers if offer.trigger == trigger]
    card = ("card",) if any(offer.cards for offer in offers) else ()
    return card + ((str(game.value_kinds[trigger]),) if trigger in game.value_kinds else ())


def words(game: Declaration, trigger: str) -> dict[str, str]:
    """The parameters of an event, by what the game calls them, with their types and defaults."""
    typed: dict[str, str] = {}
    for name in parameters(game, trigger):
        word = name if name == "card" else ValueKind(name).word(game.codec.notation)
        kind = "str" if name == "card" else ValueKind(name).type_name
        typed[word] = f"{kind} | None = None" if typed else kind
    return typed


def _sentences(game: Declaration, trigger: str) -> str:
    """The descriptions of the arcs of an event, each once, and what is named with it."""
    description = dict.fromkeys(arc.description for arc in game.arcs if arc.trigger == trigger)
    raised = "Raises IllegalMove, and changes nothing, if the rules refuse it."
    return "\n\n".join([*description, *explained(game, trigger), raised])


def explained(game: Declaration, trigger: str) -> list[str]:
    """The parameters of an event in a sentence; none for an event that takes nothing."""
    named = zip(words(game, trigger), parameters(game, trigger), strict=True)
    texts = [f"{word}: {NAMED[name]}" for word, name in named]
    optional = ", where the card asks for one" if len(texts) > 1 else ""
    return [f"{'. '.join(texts)}{optional}."] if texts else []
