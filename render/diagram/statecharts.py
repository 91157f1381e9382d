"""A diagram as a state chart of other interpreters: SCXML of the W3C, and the JSON of XState 5 and Stately.

SCXML: phases are states and arcs are transitions, which exclude each other, so their order is irrelevant. The data of
an event contain the value of each guard, which the conditions read; the callbacks are logged in order.

XState: guards and actions by name, the rule of each arc as its `description`. A transition has one guard, so the guards
of an arc are one that is named after all of them, as `fits and not last_card`. Its `params` list the guards that must
hold (`when`) and those that must not (`unless`), so that one function can implement all. The user of the machine
supplies guards and actions:

    createMachine(json).provide({guards: {"fits and not last_card": ({event}, {when, unless}) => ...}, actions: ...})
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from render.diagram.model import Diagram, Kind, Line, Node

NAMESPACE = "http://www.w3.org/2005/07/scxml"
DATA = "_event.data"


def scxml(diagram: Diagram) -> str:
    """The SCXML source of `diagram`; it starts in the active phase, else in the initial one."""
    named = f'name={_attribute(diagram.title)} initial="{diagram.start}"'
    head = f'<scxml xmlns="{NAMESPACE}" version="1.0" datamodel="ecmascript" {named}>'
    body = (f"  {line}" for node in diagram.nodes for line in _state(diagram, node))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, "</scxml>"]) + "\n"


def identifier(words: str) -> str:
    """The name of a guard in the data of an event, and of a callback in the log."""
    return words.replace(" ", "_")


def _state(diagram: Diagram, node: Node) -> Iterator[str]:
    if node.kind is Kind.FINAL:
        yield f'<final id="{node.name}"/>'
        return
    yield f'<state id="{node.name}">'
    for line, dest in diagram.leaving(node):
        yield from (f"  {text}" for text in _transition(line, dest))
    yield "</state>"


def _transition(line: Line, dest: str) -> Iterator[str]:
    condition = f" cond={_attribute(_condition(line))}" if line.conditions or line.unless else ""
    yield f"<!-- {re.sub('-(?=-)', '- ', line.description)} -->"  # two hyphens in a row are not allowed in a comment
    opening = f"<transition event={_attribute(line.event)}{condition} target={_attribute(dest)}"
    if not line.before:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    for callback in line.before:
        yield f"  <log label={_attribute(identifier(callback))}/>"
    yield "</transition>"


def _condition(line: Line) -> str:
    """The guards as a condition of the datamodel: an arc cannot be fired if a guard is missing."""
    required = [f"{DATA}.{identifier(guard)} === true" for guard in line.conditions]
    return " && ".join(required + [f"{DATA}.{identifier(guard)} === false" for guard in line.unless])


# ---------------------------------------------------------------- XState


def xstate(diagram: Diagram) -> str:
    """The JSON of the machine of `diagram`; it starts in the active phase, else in the initial one."""
    machine = {
        "id": identifier(diagram.title),
        "initial": diagram.start,
        "states": {node.name: _state_data(diagram, node) for node in diagram.nodes},
    }
    return json.dumps(machine, indent=2, ensure_ascii=False) + "\n"


def _state_data(diagram: Diagram, node: Node) -> dict[str, Any]:
    state: dict[str, Any] = {"meta": {"phase": node.title, "acts": list(node.acts)}}
    if node.kind is Kind.FINAL:
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


def _attribute(text: str) -> str:
    """The value of an attribute of XML, in quotes."""
    from xml.sax.saxutils import quoteattr  # which imports a client of HTTP, and that takes longer than all else here

    return quoteattr(text)
