"""The names and the content of the files of diagrams/."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.match.setup import MATCH
from fsm.registry import BUILT_IN, game_class
from maumau.kernels.bulk.traffic import traffic
from maumau.kernels.compiler.machine_code import Notify
from render.diagram.dot import dot
from render.diagram.extract import Overlay, extract, traffic_note
from render.diagram.markdown import document
from render.diagram.model import Diagram

GAMES = tuple(BUILT_IN)
"""The games with a diagram there."""
TRAFFIC_GAMES, TRAFFIC_PLAYERS, TRAFFIC_SEED = 1_000_000, 4, 0
"""The traffic that is shown there, as `maumau diagram --traffic 1000000 --players 4`."""


def declarations() -> Iterator[Declaration]:
    """The declarations of GAMES."""
    return (game_class(name).declaration for name in GAMES)


def charts() -> Iterator[Chart]:
    """Everything that is drawn there: the games, and the machine of matches."""
    yield from declarations()
    yield MATCH


def drawn(chart: Chart) -> dict[str, Diagram]:
    """The diagrams of a chart, by name: with every arc, and folded where that makes a difference."""
    whole, folded = extract(chart), extract(chart, Overlay(is_folded=True))
    return {chart.name: whole} | ({f"{chart.name}-folded": folded} if folded != whole else {})


def drawn_traffic(declaration: Declaration, notify: Notify | None = None) -> dict[str, Diagram]:
    """The diagram of a game with its traffic, by name; it is counted in seconds by the compiled engine."""
    kind = game_class(declaration.name)
    fired = traffic(kind, TRAFFIC_PLAYERS, TRAFFIC_GAMES, TRAFFIC_SEED, notify=notify)
    note = traffic_note(TRAFFIC_GAMES, kind.seated(TRAFFIC_PLAYERS, ()), TRAFFIC_SEED, sum(fired.values()))
    return {f"{declaration.name}-traffic": extract(declaration, Overlay(traffic=fired, note=note))}


def texts(chart: Chart, diagrams: dict[str, Diagram]) -> dict[str, str]:
    """The files of a chart that are equal on every machine, by name: DOT, and a page with Mermaid and the tables."""
    page = {f"{chart.name}.md": document(diagrams[chart.name])} if chart.name in diagrams else {}
    return {f"{name}.dot": dot(diagram) for name, diagram in diagrams.items()} | page
