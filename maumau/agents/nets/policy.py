"""Players who choose by a net."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fsm.edge.numbers import Array
from fsm.hashes import code_hash
from maumau.agents.nets.net import Net
from maumau.agents.observed import ObservingPolicy


@dataclass(frozen=True, eq=False)
class NetPolicy(ObservingPolicy):
    """A player who has learned. nets: by the number of players."""

    nets: Mapping[int, Net] = field(kw_only=True)

    def choose(self, game: Any) -> Any:
        """The move with the highest score."""
        return self.nets[game.players].best(game)

    def choose_actions(self, players: int, observations: Array, masks: Array) -> Array:
        """The actions with the highest scores."""
        return self.nets[players].actions(observations, masks)

    def check_players(self, players: int) -> None:
        """Raise ValueError unless there is a net for so many players."""
        if players not in self.nets:
            trained = " or ".join(map(str, self.nets))
            raise ValueError(
                f"policy {self.name}: it has learned to play with {trained} players; use a net for {players}"
            )

    @cached_property
    def digest(self) -> str:
        """A hash of the nets."""
        return code_hash(*(net.digest for net in self.nets.values()))
