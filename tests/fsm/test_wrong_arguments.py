"""Public functions refuse an argument of a wrong type with TypeError and a wrong value with ValueError, and change nothing.

tests/test_numbers.py has those that take whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fsm import DeclarationError, Match, MauMau, Uno
from fsm.declaration.arcs import Arc, Control, Phase
from fsm.declaration.chart import Chart
from fsm.games.maumau import MAUMAU
from fsm.stepping.fast_machine import FastMachine

WRONG = [["nine-reverses"], 3.0, True, b"x", object(), (1.5,), {"x": 1}]
"""Of no type that any of the functions takes."""
GAME = MauMau.deal(2, 7)
DECK = MauMau.deck_of(2, 7)

CALLS: dict[str, Callable[[Any], Any]] = {
    "with_rules": MauMau.with_rules,
    "MauMau": MauMau,
    "MauMau with a phase only": lambda wrong: MauMau(phase=wrong),
    "MauMau with a table and a wrong phase": lambda wrong: MauMau(GAME.table, wrong),
    "at": MauMau.at,
    "deal: policies": lambda wrong: MauMau.deal(2, 7, policies=[wrong, wrong]),
    "parse": MauMau.parse,
    "read": MauMau.read,
    "with_deck: cards": lambda wrong: MauMau.with_deck(wrong, 2),
    "fire": GAME.fire,
    "fire_again": GAME.fire_again,
    "trigger": GAME.trigger,
    "may_trigger": GAME.may_trigger,
    "a hook": GAME.after_play,
    "get_triggers": GAME.machine.get_triggers,
    "get_transitions": GAME.machine.get_transitions,
    "get_transitions: source": lambda wrong: GAME.machine.get_transitions("play", wrong),
    "get_state": GAME.machine.get_state,
    "is_state": lambda wrong: GAME.machine.is_state(wrong, GAME),
    "set_state": lambda wrong: GAME.machine.set_state(wrong, GAME),
    "Match: policies": lambda wrong: Match(MauMau, 2, 7, policies=[wrong, wrong]),
}
NAMED: dict[str, Callable[[str], Any]] = {
    name: CALLS[name]
    for name in ("with_rules", "at", "parse", "read", "with_deck: cards", "get_triggers", "get_transitions", "get_state",
                 "get_transitions: source", "is_state", "set_state", "fire")
} | {"policies": lambda wrong: MauMau.deal(2, 7, policies=wrong)}  # fmt: skip


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_an_argument_of_a_wrong_type_is_refused(call: Callable[[Any], Any], wrong: Any) -> None:
    before = GAME.clone()
    with pytest.raises(TypeError):
        call(wrong)
    assert before == GAME
    assert GAME.history == []


@pytest.mark.parametrize("call", NAMED.values(), ids=NAMED)
def test_an_unknown_name_is_refused(call: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match=r"no-such|nosuch|NO-SUCH"):
        call("no-such")


def test_what_was_silently_another_game_is_refused() -> None:
    line = MauMau.write(2, DECK)
    for wrong in (3, line, 0, ""):
        with pytest.raises(TypeError, match=r"table: .*; give a table of the game"):
            MauMau(wrong)
    with pytest.raises(TypeError, match=r"give a table of the game"):
        MauMau(Uno.deal(2, 7).table, Uno.deal(2, 7).phase)
    with pytest.raises(TypeError, match=r"rule: .* is of type list; give the name of a rule, or an own rule"):
        MauMau.with_rules(["nine-reverses"])  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [lambda: MauMau.deal(2, 7), lambda: Match(MauMau, 2, seed=7)], ids=["game", "match"])
def test_only_the_machine_assigns_the_phase(make: Callable[[], Any]) -> None:
    thing = make()
    before = thing.phase
    for wrong in ("drawing", before, None, 3):
        with pytest.raises(AttributeError, match=r"phase: only events change it"):
            thing.phase = wrong
    assert thing.phase is before
    thing.run()
    assert thing.phase is not before


def calls_with_a_phase(machine: FastMachine, phase: str) -> list[Any]:
    """What each method of a machine that takes a phase returns."""
    game, model = MauMau.deal(2, 7), SimpleNamespace(table=GAME.table)
    machine.set_state(phase, model)
    machine.add_model(model, initial=phase)
    machine.remove_model(model)
    return [
        machine.get_state(phase),
        machine.get_triggers(phase),
        machine.get_transitions("play", phase),
        machine.get_transitions("play", dest=phase),
        machine.is_state(phase, game),
        model.phase,
    ]


def test_a_phase_is_spelled_as_positions_and_diagrams_write_it() -> None:
    machine, phase = MauMau.machine, MauMau.declaration.phases.AWAIT_PLAY
    assert calls_with_a_phase(machine, "await-play") == calls_with_a_phase(machine, phase)
    assert list(machine.states) == [str(each) for each in MauMau.declaration.phases]
    assert {machine.initial, *(each.dest for each in machine.get_transitions())} <= machine.states.keys()


@pytest.mark.parametrize("wrong", ["await_play", "AWAIT_PLAY", "Phase.AWAIT_PLAY", "await play"])
@pytest.mark.parametrize("place", range(6))
def test_other_spellings_of_a_phase_are_refused(wrong: str, place: int) -> None:
    machine, model = MauMau.machine, SimpleNamespace(table=GAME.table)
    calls: list[Callable[[], Any]] = [
        lambda: machine.get_state(wrong),
        lambda: machine.get_triggers(wrong),
        lambda: machine.get_transitions("play", wrong),
        lambda: machine.is_state(wrong, GAME),
        lambda: machine.set_state(wrong, model),
        lambda: machine.add_model(model, initial=wrong),
    ]
    with pytest.raises(ValueError, match=rf"unknown phase '{wrong}'; did you mean await-play\?"):
        calls[place]()


def test_names_of_methods_have_the_phase_as_an_identifier() -> None:
    game = MauMau.deal(2, 7)
    for of in (game, MauMau.machine):
        assert hasattr(of, "on_enter_await_play")
        for wrong in ("on_enter_AWAIT_PLAY", "on_exit_await-play", "is_AWAIT_PLAY"):
            assert not hasattr(of, wrong), wrong


@pytest.mark.parametrize("name", ["await play", "", "await_play", "a=b", "-", "3x", "a\n"])
def test_a_phase_that_no_position_can_carry_is_refused(name: str) -> None:
    phases: Any = Phase("Phases", {"START": name, "OVER": "over"})
    with pytest.raises(DeclarationError, match=r"phase START: .* is not a name in a position; use words joined by -"):
        Chart(
            title="Named", name="named", table=MAUMAU.table, phases=phases, initial=phases.START, final=phases.OVER,
            control={phases.START: Control(forced=("end",))},
            arcs=(Arc("end", phases.START, phases.OVER, description="It ends."),),
        )  # fmt: skip
