"""Diagrams on which the arcs that house rules added, changed and removed are marked, not by colour alone."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from fsm import MauMau
from maumau.cli.interrupt import BadInput
from maumau.cli.main import app
from render.diagram import Overlay, extract


def lines(*rules: str) -> dict[tuple[str, str, str], list[str]]:
    """The marks of the arcs by source, event and destination."""
    kind = MauMau.with_rules(*rules)
    diagram = extract(kind.declaration, Overlay(marks=kind.rule_marks))
    found: dict[tuple[str, str, str], list[str]] = {}
    for edge in diagram.edges:
        for line in edge.lines:
            found.setdefault((edge.source, line.event, edge.dest), []).append(line.mark)
    return found


def test_arcs_added_changed_and_removed_name_the_rule() -> None:
    marks = lines("opening-without-effect", "ace-skips")
    assert marks["INITIAL", "open", "PENALTY_PENDING"] == ["\u2212 removed by opening-without-effect"]
    assert marks["AWAIT_PLAY", "play", "SKIP_PENDING"] == ["+ added by ace-skips", ""]
    assert marks["AWAIT_PLAY", "play", "AWAIT_PLAY"] == ["~ changed by ace-skips"]
    assert marks["RESHUFFLE", "turn_pile", "DRAWING"] == [""]


def test_an_arc_that_a_rule_leaves_as_it_is_has_no_mark() -> None:
    assert lines("opening-without-effect")["INITIAL", "open", "JACK_BINDING"] == [""]


def test_the_legend_names_each_rule_with_its_sentence() -> None:
    kind = MauMau.with_rules("ace-skips", "king-again")
    note = Overlay().with_marks(kind.rules, kind.rule_marks).note
    assert note.endswith("ace-skips: Aces skip, as eights do. king-again: After a king you play again.")


@pytest.mark.parametrize(
    ("format", "mark"),
    [("dot", "added by ace-skips"), ("mermaid", "+ added by ace-skips"), ("table", "| + added by ace-skips |")],
)
def test_every_picture_has_the_marks(format: str, mark: str) -> None:
    words = ["diagram", "--with", "ace-skips", "--marked", "--format", format]
    assert mark in CliRunner().invoke(app, words, catch_exceptions=False).stdout


def test_a_removed_arc_is_struck_through_and_dotted() -> None:
    words = ["diagram", "--with", "opening-without-effect", "--marked", "--format", "dot"]
    dot = CliRunner().invoke(app, words, catch_exceptions=False).stdout
    assert "<S>open</S>" in dot
    assert "style=dotted" in dot


def test_marks_need_rules() -> None:
    with pytest.raises(BadInput, match="--marked requires --with"):
        app(["diagram", "--marked"], standalone_mode=False)
