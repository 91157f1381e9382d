"""How strong a net is: how many games it wins against other players."""

from __future__ import annotations

from typing import NamedTuple

from fsm import game_of
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, at_least, np, of_type, seed_number
from maumau.agents.batch import Batch
from maumau.agents.intervals import CONFIDENCE, wilson
from maumau.agents.nets.net import Net
from maumau.agents.observed import returns
from maumau.agents.opponents import Opponents, Players
from maumau.agents.training import SELF, SLOTS

TESTED = 1 << 62
"""The bit of the seed of a training that is another one in games that estimate the strength."""


class Strength(NamedTuple):
    """How many of some games a net won. others: whom it played against. low, high: the ends of the 95 % interval."""

    others: str
    wins: int
    games: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of wins."""
        return self.wins / self.games


def strength(net: Net, games: int, seed: int = 0, others: Players = None) -> Strength:
    """Count how many of `games` games of `seed` a net wins against others, in the seats in turn, game by game.

    net: for a game and a number of players. others: as for `train`; for "self" the first policy of the game. The games
    are not those of a training of the same seed. Raises ValueError.
    """
    rivals = rivals_of(net, others)
    wins = int((gains_of(net, games, seed, rivals, Reward.WIN) == 1).sum())
    return Strength(str(rivals), wins, games, *wilson(wins, games, CONFIDENCE))


def rivals_of(net: Net, others: Players) -> Opponents:
    """Return whom a net plays against. others: as for `strength`. Raises TypeError, ValueError."""
    of_type("net", net, Net, "a net")
    return Opponents(net.game, net.players, None if others == SELF else others)


def gains_of(net: Net, games: int, seed: int, rivals: Opponents, rewards: str) -> Array:
    """Return the reward of a net in each of some games, in the seats in turn, shape (games,). Raises ValueError.

    The games are not those of a training of the same seed.
    """
    games, seed = at_least(1, "games", games), seed_number("seed", seed) ^ TESTED
    kind, found = game_of(net.game), np.full(games, np.nan)
    batch = Batch(kind, net.players, min(SLOTS, games), seed, others=rivals, rewards=rewards)
    while (batch.decisions.numbers < games).any():
        numbers = batch.decisions.numbers.copy()
        decisions = batch.step(net.choose(batch))
        over = ((decisions.ended | decisions.truncated) & (numbers < games)).nonzero()[0]
        found[numbers[over]] = decisions.rewards[over, numbers[over] % net.players]
    for number in np.isnan(found).nonzero()[0].tolist():  # the net decided nothing
        game = kind.deal(net.players, seed, number, rivals.policies(seed, number))
        game.run()
        found[number] = returns(game, batch.reward)[number % net.players]
    return found
