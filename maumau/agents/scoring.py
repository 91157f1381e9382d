"""Actions chosen by a network for many observations, in one thread (`maumau.agents.compiled.scoring`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from maumau.agents.actions import action_space
from maumau.agents.arrays import Array, np
from maumau.agents.compiled.scoring import choose
from maumau.agents.layout import MOST, layout
from maumau.kernels.compiler.machine_code import machine_code, numbers
from maumau.kernels.compiler.naming import Source
from maumau.kernels.compiler.program import Program

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration


@runtime_checkable
class Scorer(Protocol):
    """A network of three layers for a game with a number of players."""

    @property
    def game(self) -> Declaration:
        """The game that it plays."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def hidden(self) -> int:
        """The width of both hidden layers."""

    @property
    def weights(self) -> Array:
        """Matrices and offsets of the layers in a row, as 32-bit numbers; the last matrix has a row for each action."""


def best_actions(scorer: Scorer, observations: Array, masks: Array) -> tuple[Array, Array]:
    """The legal action with the highest score for each row, and its lead over the next one as a part of the largest.

    Raises TypeError or ValueError for arrays of other numbers or shapes, BulkMissing without llvmlite.
    """
    rows, width = len(observations), layout(scorer.game, scorer.players).width
    actions, leads = numbers(rows), np.zeros(rows, np.float32)
    seen = _as_bytes("observations", observations, (rows, width))
    legal = _as_bytes("masks", masks, (rows, len(action_space(scorer.game))))
    machine_code(CHOOSING)(seen, legal, scorer.hidden, scorer.weights, room_for(scorer), actions, leads)
    return actions, leads


def _as_bytes(what: str, array: Array, shape: tuple[int, ...]) -> Array:
    """An array as bytes that lie in one piece: machine code is given its address. Raises TypeError or ValueError."""
    given = np.asarray(array)
    if given.shape != shape:
        raise ValueError(f"{what} of shape {given.shape}, expected {shape}")
    if given.dtype.kind not in "biu":
        raise TypeError(f"{what} of {given.dtype}, expected whole numbers")
    if given.dtype != np.uint8 and ((given < 0) | (given > MOST)).any():
        raise ValueError(f"{what} with numbers from {given.min()} to {given.max()}, expected 0 to {MOST}")
    return np.ascontiguousarray(given, np.uint8)


def room_for(scorer: Scorer) -> Array:
    """The memory that `best_action` works in."""
    return np.zeros(2 + 2 * scorer.hidden, np.float32)


def no_scorer() -> tuple[Any, ...]:
    """Warm-up arguments in place of the width of the hidden layers, the weights and the memory."""
    return 0, np.zeros(0, np.float32), np.zeros(2, np.float32)


def _no_rows(subject: None) -> tuple[Any, ...]:
    seen = (np.zeros((0, 1), np.uint8) for _ in range(2))
    return *seen, *no_scorer(), numbers(0), np.zeros(0, np.float32)


CHOOSING = Program("choose", lambda subject: Source("", {"choose": choose}), None, _no_rows)
"""Chooses actions. It depends on the weights and the widths that it is given only, not on a game."""
