"""How often each arc was fired, as a picture of the machine: the place where a report takes it from."""

from __future__ import annotations

from fsm.registry import game_class
from maumau.study.summary import Summary
from render.diagram import DiagramError, Overlay, traffic_note
from render.diagram import render as drawn


def traffic_picture(summary: Summary) -> str | None:
    """The diagram with the traffic of all games as an `<svg>` element; None where nothing is installed that draws."""
    spec = summary.spec
    note = traffic_note(summary.played, spec.policies, spec.seed, sum(summary.fired.values()))
    try:
        shown = Overlay(traffic=summary.fired, note=note)
        picture = drawn(game_class(spec.game).declaration, "svg", shown)
    except DiagramError:
        return None
    assert isinstance(picture, str)
    return picture
