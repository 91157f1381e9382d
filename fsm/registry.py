"""The registered games by name: built in, registered in this process, or provided by installed packages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from fsm.declaration.declaration import RULES_AFTER, Declaration
from fsm.declaration.shapes import misfits
from rules.errors import raised_as
from rules.notation import expected_name, listed, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from fsm.stepping.game import Game

G = TypeVar("G", bound="type[Game]")

BUILT_IN = {
    "maumau": ("fsm.games.maumau", "MAUMAU", "MauMau"),
    "uno": ("fsm.games.uno", "UNO", "Uno"),
    "mahjong": ("fsm.games.mahjong", "MAHJONG", "Mahjong"),
    "uno-official": ("fsm.games.uno_official", "UNO_OFFICIAL", "UnoOfficial"),
}
"""The games of this package by name: the module and the name of the declaration, and that of the class, which is in the
module `game` beside it. Each is imported on first use.
"""
DEFAULT = next(iter(BUILT_IN))
GROUP = "maumau.games"
"""The entry points by which installed packages provide games: `name = module:Class`."""
NAME = r"[a-z][a-z0-9]*([-_][a-z0-9]+)*"

_registered: dict[str, type[Game]] = {}


class RegistryError(ValueError):
    """A class cannot be registered, or a name is not registered; the message gives the reason."""


def register(kind: G) -> G:
    """Register a game class under the name of its declaration, for this process; also a class decorator.

    kind: the class, which is returned. Records, requests and commands can name it from then on. Registering a
    class twice changes nothing. The house rules with which it is played become known by name.
    Raises TypeError if it is not a game class, RegistryError if its name or that of a rule is taken or cannot be used.
    """
    if plain := _class_of_game(kind, "kind").plain:
        register(plain)
        with raised_as(RegistryError):
            for rule in kind.rules:
                kind.rulebook().add(rule)
        return kind
    name = kind.declaration.name
    for fault in misfits("", kind.declaration):
        raise RegistryError(f"{name}: {fault}")
    if not re.fullmatch(NAME, name):
        raise RegistryError(
            f"game name {shown(name)} cannot be used; use lower-case words joined by - or _: 'crazy-eights'"
        )
    if name in BUILT_IN or name in _registered or name in _entry_points():
        taken = game_class(name)
        if taken is not kind:
            raise RegistryError(
                f"the name {name!r} is taken by {taken.__module__}.{taken.__qualname__}; use another name"
            )
    _registered[name] = kind
    return kind


def withdraw(kind: type[Game]) -> None:
    """Forget a class that was registered in this process, so that nothing offers it."""
    _registered.pop(kind.declaration.name, None)


def game_class(game: str | type[Game]) -> type[Game]:
    """Return the class of a game: registered under the name `game`, or `game` itself.

    A name may be followed by those of house rules: `maumau+five-each+nine-reverses`.
    Raises TypeError, or RegistryError for an unknown name, which lists the registered names, or the known rules.
    """
    if not isinstance(game, str):
        return _class_of_game(game, "game")
    plain, *rules = game.split(RULES_AFTER)
    if plain not in _registered:
        if plain in BUILT_IN:
            package, _, attribute = BUILT_IN[plain]
            found = getattr(import_module(f"{package}.game"), attribute)
        elif plain in (provided := _entry_points()):
            found = _loaded(provided[plain])
        else:
            raise RegistryError(f"unknown game {shown(plain)}{expected_name(plain, names())}")
        _registered.setdefault(plain, found)
    return with_named_rules(_registered[plain], rules)


def with_named_rules(kind: type[Game], rules: Sequence[str]) -> type[Game]:
    """Return the class of a game with the house rules of some names.

    Raises RegistryError for rules that cannot be played together, and for an unknown name: one that another game knows
    is said to be a rule of that game.
    """
    if not rules:
        return kind
    from fsm.variants.rulebook import UnknownRule

    with raised_as(RegistryError):
        try:
            return kind.with_rules(*rules)
        except UnknownRule as error:
            games = dict.fromkeys((*BUILT_IN, *_registered))
            others = [other for other in games if game_class(other).rulebook().knows(error.unknown)]
            if not others:
                raise
            game = (kind.plain or kind).declaration.name
            books = [game_class(other).rulebook() for other in others]
            is_profile = any(error.unknown == profile.name for book in books for profile in book.profiles)
            what = f"a {'profile' if is_profile else 'rule'} of {listed(others, ' and ')}, not of {game}"
            remedy = f"use --game {listed(others, ' or ')}, or a rule that `maumau rules --game {game}` lists"
            raise UnknownRule(f"{shown(error.unknown)} is {what}; {remedy}", error.unknown) from None


def declaration_of(game: str | type[Game]) -> Declaration:
    """The declaration of a game: registered under the name `game`, or that of the class. No class is made for it.

    Raises as `game_class` does.
    """
    if isinstance(game, str) and game in BUILT_IN:
        package, name, _ = BUILT_IN[game]
        found: Declaration = getattr(import_module(package), name)
        return found
    return game_class(game).declaration


def names() -> tuple[str, ...]:
    """The names of all registered games: those of this package first."""
    return tuple(dict.fromkeys((*BUILT_IN, *_registered, *_entry_points())))


def is_reference(text: str) -> bool:
    """Whether `text` names a place in which a game is, not a registered game."""
    return ":" in text or text.endswith(".py")


def _class_of_game(kind: Any, what: str) -> type[Game]:
    """`kind`, if it is the class of a declared game. Raises TypeError."""
    from fsm.stepping.game import Game

    if isinstance(kind, type) and issubclass(kind, Game) and hasattr(kind, "declaration"):
        return kind
    raise TypeError(f"{what}: {shown(kind)}; give a subclass of fsm.Game with a declaration")


def _entry_points() -> dict[str, EntryPoint]:
    """The games that installed packages provide, by name; of two with one name the first."""
    from importlib.metadata import entry_points  # its import takes longer than all else here

    return {point.name: point for point in reversed(tuple(entry_points(group=GROUP)))}


def _loaded(point: EntryPoint) -> type[Game]:
    """The class of an entry point. Raises RegistryError."""
    with raised_as(RegistryError, f"game {point.name!r} cannot be loaded from {point.value}: ", Exception):
        kind = _class_of_game(point.load(), point.value)
    if kind.declaration.name != point.name:
        raise RegistryError(f"{point.value} is the game {kind.declaration.name!r}; name it {point.name!r}")
    return kind
