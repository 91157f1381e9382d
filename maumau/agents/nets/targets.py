"""What nets learn from: decisions with the worth of each move, and the derivatives of what they are to become."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from fsm.edge.numbers import Array, np
from maumau.agents.nets.layers import chances, legal_scores

SCALE = 30
"""The score of a move that wins all games, above that of one that wins none."""
KEPT = 1 << 17
"""Searched decisions that are kept."""
CLIPPED, ENTROPY = 0.2, 0.002
"""How much likelier a move may become in a round; the weight of the entropy of the choice."""
WEIGHT = 0.2
"""The weight of the error of the scores, beside that of the expected reward."""


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
    return differing * legal * (np.float32(WEIGHT) / rows), (value - expected) / rows


def fit_error(slopes: Array, masks: Array) -> float:
    """Return how far scores are from the shares of wins: the root of the mean square over the legal moves, in shares.

    slopes: the derivatives by the scores, as of `fit_slopes`. masks: 1 for each legal move.
    """
    squares = float(np.vdot(slopes, slopes)) * (len(slopes) / (WEIGHT * SCALE)) ** 2
    return sqrt(squares / max(int(masks.sum()), 1))


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
