"""Sets of house rules that a specification allows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random


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
