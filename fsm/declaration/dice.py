"""Dice that the rules of a game roll after the deal: whether every outcome of them can be followed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from fsm.declaration.arcs import Arc
from fsm.declaration.contents import is_of_chance
from fsm.declaration.declaration import Declaration
from fsm.declaration.introspection import reached, read
from fsm.declaration.policy import DICE
from fsm.edge.kept import kept
from rules.chance import roll

MAX_OUTCOMES = 256
"""Outcomes of the dice of one event that are followed at most."""


@kept
def follows_dice(game: Declaration) -> bool:
    """Whether dice are rolled after the deal, and only so that every outcome can be followed."""
    return bool(rolled_by(game)) and not loose(game)


@kept
def rolls_dice(arc: Arc) -> bool:
    """Whether an arc moves cards by chance, or does anything else by it: one of its effects rolls dice."""
    return any(map(is_of_chance, reached(arc.before)))


@kept
def rolled_by(game: Declaration) -> tuple[str, ...]:
    """The events whose effects roll dice."""
    return tuple(dict.fromkeys(arc.trigger for arc in game.arcs if rolls_dice(arc)))


@kept
def loose(game: Declaration) -> tuple[str, ...]:
    """The events of which one sequence of dice only can be followed: their effects roll some otherwise than by
    `rules.chance.roll`.
    """
    return tuple(dict.fromkeys(arc.trigger for arc in game.arcs if _rolls_otherwise(arc)))


def _rolls_otherwise(arc: Arc) -> bool:
    effects = (each for each in reached(arc.before) if not is_of_chance(each))
    called = (value for value in chain.from_iterable(map(read, effects)) if callable(value))
    return any(is_of_chance(value) and value is not roll for value in called)


def plays_by_number(game: Declaration, policies: Iterable[str]) -> bool:
    """Whether games depend on their numbers: dice are rolled."""
    return bool(rolled_by(game) or loose(game)) or not {policy.name for policy in DICE}.isdisjoint(policies)
