"""Faults in the arcs of the house rules of Mau-Mau: each is caught by the declaration or by the checks of every game.

python -m pytest                a few wrong destinations and forgotten effects of the arcs of each rule
python -m pytest -m thorough    all of them
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mutants import Mutant, callbacks, destinations, with_arc

from fsm import Game, MauMau
from fsm.check import explore_stepped, survey
from fsm.declaration.declaration import DeclarationError
from fsm.games.maumau.house import RULEBOOK

RULES = tuple(rule.name for rule in RULEBOOK.listed())
POSITIONS = 6000
"""Positions of each small deck that are looked at."""


def arc_faults(name: str) -> Iterator[Mutant]:
    """Each other destination, and each effect left out, of the arcs that a rule adds or changes."""
    kind = MauMau.with_rules(name)
    marks, game = kind.rule_marks, kind.declaration
    for place, arc in enumerate(game.arcs):
        if arc in marks.added or arc in marks.changed:
            forgotten = [each for each in callbacks(arc) if each[0].endswith(" dropped")]
            for description, changed in (*destinations(game, arc), *forgotten):
                yield with_arc(game, place, changed, description)


def is_caught(kind: type[Game], fault: Mutant) -> bool:
    """Whether a fault contradicts the declaration, or a property with the small decks or in whole games."""
    try:
        declaration = fault.declaration()
    except DeclarationError:
        return True
    faulty: type[Game] = type(kind.__name__, (kind,), {"declaration": declaration})
    decks = *declaration.small_decks[3:], declaration.small_decks[0]
    return any(explore_stepped(faulty, deck, POSITIONS, first=True).failures for deck in decks) or bool(
        survey(faulty, 2, seed=1).failures
    )


@pytest.mark.slow
@pytest.mark.parametrize("every", [60, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", RULES)
def test_faults_of_the_arcs_of_a_rule_are_caught(name: str, every: int) -> None:
    kind = MauMau.with_rules(name)
    assert [fault.description for fault in list(arc_faults(name))[::every] if not is_caught(kind, fault)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "trigger", "effect"), [
    ("nine-reverses", "open", "turn_direction"),
    ("cover-eight", "draw", "leave_uncovered"),
])  # fmt: skip
def test_a_forgotten_effect_is_caught(name: str, trigger: str, effect: str) -> None:
    kind = MauMau.with_rules(name)
    forgotten = [
        fault
        for fault in arc_faults(name)
        if f"callback {effect} dropped" in fault.description and f"--{trigger} " in fault.description
    ]
    assert forgotten
    assert all(is_caught(kind, fault) for fault in forgotten)
