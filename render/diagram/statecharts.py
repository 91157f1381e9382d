"""A diagram as text: Mermaid and Markdown; SCXML of the W3C, and the JSON of XState 5 and Stately.

Mermaid's stateDiagram-v2 is drawn by GitHub and others in Markdown, which has all tables too: of the phases, of every
event by phase, of the arcs.

SCXML: phases are states and arcs are transitions in their order, of which the first enabled one is taken. The data of
an event contain the value of each guard, which the conditions read; the effects are logged in order.

XState: guards and actions by name, the rule of each arc as its `description`. A transition has one guard, so the guards
of an arc are one that is named after all of them, as `fits and not last_card`. Its `params` list the guards that must
hold (`when`) and those that must not (`unless`), so that one function can implement all. The user of the machine
supplies guards and actions:

    createMachine(json).provide({guards: {"fits and not last_card": ({event}, {when, unless}) => ...}, actions: ...})
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from render.diagram.model import SOMEBODY, Diagram, DiagramNode, Edge, Line, NodeKind

REFUSED = "·"


def document(diagram: Diagram) -> str:
    """The drawing, which GitHub and others draw from Mermaid, and all tables. What is counted or marked is said under
    the title.
    """
    note = f"{in_markdown(diagram.note)}\n\n" if diagram.note else ""
    return f"# {diagram.title}\n\n{note}```mermaid\n{mermaid(diagram)}```\n\n{table(diagram)}"


def table(diagram: Diagram) -> str:
    """All tables of `diagram`; the active phase is bold; traffic and paths have columns of their own."""
    rows = [_arc(diagram, edge, line) for edge in diagram.edges for line in edge.lines]
    arcs = _rows(rows[0], (row.values() for row in rows))
    return f"{phases(diagram)}\n{events(diagram)}\n{arcs}"


def phases(diagram: Diagram) -> str:
    """Return the table of the phases: who acts in each, and what can happen there."""
    is_chosen = any(node.who == SOMEBODY for node in diagram.nodes)
    chosen = SOMEBODY if is_chosen else "the player chooses"
    heads = ["phase", "who acts", chosen, "forced while possible"]
    return _rows(heads, ([_title(node), node.who, _codes(node.offers), _codes(node.forced)] for node in diagram.nodes))


def events(diagram: Diagram) -> str:
    """A row for each phase and a column for each event; the reasons of refusals under the table."""
    heads = ["phase", *map(_code, diagram.events)]
    cells = ([_title(node), *(_cell(diagram, node, event) for event in diagram.events)] for node in diagram.nodes)
    here = "".join(
        f"- {_code(refusal.event)} in {in_markdown(diagram.node(refusal.phase).title)}: {in_markdown(refusal.why)}\n"
        for refusal in diagram.refusals
    )
    elsewhere = f"{REFUSED} is refused: it is not an event of the phase. Where it is one, it is refused:"
    return f"{_rows(heads, cells)}\n{elsewhere}\n\n{here}"


def _codes(events: Iterable[str]) -> str:
    return ", ".join(map(_code, events))


def _cell(diagram: Diagram, node: DiagramNode, event: str) -> str:
    """The destinations of an event from a phase, with the guards that distinguish them."""
    destinations = [
        f"{in_markdown(f'[{line.apart}] ' if line.apart else '')}→ {_title(diagram.node(dest))}"
        for line, dest in diagram.leaving(node)
        if line.event == event
    ]
    return "<br>".join(destinations) or REFUSED


def _arc(diagram: Diagram, edge: Edge, line: Line) -> dict[str, str]:
    """The row of an arc by its heads: also how often it was fired, its places in the path, the marks of house rules."""
    cells = {
        "from": _title(diagram.node(edge.source)),
        "event": _code(line.event),
        "guards": in_markdown(line.guards),
        "effects": in_markdown(line.effects),
        "to": _title(diagram.node(edge.dest)),
        "rule": in_markdown(line.description),
    }
    if line.fired is not None:
        cells |= {"fired": f"{line.fired:,}", "percent": line.percent}
    if line.path is not None:
        cells |= {"path": line.indices}
    return cells | ({"house rules": in_markdown(line.mark)} if diagram.is_marked else {})


def _rows(heads: Collection[str], cells: Iterable[Iterable[str]]) -> str:
    """A table with `heads` over rows of `cells`."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *cells))


def _title(node: DiagramNode) -> str:
    """The name of a phase, bold if it is active."""
    return f"**{in_markdown(node.title)}**" if node.active else in_markdown(node.title)


def _code(event: str) -> str:
    return f"`{event.replace('|', chr(92) + '|')}`"


