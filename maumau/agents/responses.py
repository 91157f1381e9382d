"""How much can be won from a player: a net learns to answer it, and plays new games against it.

The answer that is found need not be the best one. So the gain is a lower bound of what a perfect answer wins: of the
exploitability of the player, in games in which one wins what the others lose and the seats change in turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm import Game, game_of
from fsm.edge.numbers import Notify, as_int, of_type
from maumau.agents.intervals import Estimate, mean_of
from maumau.agents.nets.net import Net
from maumau.agents.opponents import Opponents, Players
from maumau.agents.strength import gains_of
from maumau.agents.training import SELF, TrainingSettings, train

TESTED_GAMES = 10_000
"""Games that measure what a response gains, if nothing is said."""


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
