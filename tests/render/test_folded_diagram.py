"""Folded diagrams: where seats are asked one after another, asking the next seat is not drawn, and nobody left is one line."""

from __future__ import annotations

from collections import Counter

import pytest

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.declaration import Declaration
from fsm.games.mahjong import MAHJONG, MahjongPhase
from fsm.games.mahjong.game import Mahjong
from fsm.games.maumau import MAUMAU
from fsm.games.uno import UNO
from fsm.games.uno_official import UNO_OFFICIAL, UnoOfficialPhase
from render.diagram import SHOWN_BY, Overlay, extract, render
from render.diagram.model import Diagram, Line

ASKING = {"mahjong": ["ASK_WIN", "ASK_SET", "ASK_RUN"], "uno-official": ["UNO_PENDING"]}
MERGED = {
    ("ASK_WIN", "ASK_SET"): "decline or pass_over [all were asked] / ask first",
    ("ASK_SET", "ASK_RUN"): "decline or pass_over [all were asked] / ask first",
    ("ASK_RUN", "DRAW"): "decline or pass_over [all were asked]",
    ("UNO_PENDING", "EFFECT_PENDING"): "let_pass [all were asked] / turn resumes",
}
GAMES = [pytest.param(game, id=game.name) for game in (MAHJONG, UNO_OFFICIAL)]


def lines(diagram: Diagram) -> dict[tuple[str, str], list[Line]]:
    return {(edge.source, edge.dest): list(edge.lines) for edge in diagram.edges}


def declining(game: Declaration) -> list[Arc]:
    """The arcs by which a seat that is asked does nothing."""
    return [arc for arc in game.arcs if arc.trigger in game.control[arc.source].declines]


@pytest.mark.parametrize("game", [MAUMAU, UNO], ids=lambda game: game.name)
def test_where_nobody_is_asked_nothing_is_folded(game: Declaration) -> None:
    assert extract(game, Overlay(is_folded=True)) == extract(game)


@pytest.mark.parametrize("game", GAMES)
def test_the_loops_of_asking_are_folded_and_nothing_else(game: Declaration) -> None:
    whole, shown = lines(extract(game)), lines(extract(game, Overlay(is_folded=True)))
    loops = {(arc.source.name, arc.dest.name) for arc in declining(game) if arc.source is arc.dest}
    assert whole.keys() - shown.keys() == loops
    assert {source for source, _ in loops} <= set(ASKING[game.name])
    merged = {(arc.source.name, arc.dest.name) for arc in declining(game)} - loops
    assert {ends for ends in shown if shown[ends] != whole[ends]} == merged
    assert {ends: [str(line) for line in shown[ends]] for ends in merged} == {ends: [MERGED[ends]] for ends in merged}


@pytest.mark.parametrize("game", GAMES)
def test_the_ids_of_arcs_and_phases_stay(game: Declaration) -> None:
    numbers = [line.number for rows in lines(extract(game, Overlay(is_folded=True))).values() for line in rows]
    assert len(numbers) == len(set(numbers))
    gone = set(range(len(game.arcs))) - set(numbers)
    assert {game.arcs[number] for number in gone} < set(declining(game))
    source = str(render(game, "dot", Overlay(is_folded=True)))
    assert [number for number in range(len(game.arcs)) if f'ID="arc-{number}"' in source] == sorted(numbers)
    assert [phase.name for phase in game.phases if f"id={phase.name} " not in source] == []


@pytest.mark.parametrize("game", GAMES)
def test_traffic_and_path_of_merged_arcs_are_added(game: Declaration) -> None:
    traffic = {arc: 10 + place for place, arc in enumerate(game.arcs)}
    path = [*game.arcs, *reversed(game.arcs)]
    shown = lines(extract(game, Overlay(is_folded=True, traffic=traffic, path=path)))
    for arc in game.arcs:
        together = [arc]
        if arc in declining(game):
            together = [other for other in declining(game) if (other.source, other.dest) == (arc.source, arc.dest)]
        if arc in declining(game) and arc.source is arc.dest:
            continue
        number = game.arcs.index(together[0])
        (line,) = (line for line in shown[arc.source.name, arc.dest.name] if line.number == number)
        assert line.fired == sum(traffic[each] for each in together)
        assert line.share == pytest.approx(line.fired / sum(traffic.values()))
        assert line.path == tuple(place for place, each in enumerate(path, 1) if each in together)


def test_a_game_is_counted_on_a_folded_diagram_as_it_was_played() -> None:
    game = Mahjong.deal(3, 7)
    game.run()
    asked = [step for step in game.history if (step.source, step.dest) == (MahjongPhase.ASK_WIN, MahjongPhase.ASK_SET)]
    fired = Counter(step.arc for step in game.history)
    (line,) = lines(extract(MAHJONG, Overlay(is_folded=True, traffic=fired)))["ASK_WIN", "ASK_SET"]
    assert line.fired == len(asked) > 10


@pytest.mark.parametrize("format", ["dot", "mermaid"])
@pytest.mark.parametrize(
    ("game", "phase"), [(MAHJONG, MahjongPhase.ASK_SET), (UNO_OFFICIAL, UnoOfficialPhase.UNO_PENDING)]
)
def test_the_current_phase_is_highlighted_though_it_is_folded(game: Declaration, phase: Phase, format: str) -> None:
    plain, shown = (
        str(render(game, format, Overlay(is_folded=True, active=active))).splitlines() for active in (None, phase)
    )
    changed = [line for line in shown if line not in plain]
    assert changed
    assert all(phase.name in line or str(phase) in line or "classDef" in line for line in changed)


def test_every_format_of_text_that_can_be_folded_is() -> None:
    for format in set(SHOWN_BY["folds"]) & {"dot", "mermaid"}:
        assert render(MAHJONG, format, Overlay(is_folded=True)) != render(MAHJONG, format)
