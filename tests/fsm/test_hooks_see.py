"""What hooks see: the position before the event or the one after it, never one between, and the step being made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from examples.crazy_eights import CrazyEights
from examples.go_fish import GoFish
from examples.hearts import Hearts
from fsm import Game, Match, MauMau, Uno, UnoOfficial
from fsm.games.mahjong.game import Mahjong
from fsm.match.setup import MATCH
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.hooks import hook_names

GAMES = [MauMau, Uno, UnoOfficial, Mahjong, CrazyEights, GoFish, Hearts, MauMau.with_rules("nine-reverses")]
EARLY = ("prepare", "before", "on_exit")
"""The hooks that see the position before the event."""
EVENTS = 150


def seen(game: Any, history: int) -> tuple[Any, ...]:
    """All that a hook may look at. history: how many of the events that happened."""
    views = [game.view(seat) for seat in range(1, game.players + 1)]
    state = game.position(), game.hands, game.open_card, game.draw_pile, game.discard_pile, game.phase, views
    return *state, game.events(), game.history[:history], game.outcome, str(game), len(list(game.tables()))


def hooked(kind: type[Game], hook: Callable[[str, Any], None]) -> Any:
    """A class with the same hook under every name."""
    loud: Any = type("Loud", (kind,), {})
    for name in hook_names(kind.declaration):
        getattr(loud.machine, name)(lambda game, name=name: hook(name, game))
    loud.machine.before_state_change = [lambda game: hook("before_state_change", game)]
    for name in ("after_state_change", "finalize_event"):
        setattr(loud.machine, name, [lambda game, name=name: hook(name, game)])
    return loud


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("policies", ["random", ()], ids=["random", "policy"])
def test_hooks_see_what_a_game_without_hooks_shows_before_and_after_the_event(kind: Any, policies: Any) -> None:
    calls: list[tuple[str, Any, Any]] = []

    def hook(name: str, game: Any) -> None:
        happened = len(game.history) - name.startswith(EARLY[1:])
        calls.append((name, seen(game, happened), game.history[-1] if game.history else None))
        assert kind.at(game.position()).position() == game.position()

    plain = kind.deal(seed=11, policies=policies)
    loud = hooked(kind, hook).deal(seed=11, policies=policies)
    for number in range(EVENTS):
        if plain.outcome is not None:
            break
        if number % 5 == 4 and plain.history:  # the same after undo, redo and a look at all events
            for game in (plain, loud):
                game.undo()
                game.events()
                game.redo() if number % 2 else None
        if number % 7 == 6:
            loud = loud.clone()
        before = seen(plain, len(plain.history))
        last = plain.history[-1] if plain.history else None
        calls.clear()
        step, other = plain.step(), loud.step()
        assert step == other
        after = seen(plain, len(plain.history))
        assert {name.split("_")[0] for name, _, _ in calls} >= {"prepare", "before", "on", "after", "finalize"}
        for name, saw, newest in calls:
            early = name.startswith(EARLY)
            assert saw == (before if early else after), name
            assert newest == (last if name.startswith("prepare") else step), name


@pytest.mark.parametrize("kind", [MauMau, Uno, CrazyEights, Hearts], ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("policies", ["random", ()], ids=["random", "policy"])
def test_a_hook_that_raises_leaves_everything_as_it_was(kind: Any, policies: Any) -> None:
    armed = False

    def hook(name: str, game: Any) -> None:
        if armed and name == fails:
            seen(game, len(game.history))
            raise RuntimeError(name)

    loud = hooked(kind, hook).deal(seed=3, policies=policies)
    again = kind.deal(seed=3, policies=policies)
    for _ in range(30):
        if loud.outcome is not None:
            break
        step = again.step()
        for fails in [f"before_{step.trigger}", f"after_{step.trigger}", "after_state_change"]:
            before, rolls, armed = seen(loud, len(loud.history)), loud.table.rolls, True
            with pytest.raises(RuntimeError):
                loud.step()
            armed = False
            assert seen(loud, len(loud.history)) == before, fails
            assert loud.table.rolls == rolls
        assert loud.step() == step


def test_a_hook_for_exceptions_that_takes_one_leaves_everything_as_it_was(at: Any) -> None:
    game = at("await-play hands=SS,HK,HJ/CE,CA discard=...,SN draw=SA,SK")
    before = seen(game, 0)
    game.after_play(lambda game: 1 / 0)
    game.machine.on_exception = [lambda game: None]
    assert not game.trigger("play", "SS")
    assert seen(game, 0) == before


def test_hooks_of_a_match_see_its_step_and_leave_it_as_it_was_if_they_raise() -> None:
    kind: Any = type("LoudMatch", (Match,), {"machine": fast_machine_of(MATCH)})
    calls: list[Any] = []
    for name in ("before_score", "on_exit_score", "on_enter_round", "after_score"):
        getattr(kind.machine, name)(lambda match, name=name: calls.append((name, match.history[-1], match.totals)))
    match = kind(MauMau, 3, seed=7)
    match.play_round()
    step, totals = match.history[-1], match.totals
    assert [(name, told) for name, told, _ in calls[1:]] == [
        (name, step) for name in ("before_score", "on_exit_score", "on_enter_round", "after_score")
    ]
    assert [told for _, _, told in calls[1:]] == [(0, 0, 0), (0, 0, 0), totals, totals]

    def fail(match: Any) -> None:
        raise RuntimeError

    while match.phase.name != "SCORE":
        match.step()
    kind.machine.after_score(fail)
    before = repr(match), match.phase, match.history[:], match.rounds[:], match.totals, match.game
    with pytest.raises(RuntimeError):
        match.step()
    assert (repr(match), match.phase, match.history, match.rounds, match.totals, match.game) == before
