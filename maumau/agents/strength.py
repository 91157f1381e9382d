"""How strong a player is: how many games a net wins against others, and how much a net wins that learns to answer it.

The answer that is found need not be the best one. So the gain is a lower bound of what a perfect answer wins: of the
exploitability of the player, in games in which one wins what the others lose and the seats change in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from fsm import Game, game_of
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, Notify, as_int, np, of_type, seed_number
from maumau.agents.batch import Batch
from maumau.agents.intervals import Estimate, mean_of, wilson
from maumau.agents.nets.net import Net
from maumau.agents.observed import returns
from maumau.agents.opponents import Opponents, Players
from maumau.agents.training import SELF, SLOTS, TrainingSettings, train
from rules.notation import many

TESTED = 1 << 62
"""The bit of the seed of a training that is another one in games that estimate the strength."""
TESTED_GAMES = 10_000
"""Games that measure what a response gains, if nothing is said."""


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

    def of_net(self, net: Net) -> str:
        """Return the strength of a net for people, and from how many games it has learned."""
        won = f"wins {self.share:.1%} of {many(self.games, 'game')} ({self.low:.1%} to {self.high:.1%})"
        is_shared = net.players > 1 and not net.game.shares_wins  # else nobody's fair share is known
        fair = f"; {1 / net.players:.1%} would be a fair share" if is_shared else ""
        against = f", against {self.others}" if net.players > 1 else ""
        return f"learned from {net.games:,} games\n{many(net.players, 'player')}{against}: {won}{fair}"


def strength(net: Net, games: int, seed: int = 0, others: Players = None) -> Strength:
    """Count how many of `games` games of `seed` a net wins against others, in the seats in turn, game by game.

    net: for a game and a number of players. others: as for `train`; for "self" the first policy of the game. The games
    are not those of a training of the same seed. Raises ValueError.
    """
    of_type("net", net, Net, "a net")
    rivals = Opponents(net.game, net.players, None if others == SELF else others)
    wins = int((gains_of(game_of(net.game), net.choose, rivals, games, seed, Reward.WIN) == 1).sum())
    return Strength(str(rivals), wins, games, *wilson(wins, games))


def gains_of(
    kind: type[Game],
    choose: Callable[[Batch], Array],
    rivals: Opponents,
    games: int,
    seed: int = 0,
    rewards: str | None = None,
) -> Array:
    """Return the reward of a player in each of some games, in the seats in turn, shape (games,).

    kind: the game. choose: returns the action of each slot of a batch. rivals: the other players. games: how many; they
    are not those of a training of the same seed. rewards: as for `Batch`. Raises ValueError.
    """
    games, seed, players = as_int("games", games, 1), seed_number("seed", seed) ^ TESTED, rivals.players
    batch, found = Batch(kind, players, min(SLOTS, games), seed, others=rivals, rewards=rewards), np.full(games, np.nan)
    while (batch.decisions.numbers < games).any():
        numbers = batch.decisions.numbers.copy()
        decisions = batch.step(choose(batch))
        over = ((decisions.ended | decisions.truncated) & (numbers < games)).nonzero()[0]
        found[numbers[over]] = decisions.rewards[over, numbers[over] % players]
    for number in np.isnan(found).nonzero()[0].tolist():  # the player decided nothing
        game = kind.deal(players, seed, number, rivals.policies(seed, number))
        game.run()
        found[number] = returns(game, batch.reward)[number % players]
    return found


@dataclass(frozen=True)
class BestResponse:
    """The answer that a net has learned to some players, and what it gains.

    net: the response. against: the names of the players. games: that measured it. gain: the mean reward of the response
    in a game, with its 95 % interval. Where one wins what others lose, 0 is what the players win from themselves.
    """

    net: Net
    against: str
    games: int
    gain: Estimate


def best_response(
    game: str | type[Game],
    players: int,
    to: Players,
    *,
    games: int,
    tested: int = TESTED_GAMES,
    seed: int = 0,
    settings: TrainingSettings | None = None,
    notify: Notify | None = None,
) -> BestResponse:
    """Train a net against players, and measure what it gains against them in new games, in the seats in turn.

    game: a class or a registered name. players: how many. to: whom it answers, as `others` of `Batch`. games: that it
    learns from. tested: games that measure the gain; the net has learned from none of them. seed, settings, notify: as
    for `train`. Raises ValueError, UnsupportedGame; MissingExtra.
    """
    as_int("tested", tested, 2)
    net = train(game, players, games=games, others=to, seed=seed, settings=settings, notify=notify)
    return response_of(net, to, tested, seed)


def response_of(net: Net, to: Players, games: int = TESTED_GAMES, seed: int = 0) -> BestResponse:
    """Measure what a net that is there gains against players in games of `seed`, as `best_response` does."""
    of_type("net", net, Net, "a net")
    games, rivals = as_int("games", games, 2), Opponents(net.game, net.players, None if to == SELF else to)
    gains = gains_of(game_of(net.game), net.choose, rivals, games, seed, str(net.rewards))
    return BestResponse(net, str(rivals), games, mean_of(gains))
