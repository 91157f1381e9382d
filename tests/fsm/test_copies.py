"""Copies of games: each goes its own way, undo included, and a pickled game comes back as it was."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from abc import ABC
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from all_games import GAMES
from auction import Auction

from examples.tens_skip import TENS
from fsm import Game, IllegalMove, MauMau, Uno, game_of
from fsm.table.layout import layout_of

SMALL = MauMau.with_deck("DQ HQ DS HS DE HE DJ HJ", 2)
KINDS = [MauMau, Auction, SMALL]
COPIES: list[Callable[[Any], Any]] = [
    lambda game: game.clone(),
    copy.copy,
    copy.deepcopy,
    lambda game: pickle.loads(pickle.dumps(game)),
]
by_copy = pytest.mark.parametrize("copied", COPIES, ids=["clone", "copy", "deepcopy", "pickle"])
by_kind = pytest.mark.parametrize("kind", KINDS, ids=["maumau", "auction", "small deck"])
MOST = 300


def begun(kind: type[Game], policy: str, events: int) -> Game:
    """A game of two after some events."""
    game = kind.deal(2, 7, 3, [policy])
    for _ in range(events):
        if game.outcome is None:
            game.step()
    return game


def state_of(game: Game) -> tuple[Any, ...]:
    """Everything that a game shows."""
    names = [policy.name for policy in game.policies]
    return game.position(), game.hands, game.history, game.opening_card, names, game.table.rolls, repr(game), str(game)


def ended(game: Game) -> Game:
    """The game after its end, or after many more events."""
    while game.outcome is None and len(game.history) < MOST:
        game.step()
    return game


@by_kind
@by_copy
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
@pytest.mark.parametrize("events", [0, 9])
def test_a_copy_is_the_same_game(kind: type[Game], copied: Callable[[Any], Any], policy: str, events: int) -> None:
    game = begun(kind, policy, events)
    other = copied(game)
    assert type(other) is type(game)
    assert (other, state_of(other)) == (game, state_of(game))
    assert state_of(ended(other)) == state_of(ended(game))


@by_kind
@by_copy
def test_a_copy_is_independent(kind: type[Game], copied: Callable[[Any], Any]) -> None:
    game = begun(kind, "random", 9)
    before = state_of(game)
    other = copied(game)
    ended(other)
    assert state_of(game) == before
    while other.history:
        other.undo()
    assert state_of(game) == before
    other.policies[0] = game.declaration.policies[0]
    assert state_of(game) == before
    assert other == game.restarted()


@by_copy
def test_the_original_is_independent_of_its_copy(copied: Callable[[Any], Any]) -> None:
    game = begun(MauMau, "house", 9)
    other = copied(game)
    before = state_of(other)
    ended(game)
    while game.history:
        game.undo()
    with pytest.raises(IllegalMove):
        game.undo()
    assert state_of(other) == before


@by_copy
def test_a_copy_knows_which_positions_were_there_before(copied: Callable[[Any], Any]) -> None:
    """An endless game of a small deck ends after the same events if a copy goes on in its place."""
    kind = MauMau.with_deck("DQ HK SE DJ HJ", 1)
    endless = (kind.deal(2, 1, number, ["first-legal"]) for number in range(200))
    game = next(game for game in endless if str(game.run().ending) == "endless")
    other = game.restarted()
    for _ in range(len(game.history) - 1):
        other = copied(other)
        other.step()
    assert copied(other).step() == game.history[-1]


@by_kind
def test_a_history_compares_equal_after_pickling(kind: type[Game]) -> None:
    history = ended(begun(kind, "house", 0)).history
    again = pickle.loads(pickle.dumps(history))
    assert again == history
    assert {step.arc for step in again} <= set(kind.declaration.arcs)
    assert hash(tuple(again)) == hash(tuple(history))
    assert copy.deepcopy(history) == history


class Own(MauMau.with_rules("ten-is-wild"), ABC):  # type: ignore[misc]
    """A class of one's own, with a house rule and an abstract base."""


