"""What phases and events are called means nothing to the grammars of the exported formats: their own parsers judge."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from npm import install

from render.diagram.dot import dot
from render.diagram.model import Diagram, DiagramNode, Edge, Line, NodeKind
from render.diagram.statecharts import mermaid, mermaid_identifier, scxml, xstate

SUPPORT = Path(__file__).parents[1] / "support"
WORDS = [
    "accDescr",
    "accTitle",
    "as",
    "choice",
    "class",
    "classDef",
    "click",
    "constructor",
    "default",
    "digraph",
    "direction",
    "divider",
    "edge",
    "end",
    "fork",
    "graph",
    "hasOwnProperty",
    "hide",
    "href",
    "join",
    "left",
    "machine",
    "meta",
    "node",
    "none",
    "note",
    "null",
    "on",
    "over",
    "right",
    "root",
    "root_start",
    "root_end",
    "scale",
    "state",
    "stateDiagram",
    "states",
    "strict",
    "style",
    "subgraph",
    "target",
    "toString",
    "true",
    "type",
    "undefined",
    "valueOf",
    "xstate",
]
"""Words of Mermaid, DOT, SCXML, XState and JavaScript."""
CASED = [form for word in WORDS for form in dict.fromkeys((word, word.upper(), word.lower(), word.capitalize()))]
NAMES = [*CASED, *(f"{word}_" for word in CASED), *(f"{word}ä" for word in CASED), *(f"Ä{word}" for word in WORDS)]
LETTERS = st.characters(categories=["Lu", "Ll", "Lo", "Nd", "Mn", "Pc"])
FUZZED = st.one_of(
    st.text(LETTERS, min_size=1, max_size=9).filter(str.isidentifier),
    st.sampled_from(NAMES),
    st.builds("".join, st.lists(st.sampled_from(CASED), min_size=2, max_size=3)),
    st.builds("_".join, st.lists(st.sampled_from(CASED), min_size=2, max_size=3)),
)


def diagram_of(names: list[str], event: str = "go") -> Diagram:
    """A game that goes from its initial phase through phases of these names to the final one."""
    every = ["BEGIN", *names, "GAME_OVER"]
    kinds = [NodeKind.INITIAL, *[NodeKind.FORCED] * len(names), NodeKind.FINAL]
    nodes = tuple(DiagramNode(name, name.lower(), kind, (event,)) for name, kind in zip(every, kinds, strict=True))
    line = Line(event, (), (), (), "A rule.")
    return Diagram("Game", nodes, tuple(Edge(one, two, (line,)) for one, two in pairwise(every)))


def charts(names: list[str], at_once: int = 20) -> list[list[str]]:
    return [names[first : first + at_once] for first in range(0, len(names), at_once)]


@given(st.lists(FUZZED, unique=True))
def test_the_identifiers_of_mermaid_are_plain_and_differ(names: list[str]) -> None:
    made = [mermaid_identifier(name) for name in names]
    assert len({*made}) == len(made)
    assert all(each.isascii() and each.isidentifier() and "_" in each for each in made)
    assert {*made} & {*WORDS} == set()


@given(st.lists(FUZZED, unique=True))
def test_xml_has_every_name(names: list[str]) -> None:
    chart = ElementTree.fromstring(scxml(diagram_of(names)))
    assert [state.get("id") for state in chart] == ["BEGIN", *names, "GAME_OVER"]


def test_graphviz_has_every_name() -> None:
    pygraphviz = pytest.importorskip("pygraphviz", exc_type=ImportError)
    graph = pygraphviz.AGraph(string=dot(diagram_of(NAMES)))
    assert {*NAMES} <= {*graph.nodes()}


@pytest.fixture(scope="module")
def read_mermaid(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str]], list[Any]]:
    """What Mermaid's parser finds in texts."""
    program = install(SUPPORT / "mermaid_judge.mjs", tmp_path_factory.mktemp("mermaid"), "mermaid@11", "jsdom@26")
    return lambda texts: run(program, texts)


@pytest.fixture(scope="module")
def read_xstate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str]], list[Any]]:
    """Where XState goes with each machine, from its initial state as long as the event leads on."""
    program = install(SUPPORT / "xstate_walk.mjs", tmp_path_factory.mktemp("xstate"), "xstate@5")
    return lambda texts: run(program, texts)


def run(program: Path, texts: list[str]) -> list[Any]:
    data = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(["node", str(program)], input=data, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def fuzzed(count: int) -> list[str]:
    """Names that hypothesis makes."""
    found: dict[str, None] = {}

    @settings(max_examples=count)
    @given(FUZZED)
    def collect(name: str) -> None:
        found[name] = None

    collect()
    return list(found)


@pytest.mark.slow
def test_mermaid_reads_every_name(read_mermaid: Callable[[list[str]], list[Any]]) -> None:
    every = charts(list(dict.fromkeys([*NAMES, *fuzzed(1000)])))
    for names, found in zip(every, read_mermaid([mermaid(diagram_of(each)) for each in every]), strict=True):
        assert "refused" not in found, names
        ids = [mermaid_identifier(name) for name in (*names, "GAME_OVER")]
        pairs = zip(["root_start", *ids], [*ids, "root_end"], strict=True)
        assert [(one, two) for one, two, _ in found["transitions"]] == list(pairs)
        assert {name for name, _ in found["states"]} == {*ids, "root_start", "root_end"}


@pytest.mark.slow
@pytest.mark.parametrize("event", ["go", "constructor", "toString", "default"])
def test_xstate_goes_through_every_name(event: str, read_xstate: Callable[[list[str]], list[Any]]) -> None:
    every = charts(list(dict.fromkeys([*NAMES, *fuzzed(1000)])))
    texts = [json.dumps({"machine": json.loads(xstate(diagram_of(names, event))), "event": event}) for names in every]
    for names, found in zip(every, read_xstate(texts), strict=True):
        assert found == ["BEGIN", *names, "GAME_OVER"]
