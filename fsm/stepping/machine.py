"""Builds a `transitions.Machine` from a declaration: phases are states, arcs are transitions."""

from __future__ import annotations

from typing import TypeVar

from transitions import Machine

from fsm.declaration.chart import Chart

M = TypeVar("M", bound=Machine)


def machine_of(game: Chart, machine_class: type[M]) -> M:
    """The machine of `game`: its phases are the states, its arcs the transitions, in their order.

    A state is named as positions and diagrams write its phase: `await-play`.
    The machine has no model of its own; any object with an attribute `phase` can be stepped along the arcs. The guards
    of an arc become conditions, its effects callbacks before the change of state. Both take the table, which is
    therefore the argument of every event: `machine.events["draw"].trigger(model, table)`.
    """
    machine: M = machine_class(
        model=None,
        states=[str(phase) for phase in game.phases],
        initial=str(game.initial),
        auto_transitions=False,
        model_attribute="phase",
        name=game.name,
    )
    machine.get_state(str(game.final)).final = True
    for arc in game.arcs:
        machine.add_transition(
            arc.trigger,
            str(arc.source),
            str(arc.dest),
            conditions=arc.when,
            unless=arc.unless,
            before=arc.then,
        )
    return machine
