"""The machine of a declaration is one of `transitions`: whoever hooks in is called as by the library's own machine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from transitions import Machine, MachineError

from fsm import MauMau
from fsm.arcs import Phase
from fsm.stepping.machine import ArcMachine, machine_of

GAME = MauMau.declaration
SKIP, AWAIT, OVER = (GAME.phases[name] for name in ("SKIP_PENDING", "AWAIT_PLAY", "GAME_OVER"))


class Calls(list[str]):
    """The hooks that were called, in order."""

    def to(self, name: str) -> Any:
        return lambda *arguments: self.append(name)

    def hook_into(self, machine: Machine) -> None:
        """Hook into everything."""
        for name in ("prepare_event", "before_state_change", "after_state_change", "finalize_event", "on_final"):
            getattr(machine, name).append(self.to(name))
        for state in machine.states.values():
            state.on_enter.append(self.to(f"enter {state.value}"))
            state.on_exit.append(self.to(f"exit {state.value}"))
        for trigger, event in machine.events.items():
            for transition in (each for row in event.transitions.values() for each in row):
                transition.prepare.append(self.to(f"prepare {trigger}"))
                transition.after.append(self.to(f"after {trigger}"))


def plain_machine() -> Machine:
    """The same states and transitions in the library's own machine."""
    machine = Machine(model=None, states=GAME.phases, initial=GAME.initial, auto_transitions=False,
                      model_attribute="phase")  # fmt: skip
    machine.get_state(OVER).final = True
    for arc in GAME.arcs:
        machine.add_transition(
            arc.trigger, arc.source, arc.dest, conditions=arc.when, unless=arc.unless, before=arc.then
        )
    return machine


def told(machine: Machine, position: str, trigger: str, card: str = "", *, finalize: bool = True) -> list[str]:
    """The hooks that one event calls, and where it leads."""
    calls = Calls()
    calls.hook_into(machine)
    if not finalize:
        machine.finalize_event.clear()
    game = MauMau.at(position)
    model = SimpleNamespace(phase=game.phase, fired=None)
    if card:
        game.table.card = GAME.words.notation.card(card)
    fired = machine.events[trigger].trigger(model, game.table)
    return [*calls, str(fired), model.phase.value]


@pytest.mark.parametrize("finalize", [True, False], ids=["with finalize", "without finalize"])
@pytest.mark.parametrize(
    ("short", "trigger", "card"),
    [
        ("skip-pending hands=CK,HK/HA,HQ discard=...,CE draw=SA", "skip", ""),
        ("await-play hands=CK/HA,HQ discard=...,CN draw=SA", "play", "CK"),
        ("await-play hands=CK,HK/HA,HQ discard=...,CN draw=SA", "play", "HK"),
    ],
    ids=["forced", "wins", "refused"],
)
def test_hooks_are_called_as_by_the_library(at: Any, short: str, trigger: str, card: str, finalize: bool) -> None:
    position = at(short).position()
    own = told(machine_of(GAME), position, trigger, card, finalize=finalize)
    assert own == told(plain_machine(), position, trigger, card, finalize=finalize)
    assert len(own) > (7 if own[-2] == "True" else 3)


def test_an_event_out_of_place_is_an_error_of_the_library() -> None:
    model = SimpleNamespace(phase=SKIP, fired=None)
    with pytest.raises(MachineError, match="play"):
        machine_of(GAME).events["play"].trigger(model, GAME.table())
    assert model.phase is SKIP


def test_a_phase_is_found_by_its_name_too_and_another_is_refused() -> None:
    machine: ArcMachine = machine_of(GAME)
    assert machine.get_state("SKIP_PENDING").value is SKIP
    with pytest.raises(ValueError, match="nowhere"):
        machine.get_state("nowhere")
    model = SimpleNamespace()
    machine.set_state(AWAIT, model)
    assert model.phase is AWAIT
    assert isinstance(model.phase, Phase)
