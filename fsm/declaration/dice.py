"""Dice that the rules of a game roll after the deal: whether every outcome of them can be followed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import chain

from fsm.declaration.arcs import Arc, Policy
from fsm.declaration.contents import is_of_chance
from fsm.declaration.dealing import DealtParts
from fsm.declaration.introspection import reached, read
from rules.chance import roll

MAX_OUTCOMES = 256
"""Outcomes of the dice of one event that are followed at most."""


class RolledParts(DealtParts):
    """The parts of the declaration of a game, and what follows from the dice that its rules roll after the deal."""

    @cached_property
    def follows_dice(self) -> bool:
        """Whether dice are rolled after the deal, and only so that every outcome can be followed."""
        return bool(self.rolled_by) and not self.rolled_otherwise_by

    @cached_property
    def most_outcomes(self) -> int:
        """The outcomes of the dice of one event that are followed at most: 1 where no dice are followed."""
        return MAX_OUTCOMES if self.follows_dice else 1

    @cached_property
    def rolling_arcs(self) -> tuple[Arc, ...]:
        """The arcs that move cards by chance, or do anything else by it: one of their effects rolls dice."""
        return tuple(arc for arc in self.arcs if any(map(is_of_chance, reached(arc.before))))

    @cached_property
    def rolled_by(self) -> tuple[str, ...]:
        """The events whose effects roll dice."""
        return tuple(dict.fromkeys(arc.trigger for arc in self.rolling_arcs))

    @cached_property
    def rolled_otherwise_by(self) -> tuple[str, ...]:
        """The events of which one sequence of dice only can be followed: their effects roll some otherwise than by
        `rules.chance.roll`.
        """
        return tuple(dict.fromkeys(arc.trigger for arc in self.arcs if _rolls_otherwise(arc)))

    def plays_by_number(self, policies: Iterable[Policy]) -> bool:
        """Return whether games depend on their numbers: dice are rolled.

        policies: those of the seats.
        """
        return bool(self.rolled_by or self.rolled_otherwise_by) or any(policy.rolls_dice for policy in policies)


def _rolls_otherwise(arc: Arc) -> bool:
    effects = (each for each in reached(arc.before) if not is_of_chance(each))
    called = (value for value in chain.from_iterable(map(read, effects)) if callable(value))
    return any(is_of_chance(value) and value is not roll for value in called)
