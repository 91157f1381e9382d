"""Classes of games with house rules: made once for each set of rules, whatever the order of their names."""

from __future__ import annotations

import copyreg
import sys
from abc import ABCMeta
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakValueDictionary

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import of_type
from fsm.hashes import rules_hash

if TYPE_CHECKING:  # else imported when a game is played with house rules
    from fsm.variants.compose import RuleMarks
    from fsm.variants.edits import Variant
    from fsm.variants.rulebook import Rulebook

CACHED = 100
"""Classes that are kept although nobody uses them, the most recently used ones; each takes about 100 KB."""

_classes: WeakValueDictionary[tuple[type[HouseRules], tuple[Variant, ...]], type[HouseRules]] = WeakValueDictionary()
"""All classes that somebody uses, so that a set of rules has one class."""
_own_rulebooks: dict[str, Rulebook] = {}


class GameClass(ABCMeta):
    """The metaclass of games, whose classes can be pickled and may have abstract ones beside them as their bases.

    made_by: of a class that a method has made, another class, the name of its method and what that was given.
    """


class HouseRules(metaclass=GameClass):
    """Games that can be played with house rules.

    rules: those that the class is played with; plain: the class of the game without them, if there are any.
    house_rules: the name of the module with its `RULEBOOK`, which is imported on first use, if it has one.
    """

    declaration: ClassVar[Declaration]
    house_rules: ClassVar[str] = ""
    plain: ClassVar[Any] = None
    rules: ClassVar[tuple[Variant, ...]] = ()
    rule_marks: ClassVar[RuleMarks]

    @classmethod
    def rules_hash(cls, *more: object) -> str:
        """Return the hash of how the game is played (see `fsm.hashes`). more: what else matters, such as policies."""
        return rules_hash(cls.declaration, *more)

    @classmethod
    def rulebook(cls) -> Rulebook:
        """Return the named house rules of the game; without a book of its package, those that are added in this
        process.
        """
        from fsm.variants.rulebook import Rulebook

        if cls.house_rules:
            return import_module(cls.house_rules).RULEBOOK  # type: ignore[no-any-return]
        return _own_rulebooks.setdefault((cls.plain or cls).declaration.name, Rulebook())

    @classmethod
    def with_rules(cls, *rules: str | Variant) -> type[Self]:
        """Return the class of this game with house rules: names of rules or profiles, or rules of your own, in any
        order.

        Without any, the class itself. Raises ValueError for an unknown name, which lists the known ones, and for rules
        that contradict each other, with both names and the reason: UnknownRule, ClashError or DeclarationError.
        """
        if not rules:
            return cls
        from fsm.variants.edits import Variant

        for rule in rules:
            of_type("rule", rule, (str, Variant), "the name of a rule, or an own rule")
        named = cls.rulebook().find(
            (rule for rule in rules if isinstance(rule, str)), (cls.plain or cls).declaration.name
        )
        found = {*cls.rules, *named, *(rule for rule in rules if isinstance(rule, Variant))}
        if found == {*cls.rules}:
            return cls
        return _class(cls.plain or cls, tuple(sorted(found, key=lambda rule: rule.name)))  # type: ignore[return-value]


@lru_cache(maxsize=CACHED)
def _class(base: type[HouseRules], rules: tuple[Variant, ...]) -> type[HouseRules]:
    return _classes.get((base, rules)) or _classes.setdefault((base, rules), _made(base, rules))


def _made(base: type[HouseRules], rules: tuple[Variant, ...]) -> type[HouseRules]:
    from fsm.variants.compose import compose

    declaration, marks = compose(base.declaration, rules)
    book = base.rulebook()
    given = (rule.name if book.has(rule) else rule for rule in rules)
    body = {
        "declaration": declaration,
        "__module__": base.__module__,
        "__doc__": f"{base.__doc__ or base.__name__}\n\nHouse rules: {', '.join(rule.name for rule in rules)}.",
        "made_by": (base, "with_rules", *given),
        "plain": base,
        "rules": rules,
        "rule_marks": marks,
    }
    return type(base.__name__, (base,), body)


def _reduced(kind: GameClass) -> str | tuple[Any, ...]:
    """How a class of games is pickled: by the name that it has in its module, or if it has none there and is made by a
    method, by that and what it was given.
    """
    there = tuple(vars(sys.modules.get(kind.__module__, object)).items())
    made_by = vars(kind).get("made_by")
    return next(
        (name for name, value in there if value is kind),
        (getattr(*made_by[:2]), made_by[2:]) if made_by else kind.__qualname__,
    )


copyreg.pickle(GameClass, _reduced)
