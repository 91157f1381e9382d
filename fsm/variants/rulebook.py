"""The house rules that a game knows by name: rules, families of rules with a number, and profiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from fsm.variants.edits import Variant
from rules.notation import expected_name, shown


class UnknownRule(ValueError):
    """A name stands for no rule. message: what is wrong, with the nearest rules. unknown: the name."""

    def __init__(self, message: str, unknown: str = "") -> None:
        super().__init__(message)
        self.unknown = unknown


@dataclass(frozen=True)
class Family:
    """Rules that differ in a number: `sevens-draw-3`.

    name: what comes before the number. least, most: the numbers that can be used. common: the one that is listed.
    rule: makes the rule of a number.
    """

    name: str
    least: int
    most: int
    common: int
    rule: Callable[[int], Variant]

    def member(self, name: str) -> Variant | None:
        """Return the rule called `name`, if it belongs to the family."""
        found = re.fullmatch(rf"{re.escape(self.name)}-([0-9]{{1,9}})", name)
        if found is None or not self.least <= int(found[1]) <= self.most or found[1] != str(int(found[1])):
            return None
        return self.rule(int(found[1]))

    def __str__(self) -> str:
        return f"{self.name}-N (N from {self.least} to {self.most})"


@dataclass(frozen=True)
class Profile:
    """Rules that are played together somewhere.

    name: of the profile. rules: their names. origin: where. title: what pages call it; the default is the name.
    """

    name: str
    rules: tuple[str, ...]
    origin: str
    title: str = ""


@dataclass(frozen=True)
class Rulebook:
    """The house rules of one game. rules: those without a number. families: those with one. profiles: sets of both."""

    rules: tuple[Variant, ...] = ()
    families: tuple[Family, ...] = ()
    profiles: tuple[Profile, ...] = ()
    _own: dict[str, Variant] = field(default_factory=dict, init=False)

    def listed(self) -> tuple[Variant, ...]:
        """Return every rule, of a family the common one."""
        families = (family.rule(family.common) for family in self.families)
        return (*self.rules, *families, *self._own.values())

    def add(self, rule: Variant) -> None:
        """Register `rule`, one of your own, in this process. Raises ValueError for a name that is taken."""
        taken = self._found(rule.name)
        if taken and taken != (rule,):
            raise ValueError(f"the name {rule.name!r} is taken; use another name for the rule")
        self._own[rule.name] = rule

    def has(self, rule: Variant) -> bool:
        """Return whether the book contains `rule`, which then is known by its name in every process."""
        return rule in self.rules or any(family.member(rule.name) == rule for family in self.families)

    def knows(self, name: str) -> bool:
        """Return whether `name` stands for a rule, a member of a family or a profile."""
        return bool(self._found(name))

    def names(self) -> tuple[str, ...]:
        """Return all names, of rules first."""
        return (
            *(rule.name for rule in self.rules),
            *map(str, self.families),
            *(profile.name for profile in self.profiles),
            *self._own,
        )

    def find(self, names: Iterable[str], game: str = "") -> tuple[Variant, ...]:
        """Return the rules that `names` of rules and profiles stand for, each once, sorted by name.

        game: the name of the game, for the message that says how to list its rules. Raises UnknownRule.
        """
        found: dict[str, Variant] = {}
        for name in names:
            rules = self._found(name)
            if not rules:
                listing = f"`maumau rules --game {game}`" if game else ""
                known = expected_name(name, self.names(), listing) if self.names() else "; the game has no house rules"
                raise UnknownRule(f"unknown rule {shown(name)}{known}", name)
            found |= {rule.name: rule for rule in rules}
        return tuple(found[name] for name in sorted(found))

    def _found(self, name: str) -> tuple[Variant, ...]:
        for profile in self.profiles:
            if profile.name == name:
                return self.find(profile.rules)
        known: Mapping[str, Variant] = {rule.name: rule for rule in self.rules} | self._own
        if name in known:
            return (known[name],)
        return tuple(rule for family in self.families if (rule := family.member(name)))
