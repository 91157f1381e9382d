"""A small network of two hidden layers: scores of actions and the expected reward, its gradients, and their descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fsm.edge.numbers import Array, np

NEVER = -1e9
"""The score of an illegal action."""


class Scores(NamedTuple):
    """What a network computes for observations, a row for each.

    actions: a score for each action, the higher the likelier. value: the expected reward of the seat.
    """

    actions: Array
    value: Array


@dataclass(frozen=True, eq=False)
class Network:
    """Weights: `scale` multiplies the numbers of an observation, `layers` are matrices and offsets in turn.

    All arrays are float32, except for those of `precise`. The last column of the last layer is the expected reward, the
    others are the actions.
    """

    scale: Array
    layers: tuple[Array, ...]

    @classmethod
    def initial(cls, scale: Array, hidden: int, actions: int, dice: np.random.Generator) -> Network:
        """A network with random hidden layers (K. He and others 2015, arXiv:1502.01852), whose scores are all zero."""
        layers: list[Array] = []
        for before, after in ((len(scale), hidden), (hidden, hidden)):
            layers += [dice.standard_normal((before, after), np.float32) * np.float32((2 / before) ** 0.5)]
            layers += [np.zeros(after, np.float32)]
        layers += [np.zeros((hidden, actions + 1), np.float32), np.zeros(actions + 1, np.float32)]
        return cls(scale, tuple(layers))

    def copy(self) -> Network:
        """The same network in arrays of its own, which can be changed."""
        return Network(self.scale, tuple(layer.copy() for layer in self.layers))

    def precise(self) -> Network:
        """The same network in numbers of 64 bits."""
        return Network(self.scale.astype(float), tuple(layer.astype(float) for layer in self.layers))

    def scores(self, observations: Array) -> Scores:
        """The scores for observations of bytes, shape (rows, width)."""
        return self.forward(observations)[0]

    def forward(self, observations: Array) -> tuple[Scores, list[Array]]:
        """The scores, and what their gradients need: the input of each layer."""
        inputs = [observations * self.scale]
        for index in range(0, len(self.layers) - 2, 2):
            row = inputs[-1] @ self.layers[index]
            row += self.layers[index + 1]
            inputs.append(np.maximum(row, 0, out=row))
        out = inputs[-1] @ self.layers[-2]
        out += self.layers[-1]
        return Scores(out[:, :-1], out[:, -1]), inputs

    def gradients(self, inputs: list[Array], actions: Array, value: Array) -> tuple[Array, ...]:
        """The derivatives of a loss by `layers`, from those by the scores of the actions and by the expected reward."""
        found: list[Array] = []
        back = np.concatenate([actions, value[:, None]], axis=1)
        for index in range(len(self.layers) - 2, -1, -2):
            given = inputs[index // 2]
            found[:0] = [given.T @ back, back.sum(axis=0)]
            if index:
                back = back @ self.layers[index].T
                back *= given > 0
        return tuple(found)


class Adam:
    """Descent by D. Kingma and J. Ba 2014 (arXiv:1412.6980); changes the layers of a network in place."""

    def __init__(self, network: Network) -> None:
        self._layers = network.layers
        self._means = [np.zeros_like(layer) for layer in self._layers]
        self._squares = [np.zeros_like(layer) for layer in self._layers]
        self._steps = 0

    def step(self, gradients: tuple[Array, ...], rate: float) -> None:
        """Go down along the gradients."""
        self._steps += 1
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for index, gradient in enumerate(gradients):
            mean, square = self._means[index], self._squares[index]
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            step = np.float32(rate / first) * mean / (np.sqrt(square / np.float32(second)) + np.float32(1e-6))
            np.subtract(self._layers[index], step, out=self._layers[index])


def legal_scores(scores: Array, masks: Array) -> Array:
    """The scores of actions, with `NEVER` for illegal ones."""
    return np.where(masks != 0, scores, NEVER)


def chances(scores: Array, masks: Array) -> Array:
    """The chances of actions by their scores: 0 for illegal ones."""
    legal = legal_scores(scores, masks)
    legal -= legal.max(axis=1, keepdims=True)
    np.exp(legal, out=legal)
    legal /= legal.sum(axis=1, keepdims=True)
    return legal
