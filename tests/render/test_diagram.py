"""The diagrams show the declaration, all of it and nothing else; pictures are drawn with what is installed."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from transitions.extensions import GraphMachine

from fsm.declaration.arcs import Arc
from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.games.maumau import MAUMAU, MauMauPhase
from fsm.games.maumau.game import MauMau
from fsm.games.uno.game import Uno
from maumau import diagrams as committed
from maumau.diagrams import charts, declarations, drawn_traffic, main, texts
from maumau.diagrams import drawn as drawn_of
from maumau.kernels.bulk.traffic import traffic
from render.diagram import FORMATS, DiagramError, Overlay, extract, render
from render.diagram.dot import brief, dot
from render.diagram.model import Diagram, DiagramNode, Edge, Line, NodeKind
from render.diagram.statecharts import NAMESPACE, mermaid, mermaid_identifier, scxml, table
from render.page.document import drawn

DIAGRAMS = Path(__file__).parents[2] / "diagrams"
GAMES = [pytest.param(declaration, id=declaration.name) for declaration in declarations()]
CHARTS = [pytest.param(chart, id=chart.name) for chart in charts()]
TEXTS = ("dot", "mermaid", "table")
bulk_needed = pytest.mark.skipif(find_spec("llvmlite") is None, reason="traffic is counted by the compiled engine")

Plain = set[tuple[str, str, str]]
"""Arcs as source, trigger and destination, phases by their identifiers."""


def text(declaration: Declaration, format: str, **shown: Any) -> str:
    return str(render(declaration, format, Overlay(**shown)))


def words(arc: Arc) -> str:
    """`event [guards] / callbacks`, as it stands on an arc."""
    guards = f" [{arc.guards}]" if arc.guards else ""
    return f"{arc.trigger}{guards}" + (f" / {arc.effects}" if arc.effects else "")


def plain(declaration: Declaration) -> Plain:
    return {(arc.source.name, arc.trigger, arc.dest.name) for arc in declaration.arcs}


def label_rows(label: str) -> list[str]:
    """The words in each row of a label of HTML, without its marks and line breaks."""
    rows = re.findall(r"<TR>(.*?)</TR>", label)
    return [re.sub("<[^>]*>", "", row.replace("<BR/>", " ")) for row in rows]


def drawn_edges(source: str) -> Iterator[tuple[str, str, list[str]]]:
    """Source, destination and words of each edge of our DOT, found again by a parser of DOT."""
    graph = pytest.importorskip("pygraphviz", exc_type=ImportError).AGraph(string=source)
    for node in graph.nodes():
        if node.attr["shape"] == "plain":
            halves = graph.edges(node)
            (tail,) = (set(half) - {node} for half in halves if half.attr["dir"] == "none")
            (head,) = (set(half) - {node} for half in halves if half.attr["dir"] != "none")
            yield tail.pop(), head.pop(), label_rows(node.attr["label"])


def small(line: Line, title: str = "phase") -> Diagram:
    """One phase, and an arc from it to itself."""
    node = DiagramNode("PHASE", title, NodeKind.FORCED, (line.event,))
    return Diagram("Game", (node,), (Edge("PHASE", "PHASE", (line,)),))


# ---------------------------------------------------------------- the committed files


@pytest.mark.parametrize("chart", CHARTS)
def test_the_committed_texts_are_what_the_declaration_says(chart: Chart) -> None:
    for name, expected in texts(chart, drawn_of(chart)).items():
        found = (DIAGRAMS / name).read_text(encoding="utf-8")
        assert found == expected, f"diagrams/{name} is old: run python -m maumau.diagrams"


@pytest.mark.parametrize("chart", CHARTS)
def test_a_picture_of_every_game_and_of_matches_is_committed(chart: Chart) -> None:
    for name in texts(chart, drawn_of(chart)):
        if name.endswith(".dot"):
            assert (DIAGRAMS / name).with_suffix(".svg").read_text(encoding="utf-8").startswith("<svg")


LAPTOP = 1366
"""Pixels: how wide the window of a small laptop is. An inch has 72 points and 96 pixels."""


@pytest.mark.parametrize("picture", sorted(DIAGRAMS.glob("*.svg")), ids=lambda path: path.name)
def test_a_committed_picture_fits_into_the_window_of_a_laptop(picture: Path) -> None:
    (points,) = re.findall(r'<svg width="(\d+)pt"', picture.read_text(encoding="utf-8"))
    assert int(points) * 96 / 72 <= LAPTOP


@pytest.mark.slow
@bulk_needed
@pytest.mark.parametrize(
    "declaration",
    [GAMES[0], *(pytest.param(*game.values, id=game.id, marks=pytest.mark.thorough) for game in GAMES[1:])],
)
def test_the_committed_traffic_is_what_a_million_games_count(declaration: Declaration) -> None:
    for name, expected in texts(declaration, drawn_traffic(declaration)).items():
        found = (DIAGRAMS / name).read_text(encoding="utf-8")
        assert found == expected, f"diagrams/{name} is old: run python -m maumau.diagrams"
        assert Path(DIAGRAMS / name).with_suffix(".svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committed, "TRAFFIC_GAMES", 10)


@bulk_needed
@pytest.mark.usefixtures("few_games", "pictures")
@pytest.mark.parametrize("games", [committed.GAMES[:1], pytest.param(committed.GAMES, marks=pytest.mark.thorough)])
def test_the_module_writes_every_file_anew(
    games: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committed, "GAMES", games)
    main(str(tmp_path))
    assert {path.name for path in tmp_path.glob("*-traffic.svg")} == {f"{name}-traffic.svg" for name in games}
    for chart in charts():
        for name, expected in texts(chart, drawn_of(chart)).items():
            assert (tmp_path / name).read_text(encoding="utf-8") == expected


def test_the_module_without_the_compiled_engine_leaves_out_the_traffic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fsm.edge.extras.find_spec", lambda name: None)
    main(str(tmp_path))
    assert not list(tmp_path.glob("*traffic*"))
    assert "the traffic of maumau is not counted: the compiled engine requires llvmlite" in capsys.readouterr().err


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
        return "[*]" if phase is declaration.initial else mermaid_identifier(phase.name)

    found = [line.strip() for line in text(declaration, "mermaid").splitlines() if "-->" in line]
    expected = [f"{name(arc.source)} --> {name(arc.dest)} : {words(arc)}" for arc in declaration.arcs]
    assert sorted(found) == sorted([*expected, f"{name(declaration.final)} --> [*]"])


@pytest.mark.parametrize("declaration", GAMES)
def test_every_arc_has_its_row_with_the_rule_in_the_table(declaration: Declaration) -> None:
    found = text(declaration, "table").splitlines()
    for arc in declaration.arcs:
        row = f"| {arc.source} | `{arc.trigger}` | {arc.guards} | {arc.effects} | {arc.dest} | {arc.description} |"
        assert row in found
    assert sum(row.startswith("| ") for row in found) == 6 + 2 * len(declaration.phases) + len(declaration.arcs)


@pytest.mark.parametrize("declaration", GAMES)
def test_every_event_is_listed_for_every_phase(declaration: Declaration) -> None:
    head, _, *found = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text(declaration, "events").splitlines()
        if line.startswith("|")
    )
    assert head[1:] == [f"`{trigger}`" for trigger in declaration.triggers]
    assert [row[0] for row in found] == [str(phase) for phase in declaration.phases]
    for phase, row in zip(declaration.phases, found, strict=True):
        for trigger, cell in zip(declaration.triggers, row[1:], strict=True):
            dests = [str(arc.dest) for arc in declaration.leaving(phase, trigger)]
            assert sorted(re.findall(r"→ ([\w-]+)", cell)) == sorted(dests)
            assert dests or cell == "·"


def test_the_table_of_events_lists_guards_and_refusals() -> None:
    output = text(MAUMAU, "events")
    assert r"\[seven\] → penalty-pending" in output
    assert "- `play` in await-play: the card fits neither the suit nor the rank of the open card\n" in output
    assert "- `play` in penalty-pending: only another seven answers an active seven\n" in output
    assert "- `pass_turn` in drawing: not while a card must be drawn\n" in output
    assert "the card is not of the bound suit, which the open card binds" in output
    assert "must be of the named colour, or WC" in text(Uno.declaration, "events")


@pytest.mark.parametrize("declaration", GAMES)
def test_the_phases_are_a_table_of_their_own(declaration: Declaration) -> None:
    found = text(declaration, "phases").splitlines()
    assert len(found) == 2 + len(declaration.phases)
    assert text(declaration, "table").startswith(text(declaration, "phases"))


@pytest.mark.parametrize("declaration", GAMES)
def test_initial_and_final_phases_are_drawn_as_in_uml(declaration: Declaration) -> None:
    graph = pytest.importorskip("pygraphviz", exc_type=ImportError).AGraph(string=text(declaration, "dot"))
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
    after = text(MAUMAU, format, active=MauMauPhase.JACK_BINDING).splitlines()
    changed = [line for line in after if line not in before]
    assert changed
    assert all("JACK_BINDING" in line or "jack-binding" in line or "classDef" in line for line in changed)


def test_only_the_lit_node_is_lit() -> None:
    diagram = extract(MAUMAU, Overlay(active=MauMauPhase.DRAWING))
    assert [node.name for node in diagram.nodes if node.active] == ["DRAWING"]


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


def test_traffic_shows_the_share_of_all_events() -> None:
    first, second, third, *_ = MAUMAU.arcs
    diagram = extract(MAUMAU, Overlay(traffic={first: 2_999, second: 1_000, third: 1}))
    output = {line.number: line.count for edge in diagram.edges for line in edge.lines}
    assert (output[0], output[1], output[2]) == ("2,999 times, 75.0 %", "1,000 times, 25.0 %", "once, < 0.1 %")
    assert output[3] == "never fired"


@pytest.mark.slow
def test_the_traffic_counted_by_stepping_is_that_of_the_compiled_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, policies in ((MauMau, ["house", "random", "first-legal"]), (Uno, ["house"])):
        options = (kind, 3, 20, 5, policies)
        compiled = traffic(*options) if find_spec("llvmlite") else None
        messages: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr("fsm.edge.extras.find_spec", lambda name: None)
            stepped = traffic(*options, messages.append)
        assert messages[0].startswith("stepping 20 games one by one: the compiled engine requires llvmlite")
        assert compiled in (None, stepped)
        games = [kind.deal(3, 5, number, policies) for number in range(20)]
        assert sum(stepped.values()) == sum(game.run() is not None and len(game.history) for game in games)


# ---------------------------------------------------------------- the way of a game


def test_the_path_shows_which_arcs_and_in_which_order() -> None:
    game = MauMau.deal(players=3, seed=7, number=0)
    game.run()
    diagram = extract(MAUMAU, Overlay(path=[step.arc for step in game.history]))
    lines = {line.number: line for edge in diagram.edges for line in edge.lines}
    for number, arc in enumerate(MAUMAU.arcs):
        expected = tuple(place for place, step in enumerate(game.history, 1) if step.arc is arc)
        assert lines[number].path == expected
    assert [edge.taken for edge in diagram.edges] == [any(line.path for line in edge.lines) for edge in diagram.edges]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ((), ""),
        ((4,), "event 4"),
        ((4, 5, 6, 9), "events 4 to 6, 9"),
        ((1, 3, 5, 7, 9, 11, 13, 15, 16), "events 1, 3, 5, 7, 9, 11 and 3 more"),
    ],
)
def test_places_in_a_game_in_words(path: tuple[int, ...], message: str) -> None:
    assert Line("play", (), (), (), "", path=path).indices == message


@pytest.mark.parametrize("format", TEXTS)
def test_the_path_is_marked_on_its_arcs(format: str) -> None:
    assert "event 1" in text(MAUMAU, format, path=[MAUMAU.arcs[0]])
    assert "event 1" not in text(MAUMAU, format, path=[])


# ---------------------------------------------------------------- the brief one, for pages


@pytest.mark.parametrize("declaration", GAMES)
def test_the_brief_diagram_has_every_phase_and_arc_under_its_name(declaration: Declaration) -> None:
    source = brief(extract(declaration))
    graph = pytest.importorskip("pygraphviz", exc_type=ImportError).AGraph(string=source)
    for phase in declaration.phases:
        assert graph.get_node(phase.name).attr["id"] == phase.name
    assert sorted(map(int, re.findall(r'ID="arc-(\d+)"', source))) == list(range(len(declaration.arcs)))
    halves = {edge.attr["id"] for edge in graph.edges()}
    for arc in declaration.arcs:
        assert {f"{arc.source.name}-{arc.dest.name}-{half}" for half in ("out", "in")} <= halves


def test_the_brief_diagram_shows_what_distinguishes_arcs() -> None:
    cells = {row for _, _, rows in drawn_edges(brief(extract(MAUMAU))) for row in rows}
    assert {"play", "play [seven]", "play [last card]", "open [jack]", "take [pile runs out]"} <= cells


# ---------------------------------------------------------------- special characters


HOSTILE = Line("fire", ('a < b & "c"; d: e',), (), ("x > y | z*_",), "Says `1` | \\2 <b>.")


def test_dot_escapes_what_means_something_to_it() -> None:
    graph = pytest.importorskip("pygraphviz", exc_type=ImportError).AGraph(string=dot(small(HOSTILE, "p & <q>")))
    assert "p &amp; &lt;q&gt;" in graph.get_node("PHASE").attr["label"]
    label = graph.get_node("PHASE to PHASE").attr["label"]
    assert label_rows(label) == ["fire [a &lt; b &amp; &quot;c&quot;; d: e] / x &gt; y | z*_"]


def test_mermaid_escapes_what_means_something_to_it() -> None:
    (line,) = (line for line in mermaid(small(HOSTILE)).splitlines() if "-->" in line)
    assert line.endswith(" : fire [a #60; b #38; #34;c#34;#59; d#58; e] / x #62; y | z*_")


def test_the_state_chart_escapes_what_means_something_to_it() -> None:
    chart = ElementTree.fromstring(scxml(small(HOSTILE, "a -- b")))
    (transition,) = chart.iter(f"{{{NAMESPACE}}}transition")
    (log,) = transition
    assert transition.attrib == {"event": "fire", "cond": '_event.data.a_<_b_&_"c";_d:_e === true', "target": "PHASE"}
    assert log.get("label") == "x_>_y_|_z*_"
    assert "<!-- a - -> b - - -->" in scxml(small(Line("fire", (), (), (), "a --> b --")))


@pytest.mark.parametrize("declaration", GAMES)
def test_the_state_chart_has_every_phase_and_every_arc_and_starts_where_the_game_does(declaration: Declaration) -> None:
    chart = ElementTree.fromstring(text(declaration, "scxml"))
    states = {state.get("id"): state for state in chart}
    assert list(states) == [phase.name for phase in declaration.phases]
    assert chart.get("initial") == declaration.initial.name
    assert states[declaration.final.name].tag == f"{{{NAMESPACE}}}final"
    arcs = Counter((name, arc.get("event"), arc.get("target")) for name, state in states.items() for arc in state)
    assert arcs == Counter((arc.source.name, arc.trigger, arc.dest.name) for arc in declaration.arcs)
    active = ElementTree.fromstring(text(declaration, "scxml", active=list(declaration.phases)[1]))
    assert active.get("initial") == list(declaration.phases)[1].name


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


@pytest.mark.usefixtures("no_dot", "pictures")
@pytest.mark.parametrize(("format", "begin"), [("svg", "<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_need_no_program(format: str, begin: Any) -> None:
    assert render(MAUMAU, format).startswith(begin)


@pytest.mark.usefixtures("nothing_draws")
@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_without_a_renderer_the_error_names_what_to_install(format: str) -> None:
    with pytest.raises(
        DiagramError, match=r"install Graphviz 3 or later, or pip install -e '\.\[diagrams\]' in a clone"
    ):
        render(MAUMAU, format)
    assert text(MAUMAU, "dot").startswith("digraph")


@pytest.mark.usefixtures("no_dot")
def test_a_library_that_pygraphviz_does_not_find_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = "libX11.so.6: cannot open shared object file: No such file or directory"
    (tmp_path / "pygraphviz.py").write_text(f"raise ImportError({missing!r})")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pygraphviz", raising=False)
    expected = f"pygraphviz cannot be loaded, {missing}: install that library, or Graphviz 3 or later; the formats dot"
    with pytest.raises(DiagramError, match=f"^{expected}"):
        render(MAUMAU, "svg")


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_draws", "few_games")
def test_without_anything_that_draws_the_texts_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(str(tmp_path / "new"))
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".dot", ".md"}
    assert "maumau.svg is not drawn: nothing is installed" in capsys.readouterr().err


OLD_DOT = """\
#!{python}
import sys
if "-V" in sys.argv:
    print("dot - graphviz version {version} (0)", file=sys.stderr)