MADE = game_of(replace(MauMau.declaration, name="cards", title="Cards"))
MADE_SMALL = MADE.with_deck("DQ HQ DS HS DK SJ", 2)


@pytest.mark.parametrize(
    "kind",
    [
        MauMau,
        SMALL,
        Own,
        MADE,
        MADE_SMALL,
        MADE.with_deck("DS HS DQ HQ DE HE", 1),
        MauMau.with_rules("nine-reverses", TENS),
        MauMau.with_rules("ace-skips").with_deck("DS HS DQ HQ DE HE", 1),
    ],
)
def test_a_class_and_its_games_are_pickled_for_another_process(kind: type[Game], tmp_path: Path) -> None:
    """Those with a rule that is in no rulebook, too."""
    game = kind.deal(2, 1)
    while len(game.history) < 3:
        game.step()
    pickled = pickle.dumps((kind, game))
    again, other = pickle.loads(pickled)
    assert (again, type(other)) == (kind, kind)
    assert other.history == game.history
    game.run()
    (tmp_path / "game.pickle").write_bytes(pickled)
    there = f"import pickle; kind, game = pickle.load(open({str(tmp_path / 'game.pickle')!r}, 'rb')); game.run(); "
    code = f"{there}assert type(game) is kind; print([rule.name for rule in kind.rules], game.outcome)"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
    assert run.stdout == f"{[rule.name for rule in kind.rules]} {game.outcome}\n", run.stderr


@pytest.mark.parametrize("policy", ["house", "search:5", "net"])
def test_a_game_of_computed_players_is_named_and_pickled_whatever_is_imported(policy: str, tmp_path: Path) -> None:
    pickled = tmp_path / "game.pickle"
    pickled.write_bytes(pickle.dumps(MauMau.deal(2, 7, policies=policy)))
    for made in (f"MauMau.deal(2, 7, policies={policy!r})", f"pickle.load(open({str(pickled)!r}, 'rb'))"):
        code = f"import pickle; from fsm import MauMau; print({made}.run())"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert run.stdout == f"{MauMau.deal(2, 7, policies=policy).run()}\n", run.stderr


def test_the_same_small_deck_is_the_same_game() -> None:
    assert MauMau.with_deck("DQ HQ DS HS DE HE DJ HJ", 2) is SMALL
    assert MauMau.with_deck("DQ HQ DS HS DE HE DJ HJ", 1) is not SMALL


@by_copy
def test_a_copy_narrates_its_events_as_the_original_does(copied: Callable[[Any], Any]) -> None:
    game = ended(Uno.deal(2, 7))
    sentences = [str(step) for step in game.history]
    assert [text for text in sentences if ' and calls "Uno"' in text]
    assert [str(step) for step in copied(game).history] == sentences
    for _ in sentences:
        game.undo()
    other = copied(game)
    assert [str(other.redo()) for _ in sentences] == sentences


@by_copy
def test_a_copy_has_no_hooks_of_its_own_and_can_redo_what_was_taken_back(copied: Callable[[Any], Any]) -> None:
    game = begun(MauMau, "house", 9)
    heard: list[Any] = []
    game.on_exit_await_play(heard.append)
    last = game.undo()
    other = copied(game)
    assert other.redo() == last
    ended(other)
    assert not heard
    assert len(game.history) == 8


def test_a_game_is_not_copied_while_a_hook_runs() -> None:
    game = begun(MauMau, "house", 0)
    refused: list[str] = []

    def hook(hooked: Any) -> None:
        for copied in COPIES:
            with pytest.raises(IllegalMove, match="a hook cannot step or copy the game; only look at it"):
                copied(hooked)
            refused.append("copy")

    game.after_open(hook)
    game.open()
    assert len(refused) == len(COPIES)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
def test_a_table_in_bytes_comes_back_as_it_was(kind: type[Game]) -> None:
    layout, game = layout_of(kind.declaration), kind.deal(kind.declaration.codec.fewest, seed=3)
    for _ in range(5):
        game.step()
        taken = layout.take(game.table)
        assert layout.unpacked(bytes(layout.packed(taken))) == taken
