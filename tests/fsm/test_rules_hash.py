"""The hash of how a game is played: what changes it, and what does not."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutants import mutants

from fsm import MauMau
from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.facts import Look
from fsm.hashes import code_hash, rules_hash
from fsm.registry import game_class
from rules.maumau import game as maumau
from rules.rule import effect

GAME = MauMau.declaration


@effect
def amended(deck: bytearray, players: int, seed: int, number: int) -> None:
    """Exchange two cards."""
    deck[0], deck[1] = deck[1], deck[0]


SOURCE = """
from rules.rule import effect

AMOUNT = 2
PAIRS = ((1, 2), (3, 4))

@effect
def add_two(table, times: int = 1) -> None:
    '''Two more cards are due.'''
    for number in range(times):
        table.due += AMOUNT * PAIRS[0][0]
"""
Made = Callable[[str, str], Declaration]


@pytest.fixture(name="made")
def what_makes_games(tmp_path: Path) -> Made:
    """A game whose effect `add_two` is that of a source, in a file of its own."""

    def make(source: str, file: str = "rules_of_mine.py") -> Declaration:
        (tmp_path / file).write_text(source)
        own = runpy.run_path(str(tmp_path / file))["add_two"]
        return replace(GAME, arcs=tuple(_with(arc, own) for arc in GAME.arcs))

    return make


def _with(arc: Arc, own: Any) -> Arc:
    return replace(arc, before=tuple(own if effect is maumau.add_two else effect for effect in arc.before))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("Two more cards are due.", "The next player draws two more."),
        ("table, times: int = 1) -> None", "state, count=1)"),
        ("number", "each"),
        ("@effect", "# The rule that everybody knows.\n@effect"),
    ],
)
def test_names_annotations_docstrings_comments_and_modules_do_not_count(made: Made, old: str, new: str) -> None:
    changed = SOURCE.replace(old, new) if old else SOURCE
    changed = changed.replace("table.due", "state.due").replace("(times)", "(count)") if "state" in new else changed
    assert rules_hash(made(changed, "moved.py")) == rules_hash(made(SOURCE, "rules_of_mine.py"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("AMOUNT = 2", "AMOUNT = 3"),
        ("PAIRS = ((1, 2)", "PAIRS = ((2, 2)"),
        ("+=", "-="),
        ("times: int = 1", "times: int = 2"),
        ("table.due", "table.turns"),
    ],
)
def test_what_a_rule_does_counts(made: Made, old: str, new: str) -> None:
    assert rules_hash(made(SOURCE.replace(old, new), "rules_of_mine.py")) != rules_hash(
        made(SOURCE, "rules_of_mine.py")
    )


def test_how_a_game_is_shown_and_checked_does_not_count() -> None:
    arcs = tuple(replace(arc, description=f"{arc.description} Really.") for arc in GAME.arcs)
    other = replace(
        GAME, arcs=arcs, title="Another name", look=Look(), invariants=(), postconditions=(), small_decks=()
    )
    assert rules_hash(other) == rules_hash(GAME)


@pytest.mark.parametrize(
    "change",
    [
        {"arcs": tuple(reversed(GAME.arcs))},
        {"return_ends": True},
        {"scoring": replace(GAME.scoring, lowest_wins=False)},
        {"amend": amended},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_parts_of_a_declaration_count(change: dict[str, Any]) -> None:
    assert rules_hash(replace(GAME, **change)) != rules_hash(GAME)


def test_what_matters_besides_counts_where_it_is_asked_for() -> None:
    other = replace(GAME, policies=GAME.policies[1:], chain=None)
    assert rules_hash(other) == rules_hash(GAME)
    assert rules_hash(other, *other.policies) != rules_hash(GAME, *GAME.policies)
    assert rules_hash(GAME, other.chain) != rules_hash(GAME, GAME.chain)


def test_labels_of_decision_rules_do_not_count() -> None:
    house = GAME.policies[0]
    renamed = {
        phase: tuple(
            replace(choice, rule=f"the {choice.rule}", description="So.") for choice in choices if choice.decides
        )
        + tuple(choice for choice in choices if not choice.decides)
        for phase, choices in house.choices.items()
    }
    assert rules_hash(GAME, replace(house, choices=renamed)) == rules_hash(GAME, house)
    fewer = {phase: choices[-1:] for phase, choices in house.choices.items()}
    assert rules_hash(GAME, replace(house, choices=fewer)) != rules_hash(GAME, house)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["maumau", "uno", "uno-official", "mahjong"])
def test_every_fault_of_a_declaration_counts(name: str) -> None:
    """Without one arc, guard or callback, or in another order: each is another game."""
    game = game_class(name).declaration
    found = {rules_hash(game): "the game"}
    for mutant in mutants(game):
        with suppress(DeclarationError):
            faulty = mutant.declaration()
            assert found.setdefault(rules_hash(faulty), mutant.description) == mutant.description
    assert len(found) > 50


ANY_VERSION = """
from dataclasses import dataclass
from enum import IntEnum

class Kind(IntEnum):
    SEVEN = 7

@dataclass
class Pair:
    one: int
    other: int = 3

def twice(number):
    return [each * 2 for each in range(number)]

does = lambda table, times=2: sum(twice(table.due)) + Kind.SEVEN * Pair(times, times).other
"""


def test_the_hash_is_the_same_in_every_version_of_python(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(ANY_VERSION)
    assert code_hash(runpy.run_path(str(tmp_path / "own.py"), run_name="own")["does"]) == "7c99a9b11b82e33dedc2494f"
