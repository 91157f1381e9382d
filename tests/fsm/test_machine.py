"""The machine of a declaration is one of `transitions`: whoever hooks in is called as by the library's own machine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from transitions import Machine, MachineError

from fsm import MauMau
from fsm.stepping.fast_machine import fast_machine_of, machine_of

GAME = MauMau.declaration
LINE = "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
SKIP, AWAIT = (GAME.phases[name] for name in ("SKIP_PENDING", "AWAIT_PLAY"))


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
    machine = machine_of(GAME, Machine)
    assert type(machine) is Machine
    return machine


def called(machine: Machine, position: str, trigger: str, card: str = "", *, finalize: bool = True) -> list[str]:
    """The hooks that one event calls, and where it leads."""
    calls = Calls()
    calls.hook_into(machine)
    if not finalize:
        machine.finalize_event.clear()
    game = MauMau.at(position)
    model = SimpleNamespace(phase=str(game.phase), fired=None)
    if card:
        game.table.card = GAME.codec.notation.card(card)
    fired = machine.events[trigger].trigger(model, game.table)
    return [*calls, str(fired), str(model.phase)]


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
    own = called(fast_machine_of(GAME), position, trigger, card, finalize=finalize)
    assert own == called(plain_machine(), position, trigger, card, finalize=finalize)
    assert len(own) > (7 if own[-2] == "True" else 3)


def test_an_event_out_of_place_is_an_error_of_the_library() -> None:
    model = SimpleNamespace(phase=SKIP, fired=None)
    with pytest.raises(MachineError, match="play"):
        fast_machine_of(GAME).events["play"].trigger(model, GAME.table())
    assert model.phase is SKIP


def test_hooks_are_called_with_the_model_in_the_order_in_which_they_were_added() -> None:
    machine, called = fast_machine_of(GAME), []
    model = SimpleNamespace(phase=SKIP, table=MauMau.deal(2, 7).table)
    machine.before_skip(lambda game: called.append((game, "before")))
    machine.after_skip(lambda game: called.append((game, "after")))
    machine.on_exit_skip_pending(lambda game: called.append((game, "exit")))
    machine.on_enter_await_play(lambda game: called.append((game, "enter")))
    machine.on_enter_await_play(lambda game: called.append((game, "enter again")))
    machine.events["skip"].trigger(model)
    assert called == [(model, what) for what in ("before", "exit", "enter", "enter again", "after")]


class Watcher:
    """A model whose methods are hooks by their names, as the library has it."""

    def __init__(self) -> None:
        self.table = MauMau.parse(LINE).table
        self.heard: list[str] = []

    def on_enter_penalty_pending(self) -> None:
        self.heard.append("penalty-pending")

    def on_exit_initial(self) -> None:
        self.heard.append("initial left")


def test_any_object_with_a_table_can_be_registered_as_a_model() -> None:
    machine, model = fast_machine_of(GAME), Watcher()
    machine.add_model(model)
    stranger: Any = model
    assert machine.models == [model]
    assert stranger.phase is GAME.initial
    assert stranger.is_initial()
    assert stranger.may_open()
    assert not stranger.may_play()
    assert stranger.open()
    assert stranger.is_penalty_pending()
    assert model.heard == ["initial left", "penalty-pending"]
    model.table.card = GAME.codec.notation.card("SS")
    assert machine.dispatch("play")
    assert stranger.phase is GAME.phases["PENALTY_PENDING"]
    machine.remove_model(model)
    assert machine.models == []


def test_a_registered_model_keeps_its_phase_unless_another_is_named() -> None:
    machine = fast_machine_of(GAME)
    one, other = (SimpleNamespace(phase=SKIP, table=GAME.table()) for _ in range(2))
    machine.add_model([one])
    machine.add_model(other, initial="await-play")
    assert (one.phase, other.phase) == (SKIP, AWAIT)


REFUSED = {
    "set_state": lambda machine, way, game: machine.set_state("drawing", game),
    "set_state of all": lambda machine, way, game: (machine.add_model(game), machine.set_state("drawing")),
    "add_model": lambda machine, way, game: machine.add_model(game, initial="drawing"),
    "initial": lambda machine, way, game: setattr(machine, "initial", "drawing"),
    "conditions": lambda machine, way, game: way.conditions.append(bool),
    "conditions by add_callback": lambda machine, way, game: way.add_callback("conditions", bool),
    "conditions anew": lambda machine, way, game: setattr(way, "conditions", []),
    "dest": lambda machine, way, game: setattr(way, "dest", "drawing"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("own_hook", [False, True])
def test_what_gets_past_the_declaration_is_refused(name: str, own_hook: bool) -> None:
    game = MauMau.deal(3, seed=7)
    if own_hook:
        game.after_play(bool)
    machine = game.machine if own_hook else fast_machine_of(GAME)
    way = machine.get_transitions("play", "await-play")[0]
    is_of_game = name.startswith(("set_state", "add_model"))
    expected = r"use MauMau\.at\(position\)" if is_of_game else "use a house rule with ChangeArcs"
    with pytest.raises(TypeError, match=expected):
        REFUSED[name](machine, way, game)
    assert (str(game.phase), machine.initial, way.dest) == ("initial", "initial", "await-play")
    assert str(game.run()) == "player 1 won, scores 0 14 45"


def test_a_plain_machine_may_still_be_changed() -> None:
    machine = Machine(MauMau.model(MauMau.deck_of(3, seed=7), 3), **MauMau.machine_config())
    (model,) = machine.models
    way = machine.get_transitions("open", "initial")[0]
    way.conditions.append(way.condition_cls(lambda: False))
    machine.set_state("await-play", model)
    machine.initial = "drawing"
    assert (model.state, machine.initial) == ("await-play", "drawing")
