"""How much skill a game has under house rules: how often one who searches wins against house players.

The search deals the hidden cards anew, whatever the others have done (`infer=False`), which can be done for many rounds
side by side.
"""

from __future__ import annotations

from fsm.stepping.game import Game
from maumau.agents.arrays import Array, np
from maumau.agents.batch import Batch
from maumau.agents.search import Search

WORLDS = 100
SLOTS = 256
LIMIT = 2000
"""Decisions of one round: the few that are longer count as not won."""


def searched(kind: type[Game], players: int, rounds: int, worlds: int, seed: int) -> Array:
    """Whether one who searches `worlds` worlds wins each of the rounds against house players: 1 or 0.

    It sits in seat 1 in round 0, in seat 2 in round 1, and so on.
    """
    batch = Batch(kind, players, min(SLOTS, rounds), seed, others="house", limit=LIMIT, rewards="win")
    search = Search(kind, players, worlds, infer=False, threads=1)
    won, open_rounds = np.zeros(rounds, np.int8), np.ones(rounds, bool)
    while open_rounds.any():
        numbers = batch.decisions.numbers.copy()
        batch.step(search.choose(batch))
        over = (batch.decisions.ended | batch.decisions.truncated).nonzero()[0]
        over = over[numbers[over] < rounds]
        own = numbers[over]
        won[own] = batch.decisions.rewards[over, own % players] > 0
        open_rounds[own] = False
    batch.close()
    return won
