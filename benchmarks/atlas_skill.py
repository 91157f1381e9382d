"""How much skill a game has under house rules: how often one who searches wins against house players."""

from __future__ import annotations

from fsm.edge.numbers import Array, np
from fsm.stepping.game import Game
from maumau.study.playing import runner_of

WORLDS = 50


def searched(kind: type[Game], players: int, rounds: int, worlds: int, seed: int) -> Array:
    """Whether one who searches `worlds` worlds wins each of the rounds against house players: 1 or 0.

    It sits in seat 1 in the first part of the rounds, in seat 2 in the next one, and so on.
    """
    won = []
    for seat in range(players):
        first, end = (rounds * each // players for each in (seat, seat + 1))
        policies = [f"search:{worlds}" if each == seat else "house" for each in range(players)]
        runner = runner_of(kind.declaration, players, policies, seed, tally=False, notify=None)
        won.append(runner.play(None, first, end - first, threads=1).games["winner"] == seat)
    return np.concatenate(won).astype(np.int8)
