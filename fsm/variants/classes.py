"""Classes of games with house rules: made once for each set of rules, whatever the order of their names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from fsm.edge.numbers import of_type
from fsm.variants.compose import compose
from fsm.variants.edits import Variant
from fsm.variants.rulebook import Rulebook

if TYPE_CHECKING:
    from fsm.stepping.game import Game

G = TypeVar("G", bound="Game")

CACHED = 100
"""Classes that are kept although nobody uses them, the most recently used ones; each takes about 100 KB."""

_classes: WeakValueDictionary[tuple[type[Game], tuple[Variant, ...]], type[Game]] = WeakValueDictionary()
"""All classes that somebody uses, so that a set of rules has one class."""
_own_rulebooks: dict[str, Rulebook] = {}


def own_rulebook(name: str) -> Rulebook:
    """The rulebook of a game without rules of its package: it knows those that are added in this process."""
    return _own_rulebooks.setdefault(name, Rulebook())


def with_rules(kind: type[G], rules: Iterable[str | Variant]) -> type[G]:
    """The class of a game with house rules, besides those that it has; without any, `kind` itself.

    Raises TypeError, or UnknownRule, ClashError and DeclarationError, all of them ValueErrors.
    """
    given = tuple(rules)
    for rule in given:
        of_type("rule", rule, (str, Variant), "the name of a rule, or an own rule")
    own = tuple(rule for rule in given if isinstance(rule, Variant))
    found = (*kind.rules, *kind.rulebook().find(rule for rule in given if isinstance(rule, str)), *own)
    if set(found) == set(kind.rules):
        return kind
    base: Any = kind.plain or kind
    return _class(base, tuple(sorted(set(found), key=lambda rule: rule.name)))  # type: ignore[return-value]


@lru_cache(maxsize=CACHED)
def _class(base: type[Game], rules: tuple[Variant, ...]) -> type[Game]:
    return _classes.get((base, rules)) or _classes.setdefault((base, rules), _made(base, rules))


def _made(base: type[Game], rules: tuple[Variant, ...]) -> type[Game]:
    composed = compose(base.declaration, rules)
    names = [rule.name for rule in composed.rules]
    body = {
        "declaration": composed.declaration,
        "__doc__": f"{base.__doc__ or base.__name__}\n\nHouse rules: {', '.join(names)}.",
        "__reduce__": _reduced,
        "plain": base,
        "rules": composed.rules,
        "rule_marks": composed.marks,
    }
    return type(base.__name__, (base,), body)


def _blank(base: type[Game], names: tuple[str, ...]) -> Any:
    """A game with house rules that gets its state from a pickle."""
    made = with_rules(base, names)
    return made.__new__(made)


def _reduced(game: Any) -> tuple[Any, ...]:
    """How a game with house rules is pickled: its class is made again."""
    return _blank, (game.plain, tuple(rule.name for rule in game.rules)), game.__getstate__()
