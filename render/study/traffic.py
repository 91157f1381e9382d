"""How often each arc was fired, as a picture of the machine: the place where a report takes it from."""

from __future__ import annotations

from fsm.games import game_class
from render.diagram import DiagramError
from render.diagram import render as drawn
from study.summary import Summary


def traffic_picture(summary: Summary) -> str | None:
    """The diagram with the traffic of all games as an `<svg>` element; None where nothing is installed that draws."""
    try:
        picture = drawn(game_class(summary.question.game).declaration, "svg", traffic=summary.fired)
    except DiagramError:
        return None
    assert isinstance(picture, str)
    return picture
