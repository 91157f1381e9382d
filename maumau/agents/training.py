"""Trains nets, in two parts: first they learn what moves are worth by search, then, if asked, from their own games.

The first part (for games that can be searched) plays the game with the moves of the net, and some random ones. At each
decision hidden cards are dealt again in a few worlds, and each legal move is played out by the first policy of the
game. The scores of the net are fitted to the shares of wins, each against the mean of all legal moves. What a few
worlds show is inexact, but right on average, so a net that has seen many decisions knows better than each search.
While one core searches the decisions of a round, another one fits the net to those of earlier rounds.

The second part is proximal policy optimisation (J. Schulman and others 2017, arXiv:1707.06347): moves are chosen at
random by their scores, and those that did better than expected become likelier. Games are short, so what a move was
worth is the reward at the end of its game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from types import NoneType
from typing import NamedTuple

from fsm import Game, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, Notify, as_int, np, of_type, real, seed_number
from maumau.agents.actions import UnsupportedGame
from maumau.agents.batch import Batch, Decisions
from maumau.agents.nets.layers import Adam, Network, chances, legal_scores
from maumau.agents.nets.net import Net
from maumau.agents.nets.targets import ReplayBuffer, fit_error, fit_slopes, gain_slopes, rewards_at_end
from maumau.agents.opponents import Opponents, Players
from maumau.agents.search import Search

SELF = "self"
"""In place of the policy of the other players: the net plays against itself."""
SLOTS = 1024
"""Games that are played side by side, and decisions from which a step of the descent learns."""
WORLDS, MAX_WORLDS = 16, 255
"""Worlds in which each legal move is played out, if nothing is said, and at most."""
SEARCHED = 1.0
"""The part of the training that learns from search, if nothing is said."""
HIDDEN, MAX_HIDDEN = 128, 1024
"""The width of the hidden layers, if nothing is said, and at most."""
EXPLORED = 0.15
"""The part of the moves that are chosen at random while the net learns from search."""
REUSED = 2
"""How often the net learns from a searched decision, on average."""
SEARCHES = 8
"""Decisions of each slot in a round of the first part."""
STEPS = 64
"""Decisions of each slot in a round of the second part; those whose game has ended are learned from `PASSES` times."""
PASSES = 2
LONG = 32
"""How many times as long as the mean a game may be: where nobody can win, good players go on for ever."""
RATE, GRADIENT_RATE, LAST_RATE = 1e-3, 3e-4, 0.02
"""The rates of descent of both parts at their start, and the part of them that is left at their end."""


FRESH = (1 << 62) - 1
"""The bits of the seed of games that a net has not learned from: with the next bit, `strength` marks those of tests."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a net learns.

    searched: the part of the training that learns from search, from 0 to 1; the rest learns from games. worlds: those
    of each search. hidden: the width of the hidden layers, by default 128, or that of the net that learns more.
    rewards: what it plays for, as for `Batch`, by default what that net plays for. Raises TypeError or ValueError.
    """

    searched: float = SEARCHED
    worlds: int = WORLDS
    hidden: int | None = None
    rewards: str | None = None

    def __post_init__(self) -> None:
        of_type("rewards", self.rewards, (str, NoneType), "the name of a reward")
        hidden = None if self.hidden is None else as_int("hidden", self.hidden, 1, MAX_HIDDEN)
        numbers = {"searched": _part("searched", self.searched), "hidden": hidden}
        for name, number in (numbers | {"worlds": as_int("worlds", self.worlds, 1, MAX_WORLDS)}).items():
            object.__setattr__(self, name, number)


class TrainingProgress(NamedTuple):
    """The state of a training.

    done: how much of it, from 0 to 1. games: that have ended. share: of these since the last round, those that a
    learning seat won; nan where all seats learn or no game ended. part: what the net learns from now, "searches" or
    "games". loss: how far it was from what it learned in the last round: the root of the mean square, of shares of wins
    in searches, of rewards in games; nan where it learned nothing.
    """

    net: Net
    done: float
    games: int
    share: float
    part: str
    loss: float


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
        settings: TrainingSettings | None = None,
        start: Net | None = None,
        command: str = "",
        notify: Notify | None = None,
    ) -> None:
        """Prepare a training.

        others: the other players, as for `maumau.Batch`, by default the first policy of the game; "self": the net plays
        against itself. Searches play out as one policy of the game does, the first one with several or other players.
        settings: how it learns. start: a net that learns more, by default a new one. command: what the file of the net
        says of its training. Raises ValueError, UnsupportedGame; MissingExtra without llvmlite.
        """
        kind, settings = game_class(game), settings or TrainingSettings()
        of_type("settings", settings, TrainingSettings, "TrainingSettings")
        of_type("start", start, (Net, NoneType), "a net")
        seed, players = seed_number("seed", seed), kind.declaration.player_count(players)
        rivals = None if others == SELF else Opponents(kind.declaration, players, others)
        self._alone = rivals is None
        rewards = settings.rewards
        if start:
            rewards = _check_start(start, kind.declaration, players, settings)
        self._before = start.games if start else 0
        decks = _seed_after(seed, self._before)
        self.batch = Batch(kind, players, SLOTS, decks, others=rivals, rewards=rewards, notify=notify)
        self._search, self._searched = None, 0.0
        with suppress(UnsupportedGame):  # a game that cannot be searched is learned from games alone
            if settings.searched:
                self._search = Search(
                    kind,
                    players,
                    settings.worlds,
                    others=rivals.only if rivals else None,
                    infer=False,
                    rewards=rewards,
                    threads=1,
                    notify=notify,
                )
                self._searched = settings.searched
        self._beside = ThreadPoolExecutor(1)
        self._dice, self._samples = np.random.default_rng(decks), np.random.default_rng([decks, 1])
        width, actions = self.batch.layout.width, len(self.batch.actions)
        scale, self._unit = _scale(self.batch, self._dice)
        network = start.network.copy() if start else None
        network = network or Network.initial(scale, settings.hidden or HIDDEN, actions, self._dice)
        self._net = Net(kind.declaration, players, network, command, self.batch.reward)
        self._descent = Adam(network)
        self._memory = ReplayBuffer(width, actions)
        self._owed = 0.0
        self.games = self._wins = self._ended = self._decided = 0

    @property
    def net(self) -> Net:
        """The net as it is now; the next round changes its weights."""
        return replace(self._net, games=self._before + self.games)

    def round(self, done: float) -> TrainingProgress:
        """Go on. done: how much of the training is done, from 0 to 1. Raises TypeError or ValueError."""
        done, part = _part("done", done), self._searched
        self._wins = self._ended = 0
        searches = done < part
        if searches:
            loss = self._learn_from_search(_rate(RATE, done / part))
        else:
            loss = self._learn_from_games(_rate(GRADIENT_RATE, (done - part) / (1 - part) if part < 1 else 1))
        share = self._wins / self._ended if self._ended and not self._alone else nan
        return TrainingProgress(self.net, done, self.games, share, "searches" if searches else "games", loss)

    def rounds(self, games: int | None = None, minutes: float | None = None) -> Iterator[TrainingProgress]:
        """Learn in rounds, up to a number of games or a time. Raises TypeError or ValueError."""
        games = None if games is None else as_int("games", games, 1)
        if minutes is not None and (minutes := real("minutes", minutes)) <= 0:
            raise ValueError(f"minutes: {minutes:g} is not above 0; use a number above 0")
        start = time.monotonic()
        while True:
            parts = [0.0]
            parts += [] if games is None else [self.games / games]
            parts += [] if minutes is None else [(time.monotonic() - start) / (60 * minutes)]
            if max(parts) >= 1:
                return
            yield self.round(max(parts))

    # ---------------------------------------------------------------- from search

    def _learn_from_search(self, rate: float) -> float:
        """Search some decisions of each slot, and learn from those that were kept before. Returns the loss."""
        searching = self._beside.submit(self._search_decisions, self._net.network.copy())
        try:
            loss = self._fit(rate)
        finally:
            searched = searching.result()
        for rows in searched:
            self._memory.add(*rows)
            self._owed += REUSED * len(rows[0])
        return loss

    def _search_decisions(self, network: Network) -> list[tuple[Array, ...]]:
        """Play some decisions of each slot by a network; those with several legal actions, with what these gain."""
        batch, found = self.batch, list[tuple[Array, ...]]()
        assert self._search
        for _ in range(SEARCHES):
            several = batch.masks.sum(axis=1) > 1
            wins = self._search.wins(batch)
            found.append((batch.observations[several], batch.masks[several], wins[several]))
            actions = legal_scores(network.scores(batch.observations).actions, batch.masks).argmax(axis=1)
            explored = self._dice.random(SLOTS) < EXPLORED
            self._step(np.where(explored, _any_legal(batch.masks, self._dice), actions))
        return found

    def _fit(self, rate: float) -> float:
        """Fit the net to decisions that are kept, until each was used often enough. Returns the mean error."""
        assert self._search
        network, errors = self._net.network, []
        expected = partial(_reward_of_share, self.batch.players) if self.batch.reward is Reward.WIN else np.asarray
        while self._owed >= SLOTS:
            self._owed -= SLOTS
            observations, masks, wins = self._memory.sample(SLOTS, self._samples)
            (scores, value), activations = network.forward(observations)
            shares = wins / np.float32(self._search.world_count) / self._unit
            slopes = fit_slopes(scores, value, masks, shares, expected)
            self._descent.step(network.gradients(activations, *slopes), rate)
            errors.append(fit_error(slopes[0], masks))
        return sum(errors) / len(errors) if errors else nan

    # ---------------------------------------------------------------- from games

    def _learn_from_games(self, rate: float) -> float:
        """Play some decisions of each slot by chance, and learn from those whose game has ended. Returns the loss."""
        observations, masks, actions, before, values, rewards, known = self._played()
        rows = known.nonzero()[0]
        if len(rows) < SLOTS:
            return nan
        gain = rewards - values
        loss = float(np.sqrt(np.square(gain[rows]).mean()))
        gain = (gain - gain[rows].mean()) / (gain[rows].std() + np.float32(1e-6))
        network = self._net.network
        for _ in range(PASSES):
            order = self._dice.permutation(rows)
            for first in range(0, len(order) - SLOTS + 1, SLOTS):
                each = order[first : first + SLOTS]
                (scores, value), activations = network.forward(observations[each])
                slopes = gain_slopes(scores, masks[each], actions[each], before[each], gain[each])
                error = (value - rewards[each]) / np.float32(len(each))
                self._descent.step(network.gradients(activations, slopes, error), rate)
        return loss

    def _played(self) -> tuple[Array, ...]:
        """Decisions of the net, chosen at random by their scores, a row for each: observations, masks, what was chosen,
        with what chance, the rewards that were expected, those at the end of the game, and whether it is known: the
        game has ended, and more than one action was legal.
        """
        batch, network = self.batch, self._net.network
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


def train(
    game: str | type[Game],
    players: int,
    *,
    games: int,
    seed: int = 0,
    others: Players = None,
    settings: TrainingSettings | None = None,
    start: Net | None = None,
    notify: Notify | None = None,
) -> Net:
    """Return a net that has learned from at least `games` games.

    game: a class or a registered name. players: how many. seed: of the games and of the training. others: the other
    players, as for `Batch`, by default the first policy of the game; "self": the net plays against itself. settings:
    how it learns. start: a net that learns more, by default a new one. notify: called when machine code has to be
    compiled. Raises ValueError, UnsupportedGame; MissingExtra.
    """
    games = as_int("games", games, 1)
    trainer = Trainer(game, players, seed=seed, others=others, settings=settings, start=start, notify=notify)
    for _ in trainer.rounds(games):
        pass
    return trainer.net.rounded()


def _check_start(net: Net, game: Declaration, players: int, settings: TrainingSettings) -> str:
    """What a net plays for that learns more. Raises ValueError for one that cannot, with these settings."""
    if not net.plays(game, players):
        learned = f"a net for {net.game.name} with {net.players} players"
        raise ValueError(f"{learned} cannot learn {game.name} with {players} players; use one for that game")
    if settings.hidden not in (None, net.hidden):
        raise ValueError(f"hidden: {settings.hidden} with a net of width {net.hidden}; leave the width out")
    if settings.rewards is not None and Reward.named(game, settings.rewards) != net.rewards:
        raise ValueError(f"rewards: {settings.rewards} with a net that plays for {net.rewards}; leave the reward out")
    return str(net.rewards)


def _seed_after(seed: int, games: int) -> int:
    """The seed of the games of a training after so many: none of them is a game that the net has learned from."""
    if not games:
        return seed
    return int(np.random.SeedSequence([seed, games]).generate_state(1, np.uint64)[0]) & FRESH


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
