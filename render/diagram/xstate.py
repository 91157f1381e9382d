"""A diagram as JSON for XState 5 and Stately: guards and actions by name, the rule of each arc as its `description`.

A transition of XState has one guard, so the guards of an arc are one that is named after all of them, as
`fits and not last_card`. Its `params` list the guards that must hold (`when`) and those that must not (`unless`), so
that one function can implement all. The user of the machine supplies guards and actions:

    createMachine(json).provide({guards: {"fits and not last_card": ({event}, {when, unless}) => ...}, actions: ...})
"""

from __future__ import annotations

import json
from typing import Any

from render.diagram.model import Diagram, Kind, Line, Node
from render.diagram.scxml import identifier


def xstate(diagram: Diagram) -> str:
    """The JSON of the machine of `diagram`; it starts in the active phase, else in the initial one."""
    machine = {
        "id": identifier(diagram.title),
        "initial": diagram.start,
        "states": {node.name: _state(diagram, node) for node in diagram.nodes},
    }
    return json.dumps(machine, indent=2, ensure_ascii=False) + "\n"


def _state(diagram: Diagram, node: Node) -> dict[str, Any]:
    state: dict[str, Any] = {"meta": {"phase": node.title, "acts": list(node.acts)}}
    if node.kind is Kind.FINAL:
        return {"type": "final", **state}
    events: dict[str, list[dict[str, Any]]] = {}
    for line, dest in sorted(diagram.leaving(node), key=lambda row: row[0].number):
        events.setdefault(line.event, []).append(_transition(line, dest))
    return {**state, "on": events}


def _transition(line: Line, dest: str) -> dict[str, Any]:
    """An arc. A phase that leads to itself is entered again, as in the stepped machine."""
    transition: dict[str, Any] = {"target": dest, "reenter": True}
    if line.conditions or line.unless:
        params = {"when": list(map(identifier, line.conditions)), "unless": list(map(identifier, line.unless))}
        named = " and ".join([*params["when"], *(f"not {guard}" for guard in params["unless"])])
        transition["guard"] = {"type": named, "params": params}
    if line.before:
        transition["actions"] = [{"type": identifier(effect)} for effect in line.before]
    return {**transition, "description": line.description}