else:
    print('<svg><g id="graph0"></g></svg>')
"""


def put_on_path(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `dot` that says it is of a version of Graphviz, and drops all ids."""
    program = folder / "dot"
    program.write_text(OLD_DOT.format(python=sys.executable, version=version))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.usefixtures("pictures")
def test_an_old_dot_on_the_path_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, page = render(MAUMAU, "svg"), drawn(MAUMAU)
    put_on_path(tmp_path, "2.43.0", monkeypatch)
    assert render(MAUMAU, "svg") == expected
    assert drawn(MAUMAU) == page
    assert 'id="a_arc-0"' in page


@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_an_old_dot_alone_is_refused_with_its_version(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    put_on_path(tmp_path, "2.43.0", monkeypatch)
    output = "the program dot is Graphviz 2, which draws labels over each other: install Graphviz 3 or later, or pip"
    with pytest.raises(DiagramError, match=output):
        render(MAUMAU, format)


def test_no_picture_without_the_ids_of_arcs_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    put_on_path(tmp_path, "9.0.0", monkeypatch)
    for draws in (lambda: render(MAUMAU, "svg"), lambda: drawn(MAUMAU)):
        with pytest.raises(DiagramError, match="the installed Graphviz drops ids, such as 'INITIAL': install"):
            draws()


def test_an_unknown_format_is_reported_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown format 'gif'; use one of ") as error:
        render(MAUMAU, "gif")
    output = str(error.value).rsplit("one of ")[1].split(", ")
    pictures = {"dot", "mermaid", "svg", "png", "pdf"}
    assert set(output) == pictures | {"scxml", "xstate", "table", "phases", "events", "markdown"}


def test_equal_declarations_give_equal_text() -> None:
    assert all(text(MAUMAU, format) == text(MAUMAU, format) for format in TEXTS)
    assert set(TEXTS) < set(FORMATS)
