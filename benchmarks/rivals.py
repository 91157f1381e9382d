"""Comparable games in other Python libraries, with random players: crazy eights, UNO and mahjong."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count, groupby
from typing import Any, NamedTuple

from benchmarks.measuring import CannotMeasureError

SEED = 7
MAHJONG_PLAYERS = 4

EIGHTS_DIFFER = (
    "open_spiel's crazy_eights as loaded by default: 52 cards, who cannot play draws up to five, an eight is laid on "
    "anything and names a suit; no sevens, no skipping, no reshuffle. Players choose at random. Moves of one player in "
    "a row count as one turn. In C++: `evaluate_bots` plays a whole game without a step of Python."
)
UNO_DIFFERS = (
    "rlcard's uno Game, the raw one without its environment: the same 108 cards, but a drawn card that fits is played "
    "at once, the laid cards are shuffled and drawn again, nothing is scored or called. Players choose at random, so "
    "its games have other lengths. Each step is a turn."
)
MAHJONG_DIFFERS = (
    "rlcard's mahjong Game, the raw one without its environment: four players, 136 tiles with honours, any number of "
    "suits, chow, pung and gang; nobody claims a discard to win, who has laid out four melds has won, and nothing is "
    "scored. Players choose at random, so its games have other lengths. Each step is a turn."
)


class Rival(NamedTuple):
    """play: deal and play one game. turns: the number of turns of what `play` returned."""

    play: Callable[[], Any]
    turns: Callable[[Any], int]


def crazy_eights_in_cpp(players: int) -> Rival:
    """open_spiel's crazy eights, whole games in its C++. Raises CannotMeasureError."""
    spiel = _open_spiel()
    game = spiel.load_game(f"crazy_eights(players={players})")
    bots = [spiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(players)]
    seeds = count(SEED)

    def play() -> Any:
        state = game.new_initial_state()
        spiel.evaluate_bots(state, bots, next(seeds))
        return state

    return Rival(play, _moves_in_a_row)


def crazy_eights_stepped(players: int) -> Rival:
    """open_spiel's crazy eights, move by move from Python. Raises CannotMeasureError."""
    game = _open_spiel().load_game(f"crazy_eights(players={players})")
    dice = random.Random(SEED)

    def play() -> Any:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))  # cards are dealt so, too: each with the same chance
        return state

    return Rival(play, _moves_in_a_row)


def rlcard_uno(players: int) -> Rival:
    """rlcard's raw UNO. Raises CannotMeasureError."""
    try:
        import numpy as np
        from rlcard.games.uno import Game
    except ImportError:
        raise CannotMeasureError("rlcard is not installed, see the extra `bench`") from None
    game = Game(num_players=players)
    game.np_random = np.random.RandomState(SEED)
    dice = random.Random(SEED)

    def play() -> int:
        state, _ = game.init_game()
        steps = 0
        while not game.is_over():
            state, _ = game.step(dice.choice(state["legal_actions"]))
            steps += 1
        return steps

    return Rival(play, int)


def rlcard_mahjong(players: int) -> Rival:
    """rlcard's raw mahjong. Raises CannotMeasureError."""
    try:
        import numpy as np
        from rlcard.games.mahjong import Game
    except ImportError:
        raise CannotMeasureError("rlcard is not installed, see the extra `bench`") from None
    if players != MAHJONG_PLAYERS:
        raise CannotMeasureError(f"rlcard's mahjong has {MAHJONG_PLAYERS} players")
    game = Game()
    game.np_random = np.random.RandomState(SEED)
    dice = random.Random(SEED)

    def play() -> int:
        state, _ = game.init_game()
        steps = 0
        while not game.is_over():
            state, _ = game.step(dice.choice(game.get_legal_actions(state)))
            steps += 1
        return steps

    return Rival(play, int)


def _open_spiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise CannotMeasureError("open_spiel is not installed, see the extra `bench`") from None
    return pyspiel


def _moves_in_a_row(state: Any) -> int:
    """The turns of a game: how often the player changed; chance is not a player."""
    players = [move.player for move in state.full_history() if move.player >= 0]
    return sum(1 for _ in groupby(players))
