"""How strong a net is: how many games it wins against other players."""

from __future__ import annotations

from typing import NamedTuple

from fsm import Game, game_of
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, at_least, np, of_type, seed_number
from maumau.agents.batch import Batch
from maumau.agents.intervals import CONFIDENCE, wilson
from maumau.agents.nets.net import Net
from maumau.agents.training import SELF, SLOTS
from maumau.kernels import bulk
from maumau.kernels.compiler.program import has_won

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


def strength(net: Net, games: int, seed: int = 0, others: str | None = None) -> Strength:
    """Count how many of `games` games of `seed` a net wins against others, in the seats in turn, game by game.

    net: for a game and a number of players. others: as for `Trainer`; for "self" the first policy of the game. The
    games are not those of a training of the same seed. Raises ValueError.
    """
    games, seed = at_least(1, "games", games), seed_number("seed", seed) ^ TESTED
    of_type("net", net, Net, "a net")
    rivals = net.game.policy(None if others == SELF else others).name
    kind = game_of(net.game)
    batch = Batch(kind, net.players, min(SLOTS, games), seed, others=rivals, rewards=Reward.WIN)
    wins, undecided = 0, np.ones(games, bool)
    while (batch.decisions.numbers < games).any():
        numbers = batch.decisions.numbers.copy()
        decisions = batch.step(net.choose(batch))
        over = ((decisions.ended | decisions.truncated) & (numbers < games)).nonzero()[0]
        wins += int((decisions.rewards[over, numbers[over] % net.players] == 1).sum())
        undecided[numbers[over]] = False
    if undecided.any():
        wins += _won_by_others(kind, net.players, seed, rivals, undecided)
    return Strength(rivals, wins, games, *wilson(wins, games, CONFIDENCE))


def _won_by_others(kind: type[Game], players: int, seed: int, rivals: str, undecided: Array) -> int:
    """How many games are won in which the net decided nothing: they are those of the other players alone."""
    found = bulk.play_dealt(players, len(undecided), seed, policies=[rivals], game=kind).games[undecided]
    all_have_won = found["winners"] == (1 << players) - 1
    return int((has_won(found, undecided.nonzero()[0] % players) & ~all_have_won).sum())
