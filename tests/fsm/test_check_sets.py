"""Sets of house rules that break a game are found on small decks, the smallest set with the shortest game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import maumau

from fsm import MauMau, UnoOfficial
from fsm.check.sets import SetReport, check_sets, rule_sets
from fsm.declaration.arcs import Arc
from fsm.games.maumau import arcs as page
from fsm.games.maumau import house
from fsm.variants.edits import AddArcs, Arcs, ChangeArcs, SplitArcs, Variant
from fsm.variants.rulebook import Rulebook
from rules.maumau.game import MauMauTable, next_player
from rules.rule import guard


@guard("it is never so")
def never(table: MauMauTable) -> bool:
    """It is never so."""
    return False


NO_DRAW = Variant("no-draw", "Nobody draws.", (ChangeArcs(Arcs("draw", page.AWAIT_PLAY), conditions=(never,)),))
HARMLESS = Variant("harmless", "Nothing changes.", ())


def broken(rules: tuple[Variant, ...], monkeypatch: pytest.MonkeyPatch, most: int = 2) -> list[SetReport]:
    """What is wrong with the sets of some rules of Mau-Mau."""
    monkeypatch.setattr(house, "RULEBOOK", Rulebook(rules))
    return [report for report in check_sets(MauMau, 1000, most) if report.rules and report.faults]


def test_the_allowed_sets_of_up_to_three_rules() -> None:
    assert len(rule_sets(UnoOfficial)) == 1 + 10 + 43 + 104


@pytest.mark.slow
def test_sound_rules_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tuple(rule for rule in house.RULEBOOK.rules if rule.name in ("jack-on-jack", "five-each"))
    assert [str(fault) for report in broken(rules, monkeypatch) for fault in report.faults] == []


@pytest.mark.slow
def test_a_position_without_a_way_on_is_a_dead_end_of_the_smallest_set(monkeypatch: pytest.MonkeyPatch) -> None:
    (report,) = broken((NO_DRAW, HARMLESS), monkeypatch)
    assert report.rules == ("no-draw",)
    (fault,) = [fault for fault in report.faults if fault.kind == "dead end"][:1]
    game = MauMau.with_rules(NO_DRAW).with_deck(fault.deck.partition(": ")[2], each=1).parse(fault.game)
    for event in fault.events:
        game.fire(*event.split())
    assert list(game.events().legal) == []


def test_a_transition_that_no_small_deck_fires_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Variant("never", "A rule that does nothing.", (SplitArcs(Arcs("skip"), never, "This never happens."),))
    found = broken((rule,), monkeypatch, 1)
    assert [(fault.kind, fault.what) for report in found for fault in report.faults] == [
        ("never fired", "skip-pending --skip--> await-play: This never happens.")
    ]


def test_a_contradiction_of_the_declaration_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Arc("skip", page.SKIP_PENDING, page.AWAIT_PLAY, before=(next_player,), description="Once more.")
    found = broken((Variant("twice", "A skip in two ways.", (AddArcs((twice,)),)),), monkeypatch, 1)
    assert [(fault.kind, "may both be enabled" in fault.what) for report in found for fault in report.faults] == [
        ("contradiction", True)
    ]


@pytest.mark.thorough
def test_the_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "sets.jsonl"
    command = ["check", "--sets", "--game", "uno-official", "--positions", "1", "-o", str(file)]
    first = maumau(*command, "--json")
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 158
    file.write_text("".join(lines[:100]) + lines[100][:20])
    again = maumau(*command, "--json")
    assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    assert file.read_text().splitlines(keepends=True) == lines
    for line in first.stdout.splitlines():
        assert json.loads(line)["faults"]


def test_a_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sets.jsonl"
    file.write_text('{"game": "uno"}\n')
    refused = maumau("check", "--sets", "--game", "uno-official", "-o", str(file))
    assert refused.returncode == 2
    assert "name a file that `maumau check --sets` wrote with the same rules" in refused.stderr


def test_a_game_without_rules_of_its_own_is_refused() -> None:
    refused = maumau("check", "--sets", "--game", "uno")
    assert refused.returncode == 2
    assert "uno has no house rules of its own" in refused.stderr
