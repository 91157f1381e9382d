"""Dice that random players roll, in games that roll the same dice: events fired again and taken back roll them alike."""

from __future__ import annotations

from typing import Any

import pytest
from rolling import ROLLING

from fsm.match.transcript import Transcript
from render.page.story import events_of
from render.text.output import trace

POLICIES = "random", "random-legal-card", ("house", "random"), ("random", lambda view: view.moves[-1])


@pytest.mark.parametrize("policies", POLICIES)
def test_events_that_are_fired_again_roll_the_same_dice(policies: Any) -> None:
    for number in range(10):
        game = ROLLING.deal(2, seed=7, number=number, policies=policies)
        again = game.restarted()
        while game.outcome is None:
            step = game.step()
            assert again.fire_again(step) == step
            assert (again.position(), again.table.rolls) == (game.position(), game.table.rolls)


@pytest.mark.parametrize("policies", POLICIES)
def test_a_player_who_rolls_again_after_an_event_was_taken_back_rolls_the_same_die(policies: Any) -> None:
    game = ROLLING.deal(2, seed=7, policies=policies)
    while game.outcome is None:
        rolls, step = game.table.rolls, game.step()
        after = game.table.rolls
        game.undo()
        assert game.table.rolls == rolls
        game.redo()
        assert game.table.rolls == after
        game.undo()
        assert game.step() == step
        game.undo()
        assert game.fire_again(step) == step


def test_a_game_that_begins_with_a_roll_is_played_again_with_the_same_dice() -> None:
    dealt = ROLLING.deal(2, seed=7)
    while len(dealt.events()) == 1:
        dealt.step()
    game = ROLLING.at(dealt.position(), policies="random")
    outcome = game.run()
    again = game.restarted()
    assert again.run() == outcome
    assert again.history == game.history


def test_games_with_dice_and_random_players_are_told() -> None:
    for number in range(10):
        game = ROLLING.deal(2, seed=7, number=number, policies="random")
        game.run()
        played = Transcript.of(game)
        assert events_of(played.rounds[0].game, "")["outcome"]
        assert list(trace(played, ""))
