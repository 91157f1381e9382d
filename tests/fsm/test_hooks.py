"""Hooks and questions by name work as users of `transitions` expect, for one game and for all games of a class."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from transitions import MachineError

from fsm import Game, IllegalMove, MauMau, Uno
from fsm import MauMauPhase as Phase

START = "await-play hands=SS,HK,HJ/CE,CA discard=...,SN draw=SA,SK"


@pytest.fixture
def kind() -> type[MauMau]:
    """A class of its own, so that hooks on all of its games end with the test."""
    return type("Hooked", (MauMau,), {})


def game_of(kind: type[MauMau], at: Any, short: str = START) -> MauMau:
    return kind.at(at(short).position())


# ------------------------------------------------------------------ questions


@pytest.mark.parametrize("game_class", [MauMau, Uno])
def test_a_game_answers_queries_about_its_phase(game_class: type[Game]) -> None:
    game: Any = game_class.deal(2, 7)
    phases = [str(phase).replace("-", "_") for phase in game_class.declaration.phases]
    while game.outcome is None:
        assert [name for name in phases if getattr(game, f"is_{name}")()] == [str(game.phase).replace("-", "_")]
        game.step()
    assert game.is_game_over()


def test_may_answers_as_the_event_does_and_changes_nothing(at: Any) -> None:
    game: Any = at(START)
    assert game.may_play("SS")
    assert game.may_play("HJ", "C")
    assert game.may_trigger("play", "SS")
    assert game.may_draw()
    for refused in [("HJ",), ("SS", "C"), ("HK",), ("CE",), ("XX",), ()]:
        assert not game.may_play(*refused), refused
    assert not game.may_take()
    assert not game.may_trigger("nonsense")
    assert game == at(START)
    assert game.history == []


def test_trigger_fires_an_event_by_its_name(at: Any) -> None:
    game = at(START)
    assert game.trigger("play", "SS") is True
    assert game.history[-1].card == "SS"
    assert game.is_penalty_pending()


def test_trigger_answers_no_where_guards_refuse_and_changes_nothing(at: Any) -> None:
    game = at(START)
    assert game.trigger("play", "HK") is False
    assert game == at(START)
    assert game.history == []


def test_trigger_raises_the_errors_of_the_library(at: Any) -> None:
    game = at(START)
    with pytest.raises(MachineError, match="cannot fire event take in phase await-play"):
        game.trigger("take")
    with pytest.raises(AttributeError, match="MauMau has no event 'shuffle'"):
        game.trigger("shuffle")
    assert game == at(START)


# ------------------------------------------------------------------ hooks of all games of a class


def test_hooks_of_a_class_are_called_for_all_its_games_with_the_game(kind: Any, at: Any) -> None:
    heard: list[Any] = []
    kind.machine.after_play(heard.append)
    games = [game_of(kind, at), game_of(kind, at)]
    for game in games:
        game.play("SS")
    assert [id(game) for game in heard] == [id(game) for game in games]
    at(START).play("SS")
    assert len(heard) == 2, "games of another class have hooks of their own"


def test_a_hook_of_a_refused_event_is_not_called(kind: Any, at: Any) -> None:
    heard: list[Any] = []
    for name in ("before_play", "on_exit_await_play", "after_play"):
        getattr(kind.machine, name)(heard.append)
    game = game_of(kind, at)
    assert not game.trigger("play", "HK")
    assert not game.may_trigger("play", "HK")
    assert heard == []


class Loud(MauMau):
    """Hooks as methods of a game class, by their names."""

    def after_play(self) -> None:
        heard.append(f"played {self.open_card}")

    def on_enter_penalty_pending(self) -> None:
        heard.append("a penalty is pending")


heard: list[str] = []


def test_methods_of_a_class_that_are_named_as_hooks_are_hooks(at: Any) -> None:
    heard.clear()
    game_of(Loud, at).play("SS")
    assert heard == ["a penalty is pending", "played SS"]


# ------------------------------------------------------------------ hooks of one game


def test_a_hook_of_one_game_is_called_for_it_alone_with_it(at: Any) -> None:
    game, other = at(START), at(START)
    calls: list[Any] = []
    game.after_play(calls.append)
    game.play("SS")
    other.play("SS")
    assert len(calls) == 1
    assert calls[0] is game
    assert other.machine is MauMau.machine is not game.machine


def test_the_hooks_of_one_game_come_after_those_of_all_games_even_later_ones(kind: Any, at: Any) -> None:
    calls: list[str] = []
    game = game_of(kind, at)
    hooked: Any = game
    hooked.on_enter_penalty_pending(lambda game: calls.append("of the game"))
    kind.machine.on_enter_penalty_pending(lambda game: calls.append("of the class"))
    kind.machine.after_state_change = [lambda game: calls.append("of the machine")]
    game.play("SS")
    assert calls == ["of the class", "of the game", "of the machine"]


def test_hooks_of_a_game_see_what_undo_and_redo_leave(at: Any) -> None:
    game = at(START)
    calls: list[str] = []
    game.before_play(lambda game: calls.append(game.open_card))
    game.play("SS")
    game.undo()
    game.redo()
    assert calls == ["SN"], "undo and redo call no hooks"


@pytest.mark.slow
def test_a_game_with_hooks_is_forgotten_with_its_last_name() -> None:
    game: Any = MauMau.deal(2, 7)
    game.after_play(lambda game: None)
    known = weakref.ref(game)
    del game
    gc.collect()
    assert known() is None


# ------------------------------------------------------------------ hooks that fail or step


@pytest.mark.parametrize("act", ["step", "undo", "redo", "draw"])
def test_a_hook_must_not_step_the_game(at: Any, act: str) -> None:
    game = at(START)
    game.after_play(lambda game: getattr(game, act)())
    with pytest.raises(
        IllegalMove, match="an event is being fired: a hook cannot step or copy the game; only look at it"
    ):
        game.play("SS")
    assert game == at(START)


# ------------------------------------------------------------------ models


def test_a_game_that_is_registered_is_a_model_of_its_machine(kind: Any, at: Any) -> None:
    game = game_of(kind, at)
    kind.machine.add_model(game)
    assert kind.machine.models == [game]
    assert game == game_of(kind, at), "it stays where it is"
    assert game.play("SS").dest is Phase.PENALTY_PENDING, "its methods are those of the game"
    assert kind.machine.get_model_state(game).name == "penalty-pending"
    assert kind.machine.dispatch("draw")
    assert game.is_drawing()
    kind.machine.remove_model(game)
    assert kind.machine.models == []


@pytest.fixture(autouse=True)
def _no_hooks_are_left() -> Iterator[None]:
    yield
    for state in MauMau.machine.states.values():
        assert state.on_enter == state.on_exit == []
