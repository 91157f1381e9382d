"""The page of all words of a game's file is the one that its script writes."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from examples.crazy_eights import CrazyEights
from fsm import MauMau, Uno
from rules import queues, tricks

SCRIPT = Path(__file__).parents[2] / "docs" / "_ext" / "vocabulary.py"
FIRST_GAME = SCRIPT.parents[1] / "howto" / "own-game.md"


@pytest.fixture(scope="module")
def vocabulary() -> ModuleType:
    """The script."""
    spec = importlib.util.spec_from_file_location("vocabulary", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_page_is_current(vocabulary: ModuleType) -> None:
    expected = "run python docs/_ext/vocabulary.py"
    assert vocabulary.PAGE.read_text(encoding="utf-8") == vocabulary.page(), expected


def test_every_part_has_a_row(vocabulary: ModuleType) -> None:
    page = vocabulary.PAGE.read_text(encoding="utf-8")
    written = set(re.findall(r"\| `(\w+)", page))
    for part in vocabulary.PARTS:
        module = importlib.import_module(f"rules.{part}")
        assert {name for name, value in vocabulary.public(module) if callable(value)} <= written


def test_what_is_played_in_lanes_has_no_loop_that_depends_on_cards(vocabulary: ModuleType) -> None:
    """The three games are played in lanes; `take_first` and `leader_of_game` are what lanes refuse."""
    rows = [line.split("|") for line in vocabulary.PAGE.read_text(encoding="utf-8").splitlines()]
    lanes = {re.sub(r"\W.*", "", row[2].strip(" `")): row[3].strip() for row in rows if len(row) == 7}
    for kind in (MauMau, Uno, CrazyEights):
        arcs = kind.declaration.arcs
        used = {each.__name__ for arc in arcs for each in (*arc.conditions, *arc.unless, *arc.before)}
        assert {lanes[name] for name in used & lanes.keys()} <= {"yes"}
    assert lanes[queues.take_first.__name__] == lanes[tricks.leader_of_game.__name__] == "no"


def test_reading_for_a_first_game_is_short() -> None:
    """This page, on which a first game is built; the others are looked up."""
    assert len(FIRST_GAME.read_text(encoding="utf-8").split()) <= 4000
