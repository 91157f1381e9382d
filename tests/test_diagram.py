"""The diagrams show the declaration, all of it and nothing else; pictures are drawn with what is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from transitions.extensions import GraphMachine

from fsm.arcs import Arc, Declaration
from fsm.maumau import MAUMAU, MauMau, MauMauPhase
from render.diagram import FORMATS, DiagramError, extract, render
from render.diagram.__main__ import main
from render.diagram.committed import declarations, texts
from render.diagram.dot import dot
from render.diagram.mermaid import mermaid
from render.diagram.model import Diagram, Edge, Group, Kind, Line, Node
from render.diagram.notebook import bundle
from render.diagram.table import table

DIAGRAMS = Path(__file__).parents[1] / "diagrams"
GAMES = [pytest.param(declaration, id=declaration.name) for declaration in declarations()]
TEXTS = ("dot", "mermaid", "table")

Plain = set[tuple[str, str, str]]
"""Arcs as source, trigger and destination, phases by their identifiers."""


def text(declaration: Declaration, format: str, **options: Any) -> str:
    return str(render(declaration, format, **options))


def words(arc: Arc) -> str:
    """`event [guards] / callbacks`, as it stands on an arc."""
    guards = f" [{arc.guards}]" if arc.guards else ""
    return f"{arc.trigger}{guards}" + (f" / {arc.callbacks}" if arc.callbacks else "")


def plain(declaration: Declaration) -> Plain:
    return {(arc.source.name, arc.trigger, arc.dest.name) for arc in declaration.arcs}


def said(label: str) -> list[str]:
    """The words in each row of a label of HTML, without its marks and line breaks."""
    rows = re.findall(r"<TR>(.*?)</TR>", label)
    return [re.sub("<[^>]*>", "", row.replace("<BR/>", " ")) for row in rows]


def drawn_edges(source: str) -> Iterator[tuple[str, str, list[str]]]:
    """Source, destination and words of each edge of our DOT, found again by a parser of DOT."""
    graph = pytest.importorskip("pygraphviz").AGraph(string=source)
    for node in graph.nodes():
        if node.attr["shape"] == "plain":
            halves = graph.edges(node)
            (tail,) = (set(half) - {node} for half in halves if half.attr["dir"] == "none")
            (head,) = (set(half) - {node} for half in halves if half.attr["dir"] != "none")
            yield tail.pop(), head.pop(), said(node.attr["label"])


def small(line: Line, title: str = "phase") -> Diagram:
    """One phase, and an arc from it to itself."""
    node = Node("PHASE", title, Kind.FORCED, (line.event,))
    return Diagram("Game", (node,), (Edge("PHASE", "PHASE", (line,)),), (Group(node.kind, (node,)),))


# ---------------------------------------------------------------- the committed files


@pytest.mark.parametrize("declaration", GAMES)
def test_the_committed_texts_are_what_the_declaration_says(declaration: Declaration) -> None:
    for name, expected in texts(declaration).items():
        found = (DIAGRAMS / name).read_text(encoding="utf-8")
        assert found == expected, f"diagrams/{name} is old: run python -m render.diagram"


@pytest.mark.parametrize("declaration", GAMES)
def test_a_picture_of_every_game_is_committed(declaration: Declaration) -> None:
    assert (DIAGRAMS / f"{declaration.name}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_module_writes_every_file_anew(tmp_path: Path) -> None:
    main(str(tmp_path))
    for declaration in declarations():
        for name, expected in texts(declaration).items():
            assert (tmp_path / name).read_text(encoding="utf-8") == expected


# ---------------------------------------------------------------- everything is shown


@pytest.mark.parametrize("declaration", GAMES)
@pytest.mark.parametrize("format", TEXTS)
def test_every_phase_and_who_acts_there_is_shown(declaration: Declaration, format: str) -> None:
    shown = text(declaration, format)
    for phase in declaration.phases:
        if phase is not declaration.initial:
            assert str(phase) in shown
        if format != "table":
            assert phase.name in shown or phase is declaration.initial
    assert declaration.title in text(declaration, "dot")


@pytest.mark.parametrize("declaration", GAMES)
def test_every_arc_has_its_words_in_dot(declaration: Declaration) -> None:
    found = [(source, dest, row) for source, dest, rows in drawn_edges(text(declaration, "dot")) for row in rows]
    assert sorted(found) == sorted((arc.source.name, arc.dest.name, words(arc)) for arc in declaration.arcs)


@pytest.mark.parametrize("declaration", GAMES)
def test_every_arc_has_its_line_in_mermaid(declaration: Declaration) -> None:
    def name(phase: Any) -> str:
        return "[*]" if phase is declaration.initial else str(phase.name)

    found = [line.strip() for line in text(declaration, "mermaid").splitlines() if "-->" in line]
    expected = [f"{name(arc.source)} --> {name(arc.dest)} : {words(arc)}" for arc in declaration.arcs]
    assert sorted(found) == sorted([*expected, f"{declaration.final.name} --> [*]"])


@pytest.mark.parametrize("declaration", GAMES)
def test_every_arc_has_its_row_with_the_rule_in_the_table(declaration: Declaration) -> None:
    found = text(declaration, "table").splitlines()
    for arc in declaration.arcs:
        row = f"| {arc.source} | `{arc.trigger}` | {arc.guards} | {arc.callbacks} | {arc.dest} | {arc.says} |"
        assert row in found
    assert sum(row.startswith("| ") for row in found) == 4 + len(declaration.phases) + len(declaration.arcs)


@pytest.mark.parametrize("declaration", GAMES)
def test_initial_and_final_phases_are_drawn_as_in_uml(declaration: Declaration) -> None:
    graph = pytest.importorskip("pygraphviz").AGraph(string=text(declaration, "dot"))
    dots = [node for node in graph.nodes() if node.attr["shape"] == "circle"]
    ends = [node for node in graph.nodes() if node.attr["shape"] == "doublecircle"]
    assert dots == [declaration.initial.name]
    assert ends == [declaration.final.name]


@pytest.mark.parametrize("declaration", GAMES)
def test_the_library_behind_the_machine_sees_the_same_graph(declaration: Declaration) -> None:
    machine = GraphMachine(
        model=SimpleNamespace(),
        states=[phase.name for phase in declaration.phases],
        transitions=[[arc.trigger, arc.source.name, arc.dest.name] for arc in declaration.arcs],
        initial=declaration.initial.name,
        auto_transitions=False,
        graph_engine="mermaid",
    )
    theirs = machine.get_combined_graph().source
    found = re.findall(r"^\s*(\w+) --> (\w+): (.*)$", theirs, re.MULTILINE)
    edges = {(source, trigger, dest) for source, dest, label in found for trigger in label.split(" | ")}
    ours = drawn_edges(text(declaration, "dot"))
    assert (
        edges == {(source, row.split()[0], dest) for source, dest, rows in ours for row in rows} == plain(declaration)
    )
    assert set(machine.states) == {node.name for node in extract(declaration).nodes}


# ---------------------------------------------------------------- the current phase, traffic


@pytest.mark.parametrize("format", TEXTS)
def test_the_lit_phase_alone_is_shown_differently(format: str) -> None:
    before = text(MAUMAU, format).splitlines()
    after = text(MAUMAU, format, lit=MauMauPhase.JACK_BINDING).splitlines()
    changed = [line for line in after if line not in before]
    assert changed
    assert all("JACK_BINDING" in line or "jack-binding" in line or "classDef" in line for line in changed)


def test_only_the_lit_node_is_lit() -> None:
    diagram = extract(MAUMAU, lit=MauMauPhase.DRAWING)
    assert [node.name for node in diagram.nodes if node.lit] == ["DRAWING"]


@pytest.mark.parametrize("format", TEXTS)
def test_traffic_is_counted_on_every_arc(format: str) -> None:
    traffic = {arc: 1000 + place for place, arc in enumerate(MAUMAU.arcs)}
    shown = text(MAUMAU, format, traffic=traffic)
    assert all(f"{count:,}" in shown for count in traffic.values())


def test_the_more_traffic_the_bolder_and_without_any_dotted() -> None:
    rare, often, *_ = (arc for arc in MAUMAU.arcs if arc.source is MAUMAU.initial)
    shown = text(MAUMAU, "dot", traffic={rare: 10, often: 1000})
    widths = {
        name: float(width)
        for name, width in re.findall(r'INITIAL -> "INITIAL to (\w+)" \[.*penwidth=([\d.]+)\]', shown)
    }
    assert 1 < widths[rare.dest.name] < widths[often.dest.name]
    assert shown.count("style=dotted") == 2 * (len(extract(MAUMAU).edges) - 2)


# ---------------------------------------------------------------- special characters


HOSTILE = Line("fire", 'a < b & "c"; d: e', "x > y | z*_", "Says `1` | \\2 <b>.")


def test_dot_escapes_what_means_something_to_it() -> None:
    graph = pytest.importorskip("pygraphviz").AGraph(string=dot(small(HOSTILE, "p & <q>")))
    assert "p &amp; &lt;q&gt;" in graph.get_node("PHASE").attr["label"]
    label = graph.get_node("PHASE to PHASE").attr["label"]
    assert said(label) == ["fire [a &lt; b &amp; &quot;c&quot;; d: e] / x &gt; y | z*_"]


def test_mermaid_escapes_what_means_something_to_it() -> None:
    (line,) = (line for line in mermaid(small(HOSTILE)).splitlines() if "-->" in line)
    assert line.endswith(" : fire [a #60; b #38; #34;c#34;#59; d#58; e] / x #62; y | z*_")


def test_the_table_escapes_what_means_something_to_it() -> None:
    row = table(small(HOSTILE)).splitlines()[-1]
    assert row.endswith(r"| x \> y \| z\*\_ | phase | Says \`1\` \| \\2 \<b\>. |")


# ---------------------------------------------------------------- pictures


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def nothing_draws(no_dot: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


@pytest.mark.usefixtures("no_dot")
@pytest.mark.parametrize(("format", "begin"), [("svg", "<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_need_no_program(format: str, begin: Any) -> None:
    pytest.importorskip("pygraphviz")
    assert render(MAUMAU, format).startswith(begin)


@pytest.mark.usefixtures("nothing_draws")
@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_without_anything_that_draws_the_error_tells_what_to_install(format: str) -> None:
    with pytest.raises(DiagramError, match=r"pip install maumau\[diagrams\], or install Graphviz"):
        render(MAUMAU, format)
    assert text(MAUMAU, "dot").startswith("digraph")


@pytest.mark.usefixtures("nothing_draws")
def test_without_anything_that_draws_the_texts_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(str(tmp_path / "new"))
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".dot", ".md"}
    assert "maumau.svg is not drawn: nothing is installed" in capsys.readouterr().err


def test_a_notebook_shows_the_game_with_its_phase_lit() -> None:
    pytest.importorskip("pygraphviz")
    game = MauMau.deal(players=2, seed=7, number=0)
    drawn = bundle(game)["image/svg+xml"]
    assert str(drawn).startswith("<svg")
    assert drawn == render(MAUMAU, "svg", lit=game.phase)
    assert drawn != render(MAUMAU, "svg")


@pytest.mark.usefixtures("nothing_draws")
def test_a_notebook_without_anything_that_draws_keeps_the_text() -> None:
    assert bundle(MauMau.deal(players=2, seed=7, number=0)) == {}


def test_an_unknown_format_is_told_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown format 'gif', expected one of dot, mermaid, svg, png, pdf, table"):
        render(MAUMAU, "gif")


def test_importing_the_diagrams_imports_no_graphviz() -> None:
    code = "import sys, render.diagram; print({'graphviz', 'pygraphviz'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_equal_declarations_give_equal_text() -> None:
    assert all(text(MAUMAU, format) == text(MAUMAU, format) for format in TEXTS)
    assert set(TEXTS) < set(FORMATS)
