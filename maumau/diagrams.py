"""Draws all committed pictures again: python -m maumau.diagrams [FOLDER]. They are the diagrams of all games and of
matches, in FOLDER, and the machines that are shipped for pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Notify
from fsm.match.setup import MATCH
from fsm.registry import BUILT_IN, game_class
from maumau.kernels.bulk.traffic import traffic
from maumau.kernels.compiler.machine_code import why_no_compiler
from render.diagram.dot import dot, svg
from render.diagram.model import Diagram, DiagramError, extract
from render.diagram.overlay import Overlay
from render.diagram.statecharts import document
from render.page.document import DRAWINGS
from render.page.document import drawn as drawn_for_pages

GAMES = tuple(BUILT_IN)
TRAFFIC_GAMES, TRAFFIC_PLAYERS, TRAFFIC_SEED = 1_000_000, 4, 0
"""The traffic that is shown, as `maumau diagram --traffic 1000000 --players 4`."""


def main(folder: str = "diagrams") -> None:
    """Write all diagrams into `folder`; pictures that cannot be drawn are reported, skipped. Versions of Graphviz lay
    them out differently.
    """
    Path(folder).mkdir(exist_ok=True)
    for chart in charts():
        _write(folder, chart, drawn(chart))
    for declaration in declarations():
        if why := why_no_compiler():
            _report(f"the traffic of {declaration.name} is not counted: {why}")
        else:
            _write(folder, declaration, drawn_traffic(declaration, _report))


def declarations() -> Iterator[Declaration]:
    """The declarations of GAMES."""
    return (game_class(name).declaration for name in GAMES)


def charts() -> Iterator[Chart]:
    """Everything that is drawn: the games, and the machine of matches."""
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
    shown = Overlay.of_traffic(fired, TRAFFIC_GAMES, kind.seated(TRAFFIC_PLAYERS, ()), TRAFFIC_SEED)
    return {f"{declaration.name}-traffic": extract(declaration, shown)}


def texts(chart: Chart, diagrams: dict[str, Diagram]) -> dict[str, str]:
    """The files of a chart that are equal on every machine, by name: DOT, and a page with Mermaid and the tables."""
    page = {f"{chart.name}.md": document(diagrams[chart.name])} if chart.name in diagrams else {}
    return {f"{name}.dot": dot(diagram) for name, diagram in diagrams.items()} | page


def _write(folder: str, chart: Chart, diagrams: dict[str, Diagram]) -> None:
    written = texts(chart, diagrams)
    for name, diagram in diagrams.items():
        try:
            written[f"{name}.svg"] = f"{svg(diagram)}\n"
        except DiagramError as error:
            _report(f"{name}.svg is not drawn: {error}")
    for name, text in written.items():
        Path(folder, name).write_text(text, encoding="utf-8", newline="\n")


def draw_pages() -> None:
    """Write the machine of every game where pages have it. Raises DiagramError where nothing draws."""
    for declaration in declarations():
        drawing = drawn_for_pages(declaration)
        (DRAWINGS / f"{declaration.name}.svg").write_text(drawing, encoding="utf-8", newline="\n")


def _report(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:2])
    draw_pages()
