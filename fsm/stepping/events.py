"""The events of a game as methods, made from its declaration: `game.play("HJ", "C")`, `game.draw()`."""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.values import ValueKind

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
        if hasattr(base, trigger) or trigger in base.__annotations__:
            raise DeclarationError(f"{game.name}: event {trigger!r} is the name of a part of every game")
    return {trigger: _method(game, kind, trigger) for trigger in game.triggers if not _is_defined(kind, trigger)}


def _is_defined(kind: type, trigger: str) -> bool:
    """Whether a class or one above it has a method of this name that was not made here."""
    method = getattr(kind, trigger, None)
    return method is not None and not hasattr(method, MADE)


def _method(game: Declaration, kind: type, trigger: str) -> Callable[..., Any]:
    """A method as if it was written by hand, as the standard library makes those of dataclasses."""
    texts, arguments = _signature(game, trigger)
    names: dict[str, Any] = {}
    exec(f"def {trigger}({', '.join(['self', *texts])}) -> Step:\n    return self.fire({', '.join(arguments)})", names)
    method: Callable[..., Any] = names[trigger]
    method.__doc__ = _sentences(game, trigger)
    method.__module__, method.__qualname__ = kind.__module__, f"{kind.__qualname__}.{trigger}"
    setattr(method, MADE, True)
    return method


def parameters(game: Declaration, trigger: str) -> tuple[str, ...]:
    """What is named with an event, as `Game.fire` calls it: `card`, `suit`, `seat`. A value with a card is optional."""
    offers = [offer for control in game.control.values() for offer in control.offers if offer.trigger == trigger]
    card = ("card",) if any(offer.cards for offer in offers) else ()
    return card + ((str(game.value_kinds[trigger]),) if trigger in game.value_kinds else ())


def _signature(game: Declaration, trigger: str) -> tuple[list[str], list[str]]:
    """The parameters of a method, and the arguments with which it calls `fire`."""
    texts: list[str] = []
    arguments = [repr(trigger)]
    for name in parameters(game, trigger):
        kind = "str" if name == "card" else ValueKind(name).type_name
        word = _word(game, name)
        texts.append(f"{word}: {kind}{' | None = None' * bool(texts)}")
        arguments.append(f"{name}={word}")
    return texts, arguments


def _word(game: Declaration, name: str) -> str:
    """The parameter of a method for what `fire` calls `name`: `card`, `colour`."""
    return name if name == "card" else ValueKind(name).word(game.codec.notation)


def _sentences(game: Declaration, trigger: str) -> str:
    """The descriptions of the arcs of an event, each once, and what is named with it."""
    description = dict.fromkeys(arc.description for arc in game.arcs if arc.trigger == trigger)
    named = [f"{_word(game, name)}: {NAMED[name]}" for name in parameters(game, trigger)]
    optional = ", where the card asks for one" if len(named) > 1 else ""
    listed = [f"{'. '.join(named)}{optional}."] if named else []
    return "\n\n".join([*description, *listed, "Raises IllegalMove, and changes nothing, if the rules refuse it."])
