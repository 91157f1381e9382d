"""Players that choose by what their seat observes, so that they can choose in many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsm.declaration.arcs import Policy
from fsm.declaration.policy import SideBySide, SteppedPolicy
from maumau.agents.actions import action_space, check_actions
from maumau.agents.arrays import Array, np
from maumau.agents.hands import UnsupportedGame
from maumau.agents.layout import layout
from maumau.agents.observed import Observed

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration
    from maumau.kernels.compiler.machine_code import Notify


class ObservingPolicy(SteppedPolicy):
    """A policy that chooses by the observation of the seat that acts and by the legal actions.

    A class that derives from it says how in `choose_actions`, for many games at once. name, description: as of any
    policy. choices: none. content: a hash of the file that it comes from, if it was admitted from one.

    >>> import numpy as np
    >>> from fsm import MauMau
    >>> class Eager(ObservingPolicy):
    ...     def choose_actions(self, players, observations, masks):
    ...         return masks.argmax(axis=1)  # the legal action with the smallest number
    >>> MauMau.deal(2, seed=7, policies=(Eager("eager"), "house")).run().winner
    2
    """

    def choose_actions(self, players: int, observations: Array, masks: Array) -> Array:
        """The action for each row of `observations` and `masks`, which are those of `Batch`, in games of `players`.

        Returns integers, shape (rows,). Each must depend on its own row alone.
        """
        raise NotImplementedError

    def actions(self, players: int, observations: Array, masks: Array) -> Array:
        """What `choose_actions` chooses, whatever it writes into the masks.

        players: how many. observations: a row for each game. masks: 1 for each legal action, a row for each game.
        Raises IllegalMove for an action that is not legal, and what `choose_actions` raises, by way of `guard`.
        """
        with self.guard():
            chosen = self.choose_actions(players, observations, masks.copy())
            check_actions(self.name, chosen, masks)
        return chosen

    def choose(self, game: Any) -> Any:
        """The move that it chooses in `game`, a stepped one."""
        observed = Observed(game)
        observation, mask = (
            np.array([[*line]], np.uint8) for line in (observed.observation(observed.seat), observed.mask())
        )
        (action,) = self.actions(game.players, observation, mask)
        return observed.actions.move(int(action), game.player, game.players)

    def side_by_side(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> SideBySide | None:
        """What plays the games of such policies and of those of the game; None with others, and without llvmlite.

        game: the declaration. players: how many. policies: that of each seat. seed: of the decks and the dice. notify:
        called when machine code has to be compiled.
        """
        from fsm.edge.extras import missing_packages
        from maumau.agents.batch import BatchedGames

        if not all(isinstance(policy, ObservingPolicy) or policy in game.policies for policy in policies):
            return None
        if missing_packages("many games", "bulk", "llvmlite", "numpy"):
            return None
        try:
            action_space(game), layout(game, players)
        except UnsupportedGame:
            return None
        return BatchedGames(game, players, policies, seed, notify)
