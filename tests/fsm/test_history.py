"""Undo and redo: what was taken back can be fired again, until another event is fired."""

from __future__ import annotations

from typing import Any

import pytest
from all_games import GAMES
from hypothesis import given, settings
from hypothesis import strategies as st

from fsm import Game, IllegalMove, MauMau, Uno

START = "await-play hands=CK,HK/CA,HA discard=...,CN draw=SA"


def test_redo_fires_again_what_undo_took_back(at: Any) -> None:
    game = at(START)
    step = game.play("CK")
    there = game.position()
    game.undo()
    assert game == at(START)
    assert game.redo() == step
    assert game.position() == there
    assert game.history == [step]
    assert game.hands == (("HK",), ("CA", "HA"))


def test_redo_without_undo_is_refused(at: Any) -> None:
    game = at(START)
    with pytest.raises(IllegalMove, match="nothing to redo: no event has been taken back since the last one was fired"):
        game.redo()
    game.play("CK")
    with pytest.raises(IllegalMove, match="nothing to redo"):
        game.redo()


def test_a_new_event_ends_what_can_be_redone(at: Any) -> None:
    game = at(START)
    game.play("CK")
    game.undo()
    game.draw()
    with pytest.raises(IllegalMove, match="nothing to redo"):
        game.redo()


def test_a_refused_event_ends_nothing(at: Any) -> None:
    game = at(START)
    step = game.play("CK")
    game.undo()
    with pytest.raises(IllegalMove):
        game.play("HK")
    assert game.redo() == step


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**63 - 1), back=st.integers(1, 200))
def test_a_game_that_is_taken_back_and_redone_is_the_same(kind: type[Game], seed: int, back: int) -> None:
    game, other = (kind.deal(kind.declaration.codec.fewest, seed, policies="random") for _ in range(2))
    positions = [game.position()]
    while game.outcome is None and len(game.history) < 200:
        game.step()
        other.step()
        positions.append(game.position())
    table = [(name, getattr(game.table, name)) for name in type(game.table).__dataclass_fields__]
    steps = [game.undo() for _ in range(min(back, len(game.history)))]
    assert game.position() == positions[len(game.history)]
    assert [game.redo() for _ in steps] == steps[::-1]
    assert game == other
    assert game.history == other.history
    assert [(name, getattr(game.table, name)) for name in type(game.table).__dataclass_fields__] == table


def test_a_game_of_random_players_goes_on_the_same_after_undo_and_redo() -> None:
    game, other = (MauMau.deal(3, 11, policies="random") for _ in range(2))
    for _ in range(20):
        game.step()
    for _ in range(10):
        game.undo()
    for _ in range(10):
        game.redo()
    game.run()
    other.run()
    assert game.history == other.history


# ------------------------------------------------------------------ what is fired and dealt without much typing


def test_a_move_is_fired_as_it_is(at: Any) -> None:
    game = at(START)
    move = game.events()[0]
    assert game.fire(move).card == move.card
    assert [each.trigger for each in at(START).events()[:2]] == ["play", "draw"]


@pytest.mark.parametrize("deal", [MauMau, lambda: MauMau.deal(3), Uno, lambda: Uno.deal(5)])
def test_what_is_dealt_with_a_fresh_seed_shows_it_and_can_be_dealt_again(deal: Any) -> None:
    game = deal()
    players, seed = game.players, game.table.seed
    assert repr(game).endswith(f", deal({players}, seed={seed})>")
    again = type(game).deal(players, seed=seed)
    assert again == game
    assert "seed" not in repr(again)
    assert {deal().table.seed for _ in range(4)} != {seed}
    game.run()
    again.run()
    assert game.history == again.history


def test_one_policy_may_be_given_by_its_name_alone() -> None:
    game = MauMau.deal(3, 7, policies="first-legal")
    assert [policy.name for policy in game.policies] == ["first-legal"] * 3
    assert MauMau(policies="random").policies[0].name == "random"
    with pytest.raises(ValueError, match="unknown policy 'bold'"):
        MauMau.deal(3, 7, policies="bold")
