"""What the programs that search are generated for."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Arc
from maumau.agents.batch_source import BatchPlan


@dataclass(frozen=True)
class SearchPlan(BatchPlan):
    """What a program that searches is generated for: `policies` are those by which games are played out.

    players: the number of players. by_net: whether a net chooses for the seat that searches. by_tree: whether games are
    played through a tree.
    """

    by_net: bool = False
    by_tree: bool = False

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """Nothing is noted in games that are played again, or out by policies."""
        return super().noted(arc) if self.by_net else ()

    @property
    def keeps_positions(self) -> bool:
        """Positions that return are not looked for in games that are played out: these end at the horizon."""
        return False