def in_markdown(text: str) -> str:
    """Escape the special characters of Markdown."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


# ---------------------------------------------------------------- Mermaid

ACTIVE_CLASS = "classDef active fill:#ffd54d,stroke:#222222,stroke-width:3px"


def mermaid(diagram: Diagram) -> str:
    """The Mermaid source of `diagram`; each arc is a line of its own."""
    return "\n".join(["stateDiagram-v2", *(f"    {line}" for line in _mermaid_lines(diagram))]) + "\n"


def _mermaid_lines(diagram: Diagram) -> Iterator[str]:
    for node in diagram.nodes:
        if node.kind is not NodeKind.INITIAL:
            yield f"{_mermaid_name(node)} : {'<br/>'.join(_as_entities(text) for text in (node.title, *node.acts))}"
    for edge in diagram.edges:
        source, dest = _mermaid_name(diagram.node(edge.source)), _mermaid_name(diagram.node(edge.dest))
        yield from (f"{source} --> {dest} : {_as_entities(str(line))}" for line in edge.lines)
    for node in diagram.nodes:
        if node.kind is NodeKind.FINAL:
            yield f"{_mermaid_name(node)} --> [*]"
        if node.active and node.kind is not NodeKind.INITIAL:
            yield ACTIVE_CLASS
            yield f"class {_mermaid_name(node)} active"


def _mermaid_name(node: DiagramNode) -> str:
    return "[*]" if node.kind is NodeKind.INITIAL else mermaid_identifier(node.name)


SEVERAL_WORDS = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
"""Identifiers that are not words of Mermaid, whose words have no underscores."""


def mermaid_identifier(name: str) -> str:
    """Return an identifier that Mermaid has no meaning for, another one for each name, which is one of Python.

    Mermaid reads `CLASS` and `default` in any case as its own words, also before a letter that is not of ASCII, and has
    states of its own (`root_start`).
    """
    if SEVERAL_WORDS.fullmatch(name):
        return name
    if name.isascii():
        return f"{name}_"
    return "".join(letter if letter.isascii() and letter.isalnum() else f"_{ord(letter):x}_" for letter in name) + "_u"


def _as_entities(text: str) -> str:
    """Escape the special characters of Mermaid as its entities."""
    return re.sub(r'[#:;"<>&{}%\n]', lambda found: f"#{ord(found[0])};", text)


# ---------------------------------------------------------------- SCXML


NAMESPACE = "http://www.w3.org/2005/07/scxml"
DATA = "_event.data"


def scxml(diagram: Diagram) -> str:
    """The SCXML source of `diagram`; it starts in the active phase, else in the initial one."""
    named = f'name={quoteattr(diagram.title)} initial="{diagram.start}"'
    head = f'<scxml xmlns="{NAMESPACE}" version="1.0" datamodel="ecmascript" {named}>'
    body = (f"  {line}" for node in diagram.nodes for line in _state(diagram, node))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, "</scxml>"]) + "\n"


def identifier(words: str) -> str:
    """The name of a guard in the data of an event, and of a callback in the log."""
    return words.replace(" ", "_")


def _state(diagram: Diagram, node: DiagramNode) -> Iterator[str]:
    if node.kind is NodeKind.FINAL:
        yield f'<final id="{node.name}"/>'
        return
    yield f'<state id="{node.name}">'
    for line, dest in diagram.leaving(node):
        yield from (f"  {text}" for text in _transition(line, dest))
    yield "</state>"


def _transition(line: Line, dest: str) -> Iterator[str]:
    guards = [f"{DATA}.{identifier(guard)} === true" for guard in line.conditions]
    guards += [f"{DATA}.{identifier(guard)} === false" for guard in line.unless]  # an arc is off where one is missing
    condition = f" cond={quoteattr(' && '.join(guards))}" if guards else ""
    yield f"<!-- {re.sub('-(?=-)', '- ', line.description)} -->"  # two hyphens in a row are not allowed in a comment
    opening = f"<transition event={quoteattr(line.event)}{condition} target={quoteattr(dest)}"
    if not line.before:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    for callback in line.before:
        yield f"  <log label={quoteattr(identifier(callback))}/>"
    yield "</transition>"


# ---------------------------------------------------------------- XState


def xstate(diagram: Diagram) -> str:
    """The JSON of the machine of `diagram`; it starts in the active phase, else in the initial one."""
    machine = {
        "id": identifier(diagram.title),
        "initial": diagram.start,
        "states": {node.name: _state_data(diagram, node) for node in diagram.nodes},
    }
    return json.dumps(machine, indent=2, ensure_ascii=False) + "\n"


def _state_data(diagram: Diagram, node: DiagramNode) -> dict[str, Any]:
    state: dict[str, Any] = {"meta": {"phase": node.title, "acts": list(node.acts)}}
    if node.kind is NodeKind.FINAL:
        return {"type": "final", **state}
    events: dict[str, list[dict[str, Any]]] = {}
    for line, dest in sorted(diagram.leaving(node), key=lambda row: row[0].number):
        events.setdefault(line.event, []).append(_transition_data(line, dest))
    return {**state, "on": events}


def _transition_data(line: Line, dest: str) -> dict[str, Any]:
    """An arc. A phase that leads to itself is entered again, as in the stepped machine."""
    transition: dict[str, Any] = {"target": dest, "reenter": True}
    if line.conditions or line.unless:
        params = {"when": list(map(identifier, line.conditions)), "unless": list(map(identifier, line.unless))}
        named = " and ".join([*params["when"], *(f"not {guard}" for guard in params["unless"])])
        transition["guard"] = {"type": named, "params": params}
    if line.before:
        transition["actions"] = [{"type": identifier(effect)} for effect in line.before]
    return {**transition, "description": line.description}
