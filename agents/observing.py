"""Players that choose by what their seat observes, so that they can choose in many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents.actions import action_space
from agents.hands import UnsupportedGame
from agents.layout import layout
from fsm.arcs import Policy
from fsm.policy import SideBySide, SteppedPolicy

if TYPE_CHECKING:
    import numpy as np

    from fsm.compiler.kernel import Notify
    from fsm.declaration import Declaration

    Array = np.ndarray[Any, Any]


class ObservingPolicy(SteppedPolicy):
    """A policy that chooses by the observation of the seat that acts and by the legal actions.

    `choose` must choose what `choose_actions` does.
    """

    def choose_actions(self, players: int, observations: Array, masks: Array) -> Array:
        """The action for each row of observations and masks, which are those of `agents.Batch`."""
        raise NotImplementedError

    def side_by_side(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> SideBySide | None:
        """What plays the games of such policies and of those of the game; None with others, and without numba."""
        from agents.runner import BatchedGames
        from fsm.extras import missing_packages

        if not all(isinstance(policy, ObservingPolicy) or policy in game.policies for policy in policies):
            return None
        if missing_packages("many games", "bulk", "numba", "numpy"):
            return None
        try:
            action_space(game), layout(game, players)
        except UnsupportedGame:
            return None
        return BatchedGames(game, players, policies, seed, notify)
