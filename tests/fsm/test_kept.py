"""What is kept of a game with house rules goes with its class: a server gets requests for ever new sets of rules."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import weakref
from itertools import combinations
from typing import Any

import pytest

from fsm import MauMau
from fsm.edge.kept import kept
from fsm.variants import ClashError, classes
from maumau.agents.actions import action_space
from maumau.play.server.games import GameBounds, LiveGame
from maumau.play.table import Computer, Setup, Table
from render.page.story import Narrator, game_data

FEW = 3


def test_a_result_is_found_once_for_each_owner() -> None:
    class Owner:
        pass

    asked = []

    @kept
    def find(owner: Owner, number: int) -> int:
        asked.append((owner, number))
        return number

    one, other = Owner(), Owner()
    assert [find(one, 1), find(one, 1), find(one, 2), find(other, 1)] == [1, 1, 2, 1]
    assert asked == [(one, 1), (one, 2), (other, 1)]


def used(rules: tuple[str, ...]) -> list[weakref.ref[object]]:
    """Play and show a game with some rules; weak references to its class and its declaration.

    Not to its table: sets of rules that add the same fields share one, and another test may use it.
    """
    kind = MauMau.with_rules(*rules)
    game = kind.deal(3, 7)
    Narrator(game).row(game.step())
    game.run()
    game_data(kind.declaration)
    action_space(kind.declaration)
    table = Table(Setup(game=kind.declaration.name, seats=(Computer("random"), Computer("house")), seed=7))
    while table.advance():
        pass
    table.view(None)
    LiveGame(kind.deal(3, 7), "", GameBounds()).everything()
    return [weakref.ref(kind), weakref.ref(kind.declaration)]


@pytest.mark.slow
def test_the_declarations_of_rules_that_nobody_uses_are_freed() -> None:
    names = [rule.name for rule in MauMau.rulebook().listed()]
    found: list[list[weakref.ref[object]]] = []
    for rules in combinations(names, 2):
        if len(found) == 12:
            break
        try:
            found.append(used(rules))
        except ClashError:
            continue
    classes._class.cache_clear()
    gc.collect()
    assert len(found) == 12
    alive = [pair for pair in found if any(each() is not None for each in pair)]
    assert len(alive) <= FEW, f"{len(alive)} of {len(found)} sets of rules are alive"


def test_a_set_of_rules_that_is_used_has_one_class() -> None:
    kind = MauMau.with_rules("nine-reverses", "five-each")
    classes._class.cache_clear()
    assert MauMau.with_rules("five-each", "nine-reverses") is kind


FREED = """
import gc, weakref
from fsm import MauMau
from fsm.variants import classes
plain = MauMau.declaration
def used(rule):
    kind = MauMau.with_rules(rule)
    game = kind.deal(3, 7)
    game.run()
    str(game.history[-1]), game.view(1), game.clone().events()
    made = [each for each in (kind.declaration.table, kind.declaration.phases) if each not in (plain.table, plain.phases)]
    return [weakref.ref(each) for each in (kind, kind.declaration, *made)]
found = [used(rule) for rule in ("nine-reverses", "play-on-after-penalty", "cover-eight")]
classes._class.cache_clear()
gc.collect()
print([len(each) for each in found], [each() for refs in found for each in refs if each() is not None])
"""


def test_the_tables_and_phases_that_rules_made_are_freed() -> None:
    """In a process of its own: other tests use the same rules."""
    result = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True)
    assert result.stdout == "[3, 3, 4] []\n"


def test_a_class_that_a_rule_made_is_found_by_its_name_while_it_is_used() -> None:
    kind: Any = MauMau.with_rules("nine-reverses")
    game = kind.deal(3, 7)
    table = pickle.loads(pickle.dumps(game.table))
    assert type(table) is type(game.table)
    assert table == game.table
