"""Trains nets, in two parts: first they learn what moves are worth by search, then from their own games.

The first part (for games that can be searched) plays the game with the moves of the net, and some random ones. At each
decision hidden cards are dealt again in a few worlds, and each legal move is played out by the first policy of the
game. The scores of the net are fitted to the shares of wins, each against the mean of all legal moves. What a few
worlds show is inexact, but right on average, so a net that has seen many decisions knows better than each search.

The second part is proximal policy optimisation (J. Schulman and others 2017, arXiv:1707.06347): moves are chosen at
random by their scores, and those that did better than expected become likelier. Games are short, so what a move was
worth is the reward at the end of its game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from fsm import Game, game_class
from fsm.declaration.declaration import player_count
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, Notify, at_least, between, check_notify, np, real, seed_number
from maumau.agents.actions import UnsupportedGame
from maumau.agents.batch import Batch, Decisions
from maumau.agents.nets.layers import Adam, Network, chances, legal_scores
from maumau.agents.nets.net import Net
from maumau.agents.opponents import Opponents, Players
from maumau.agents.search import Search

SELF = "self"
"""In place of the policy of the other players: the net plays against itself."""
SLOTS = 1024
"""Games that are played side by side, and decisions from which a step of the descent learns."""
WORLDS, MAX_WORLDS = 16, 255
"""Worlds in which each legal move is played out, if nothing is said, and at most."""
SEARCHED = 0.5
"""The part of the training that learns from search, if nothing is said."""
MAX_HIDDEN = 1024
"""The greatest width of the hidden layers."""
SCALE = 30
"""The score of a move that wins all games, above that of one that wins none."""
EXPLORED = 0.15
"""The part of the moves that are chosen at random while the net learns from search."""
KEPT = 1 << 17
"""Searched decisions that are kept; each is learned from `REUSED` times on average."""
REUSED = 2
STEPS = 64
"""Decisions of each slot in a round of the second part; those whose game has ended are learned from `PASSES` times."""
PASSES = 2
LONG = 32
"""How many times as long as the mean a game may be: where nobody can win, good players go on for ever."""
CLIPPED, ENTROPY = 0.2, 0.002
"""How much likelier a move may become in a round; the weight of the entropy of the choice."""
RATE, GRADIENT_RATE, LAST_RATE = 1e-3, 3e-4, 0.02
"""The rates of descent of both parts at their start, and the part of them that is left at their end."""


class TrainingProgress(NamedTuple):
    """The state of a training. done: how much of it, from 0 to 1. games: that have ended. share: of these since the
    last round, those that a learning seat won; nan where all seats learn or no game ended.
    """

    net: Net
    done: float
    games: int
    share: float


class ReplayBuffer:
    """The searched decisions that were added last: observations, masks, and what each move gains in all worlds."""

    def __init__(self, width: int, actions: int) -> None:
        kinds = (width, np.uint8), (actions, np.uint8), (actions, np.int32)
        self._rows = tuple(np.zeros((KEPT, each), kind) for each, kind in kinds)
        self._added = 0

    def add(self, *rows: Array) -> None:
        """Keep decisions, in place of the oldest ones."""
        indices = (self._added + np.arange(len(rows[0]))) % KEPT
        for kept, new in zip(self._rows, rows, strict=True):
            kept[indices] = new
        self._added += len(indices)

    def sample(self, count: int, dice: np.random.Generator) -> tuple[Array, ...]:
        """Some of the decisions, chosen at random."""
        indices = dice.integers(0, min(self._added, KEPT), count)
        return tuple(kept[indices] for kept in self._rows)


class Trainer:
    """A training: each round plays some games and changes the net.

    The net depends on the arguments and on how much of the training each round is said to be, on one machine with one
    version of NumPy: sums of floating-point numbers differ between processors.
    """

    def __init__(
        self,
        game: str | type[Game],
        players: int,
        *,
        seed: int = 0,
        others: Players = None,
        searched: float = SEARCHED,
        worlds: int = WORLDS,
        hidden: int = 128,
        rewards: str | None = None,
        command: str = "",
        notify: Notify | None = None,
    ) -> None:
        """Prepare a training.

        others: the other players, as for `maumau.Batch`, by default the first policy of the game; "self": the net plays
        against itself. Searches play out as one policy of the game does, the first one with several or other players.
        searched: the part of the training that learns from search, from 0 to 1. worlds: those of each search. hidden:
        the width of the hidden layers. rewards: what it plays for, as for `maumau.Batch`. command: what the file of the
        net says of its training. Raises ValueError, UnsupportedGame; MissingExtra without llvmlite.
        """
        check_notify(notify)
        kind = game_class(game)
        seed, players = seed_number("seed", seed), player_count(kind.declaration, players)
        rivals = None if others == SELF else Opponents(kind.declaration, players, others)
        self._alone = rivals is None
        worlds, hidden = between(1, MAX_WORLDS, "worlds", worlds), between(1, MAX_HIDDEN, "hidden", hidden)
        searched = _part("searched", searched)
        self.batch = Batch(kind, players, SLOTS, seed, others=rivals, rewards=rewards, notify=notify)
        self._search, self._searched = None, 0.0
        with suppress(UnsupportedGame):  # a game that cannot be searched is learned from games alone
            if searched:
                own = rivals.only if rivals else None
                self._search = Search(
                    kind, players, worlds, others=own, infer=False, rewards=rewards, threads=1, notify=notify
                )
                self._searched = searched
        self._dice = np.random.default_rng(seed)
        width, actions = self.batch.layout.width, len(self.batch.actions)
        scale, self._unit = _scale(self.batch, self._dice)
        network = Network.initial(scale, hidden, actions, self._dice)
        self.net = Net(kind.declaration, players, network, command, self.batch.reward)
        self._descent = Adam(network)
        self._memory = ReplayBuffer(width, actions)
        self._owed = 0.0
        self.games = self._wins = self._ended = self._decided = 0

    def round(self, done: float) -> TrainingProgress:
        """Go on. done: how much of the training is done, from 0 to 1. Raises TypeError or ValueError."""
        done, part = _part("done", done), self._searched
        self._wins = self._ended = 0
        if done < part:
            self._learn_from_search(_rate(RATE, done / part))
        else:
            self._learn_from_games(_rate(GRADIENT_RATE, (done - part) / (1 - part)))
        share = self._wins / self._ended if self._ended and not self._alone else float("nan")
        return TrainingProgress(self.net, done, self.games, share)

    # ---------------------------------------------------------------- from search

    def _learn_from_search(self, rate: float) -> None:
        """Search a decision of each slot, and learn from those that are kept."""
        batch, network = self.batch, self.net.network
        assert self._search
        wins = self._search.wins(batch)
        several = batch.masks.sum(axis=1) > 1
        self._memory.add(batch.observations[several], batch.masks[several], wins[several])
        actions = legal_scores(network.scores(batch.observations).actions, batch.masks).argmax(axis=1)
        explored = self._dice.random(SLOTS) < EXPLORED
        self._step(np.where(explored, _any_legal(batch.masks, self._dice), actions))
        self._owed += REUSED * int(several.sum())
        expected = partial(_reward_of_share, batch.players) if batch.reward is Reward.WIN else np.asarray
        while self._owed >= SLOTS:
            self._owed -= SLOTS
            observations, masks, wins = self._memory.sample(SLOTS, self._dice)
            (scores, value), activations = network.forward(observations)
            shares = wins / np.float32(self._search.world_count) / self._unit
            slopes = fit_slopes(scores, value, masks, shares, expected)
            self._descent.step(network.gradients(activations, *slopes), rate)

    # ---------------------------------------------------------------- from games

    def _learn_from_games(self, rate: float) -> None:
        """Play some decisions of each slot by chance, and learn from those whose game has ended."""
        observations, masks, actions, before, values, rewards, known = self._played()
        rows = known.nonzero()[0]
        if len(rows) < SLOTS:
            return
        gain = rewards - values
        gain = (gain - gain[rows].mean()) / (gain[rows].std() + np.float32(1e-6))
        network = self.net.network
        for _ in range(PASSES):
            order = self._dice.permutation(rows)
            for first in range(0, len(order) - SLOTS + 1, SLOTS):
                each = order[first : first + SLOTS]
                (scores, value), activations = network.forward(observations[each])
                slopes = gain_slopes(scores, masks[each], actions[each], before[each], gain[each])
                error = (value - rewards[each]) / np.float32(len(each))
                self._descent.step(network.gradients(activations, slopes, error), rate)

    def _played(self) -> tuple[Array, ...]:
        """Decisions of the net, chosen at random by their scores, a row for each: observations, masks, what was chosen,
        with what chance, the rewards that were expected, those at the end of the game, and whether it is known: the
        game has ended, and more than one action was legal.
        """
        batch, network = self.batch, self.net.network
        kept: list[tuple[Array, ...]] = []
        for _ in range(STEPS):
            observations, masks, acting = batch.observations.copy(), batch.masks.copy(), batch.decisions.acting.copy()
            scores, value = network.scores(observations)
            likely = chances(scores, masks)
            sums = likely.cumsum(axis=1)
            actions = (sums > self._dice.random((SLOTS, 1), np.float32) * sums[:, -1:]).argmax(axis=1)
            chance = likely[np.arange(SLOTS), actions]
            kept.append((observations, masks, actions, chance, value, acting, *self._step(actions)))
        *decided, acting, rewards, over = map(np.stack, zip(*kept, strict=True))
        returns, known = rewards_at_end(rewards, over, acting)
        known &= decided[1].sum(axis=2) > 1
        return tuple(each.reshape(-1, *each.shape[2:]) for each in (*decided, returns, known))

    def _step(self, actions: Array) -> tuple[Array, Array]:
        """Step the batch, and count the games that end or are broken off; the rewards, and which games are over."""
        numbers = self.batch.decisions.numbers.copy()
        decisions: Decisions = self.batch.step(actions)
        ended = decisions.ended.nonzero()[0]
        self._ended += len(ended)
        self.games += len(ended) + int(decisions.truncated.sum())
        self._decided += SLOTS
        if self.games >= SLOTS:
            self.batch.shorten(LONG * self._decided // self.games)
        self._wins += int((decisions.rewards[ended, numbers[ended] % self.batch.players] > 0).sum())
        return decisions.rewards / self._unit, decisions.ended | decisions.truncated


def rewards_at_end(rewards: Array, over: Array, acting: Array) -> tuple[Array, Array]:
    """What the seats that act get at the end of their games, and whether these have ended.

    rewards: shape (steps, slots, players), of games that end with a step. over, acting: shape (steps, slots).
    """
    slots = np.arange(over.shape[1])
    later, ended = np.zeros_like(rewards[0]), np.zeros_like(over[0])
    returns, known = np.zeros(over.shape, np.float32), np.zeros(over.shape, bool)
    for step in range(len(over) - 1, -1, -1):
        later[over[step]] = rewards[step][over[step]]
        ended |= over[step]
        returns[step], known[step] = later[slots, acting[step]], ended
    return returns, known


def fit_slopes(
    scores: Array, value: Array, masks: Array, shares: Array, reward: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """The derivatives, by the scores and by the value, of how far both are from the shares of wins of the legal moves.

    Scores should differ from their mean as shares do from theirs, `SCALE` times as much. The value should be the reward
    of the move with the highest score.
    """
    legal = masks.astype(np.float32)
    several = legal.sum(axis=1, keepdims=True)
    target = SCALE * (shares - (shares * legal).sum(axis=1, keepdims=True) / several)
    differing = scores - (scores * legal).sum(axis=1, keepdims=True) / several - target
    best = legal_scores(scores, masks).argmax(axis=1)
    expected = reward(shares[np.arange(len(shares)), best])
    rows = np.float32(len(scores))
    return differing * legal * (np.float32(0.2) / rows), (value - expected) / rows


def gain_slopes(scores: Array, masks: Array, actions: Array, before: Array, gain: Array) -> Array:
    """The derivatives by the scores of the clipped loss of actions that were chosen with the chances `before`."""
    likely = chances(scores, masks)
    rows = np.arange(len(actions))
    ratio = likely[rows, actions] / before
    useful = np.where(gain > 0, ratio < 1 + CLIPPED, ratio > 1 - CLIPPED)
    slopes = likely * (gain * ratio * useful)[:, None]
    slopes[rows, actions] -= gain * ratio * useful
    logs = np.log(likely, out=np.zeros_like(likely), where=likely > 0)
    mean = (likely * logs).sum(axis=1, keepdims=True)
    slopes += np.float32(ENTROPY) * likely * (logs - mean)
    return slopes / np.float32(len(actions))


def rounds(trainer: Trainer, games: int | None = None, minutes: float | None = None) -> Iterator[TrainingProgress]:
    """The rounds of a training, up to a number of games or a time. Raises TypeError or ValueError."""
    games = None if games is None else at_least(1, "games", games)
    if minutes is not None and (minutes := real("minutes", minutes)) <= 0:
        raise ValueError(f"minutes: {minutes:g} is not above 0; use a number above 0")
    start = time.monotonic()
    while True:
        parts = [0.0]
        parts += [] if games is None else [trainer.games / games]
        parts += [] if minutes is None else [(time.monotonic() - start) / (60 * minutes)]
        if max(parts) >= 1:
            return
        yield trainer.round(max(parts))


def train(
    game: str | type[Game],
    players: int,
    *,
    games: int,
    seed: int = 0,
    others: Players = None,
    searched: float = SEARCHED,
    worlds: int = WORLDS,
    hidden: int = 128,
    rewards: str | None = None,
    notify: Notify | None = None,
) -> Net:
    """Return a net that has learned from at least `games` games.

    game: a class or a registered name. players: how many. seed: of the games and of the training. others: the other
    players, as for `Batch`, by default the first policy of the game; "self": the net plays against itself. searched:
    the part of the training that learns from search, from 0 to 1. worlds: those of each search. hidden: the width of
    the hidden layers. rewards: what it plays for, as for `Batch`. notify: called when machine code has to be compiled.
    Raises ValueError, UnsupportedGame; MissingExtra.
    """
    games = at_least(1, "games", games)
    trainer = Trainer(
        game,
        players,
        seed=seed,
        others=others,
        searched=searched,
        worlds=worlds,
        hidden=hidden,
        rewards=rewards,
        notify=notify,
    )
    for _ in rounds(trainer, games=games):
        pass
    return trainer.net.rounded()


def _reward_of_share(players: int, share: Array) -> Array:
    """The reward that a share of wins comes to."""
    return share if players == 1 else share - (1 - share) / np.float32(players - 1)


def _scale(batch: Batch, dice: np.random.Generator) -> tuple[Array, np.float32]:
    """What multiplies the numbers of observations so that none is large; the greatest reward. By some random games."""
    squares, unit = np.zeros(batch.layout.width), np.float32(1)
    for _ in range(STEPS):
        squares += np.square(batch.observations, dtype=np.float64).mean(axis=0) / STEPS
        unit = np.maximum(unit, abs(batch.step(_any_legal(batch.masks, dice)).rewards).max())
    batch.reset()
    return (1 / np.sqrt(np.maximum(squares, 1))).astype(np.float32), unit


def _part(what: str, number: float) -> float:
    if not 0 <= (plain := real(what, number)) <= 1:
        raise ValueError(f"{what}: {plain:g} is out of range; use 0 to 1")
    return plain


def _any_legal(masks: Array, dice: np.random.Generator) -> Array:
    return (masks * (1 - dice.random(masks.shape, np.float32))).argmax(axis=1)  # type: ignore[no-any-return]


def _rate(start: float, done: float) -> float:
    return start * (1 - (1 - LAST_RATE) * done)
