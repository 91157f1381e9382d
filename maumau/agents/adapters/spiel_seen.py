"""What observers of OpenSpiel write: what a player sees, all that a player has seen, and what everybody sees."""

from __future__ import annotations

from typing import Any

from fsm.edge.extras import naming_extras
from fsm.edge.numbers import Array, np
from fsm.stepping.information import information_state
from maumau.agents.adapters.spiel_state import DEALING, SpielState
from maumau.agents.deals import DealtKind
from maumau.agents.layout import layout, public_places

with naming_extras("the OpenSpiel adapter"):
    import pyspiel

MOST_DECISIONS = 100
"""The greatest limit of a game whose information states have tensors: these grow with it."""


class Observer:
    """Write what a player sees into an array of floating-point numbers, or return it as a text.

    Without the public part, this is what nobody else sees. With perfect recall, it is all that a player has seen: which
    player it is, and what it observed at each decision, including those of others. What everybody has seen has a text,
    but no array.
    """

    def __init__(self, given: DealtKind, wanted: Any) -> None:
        """Make the arrays. wanted: the type of the observations. Raises ValueError for an unknown one."""
        self._remembers, shape = bool(wanted and wanted.perfect_recall), tensor_shape(given)
        private = wanted.private_info if wanted else pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = private == pyspiel.PrivateInfoType.NONE
        self._private = bool(wanted) and not wanted.public_info
        if private == pyspiel.PrivateInfoType.ALL_PLAYERS or (self._private and (self._public or self._remembers)):
            use = "use what is public, what one player sees, or the private part of that without perfect recall"
            raise ValueError(f"unknown type of observations: {wanted}; {use}")
        plain = layout(given.kind.declaration, given.players)
        self._places = np.array(public_places(plain)) != self._private
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if not self._remembers:
            self.tensor = np.zeros(plain.width, np.float32)
            self.dict = {"observation": self.tensor}
        elif shape and not self._public:
            self.tensor = np.zeros(given.players + shape[0] * shape[1], np.float32)
            player, decisions = np.split(self.tensor, [given.players])
            self.dict = {"player": player, "decisions": decisions.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees and knows, or has seen, into the arrays."""
        tensor = self.tensor
        if tensor is None:
            return
        if self._remembers:
            tensor[:] = 0
            self.dict["player"][player] = 1
            for row, seen in zip(self.dict["decisions"], state.past_observations(player), strict=False):
                row[:] = seen
            return
        whole = state.observation(None if self._public else player)
        tensor[:] = 0 if whole is None else whole
        if self._public or self._private:
            tensor *= self._places

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position as a seat or everybody sees it, or what only the seat sees; or all that was seen."""
        observed = state.observed
        if observed is None:
            return DEALING
        if self._public:
            return information_state(observed.game, None, remembers=self._remembers)
        seen = state.information_state_string(player) if self._remembers else state.observation_string(player)
        if not self._private:
            return seen
        words = zip(seen.split(" "), information_state(observed.game, None, remembers=False).split(" "), strict=True)
        return " ".join(own for own, shown in words if own != shown)


def tensor_shape(given: DealtKind) -> tuple[int, int] | None:
    """Return the shape of a tensor of an information state: a row for each decision. None where games may be long."""
    if given.limit > MOST_DECISIONS:
        return None
    return given.limit + 1, layout(given.kind.declaration, given.players, events=1).width
