"""Sets of house rules that a specification allows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import pytest

from fsm import Game
from fsm.check import explore_stepped
from fsm.declaration.arcs import Arc, SmallDeck


@dataclass(frozen=True)
class RuleSets:
    """rules: their names. refused: pairs that are not played together, with the reasons. most: rules of a set."""

    rules: Sequence[str]
    refused: Mapping[Collection[str], str]
    most: int

    def allowed(self, rules: Sequence[str]) -> bool:
        return not any(frozenset(pair) in self.refused for pair in combinations(rules, 2))

    def random(self, seed: int, count: int) -> list[tuple[str, ...]]:
        """Some sets of three rules or more."""
        rng = Random(seed)
        found: list[tuple[str, ...]] = []
        while len(found) < count:
            chosen = tuple(rng.sample(self.rules, rng.randint(3, self.most)))
            if self.allowed(chosen):
                found.append(chosen)
        return found

    def assert_pair(self, kind: type[Game], pair: tuple[str, str]) -> None:
        """A pair is played, or refused with the reason of the specification."""
        reason = self.refused.get(frozenset(pair))
        if reason is None:
            assert {rule.name for rule in kind.with_rules(*pair).rules} == set(pair)
            return
        message = f"rules {min(pair)} and {max(pair)} cannot be combined: {reason}"
        with pytest.raises(ValueError, match=re.escape(message)):
            kind.with_rules(*pair)


def never_fired(kind: type[Game], decks: Iterable[SmallDeck], positions: int) -> set[Arc]:
    """The arcs that house rules add or change and that small decks do not fire; what they reach is sound."""
    left = {*kind.rule_marks.added, *kind.rule_marks.changed}
    for deck in decks:
        if left:
            report = explore_stepped(kind, deck, positions, first=True)
            assert report.failures == []
            left -= {arc for arc in left if report.fired[arc]}
    return left
