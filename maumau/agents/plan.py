"""What the programs of agents are generated for."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.rewards import Reward
from maumau.agents.actions import action_space, names_repeat
from maumau.agents.layout import ObservationLayout, layout, observing
from maumau.kernels.compiler.numbered import ActionPlan


@dataclass(frozen=True)
class AgentPlan:
    """What a program in which agents choose is generated for.

    policies: those of the seats that do not learn, or by which games are played out. players: the number of players.
    reward: what they play for. tally: whether transitions and decision rules are counted. searches: whether it plays
    games out, else it steps them side by side; by_net: whether a net chooses then for the seat that searches; by_tree:
    whether games are played through a tree; draws_others: whether who plays the other seats is drawn for each world,
    and may be a net. memory, events: as for `layout`.
    """

    game: Declaration
    policies: tuple[Policy, ...]
    players: int = 2
    reward: Reward = Reward.WIN
    tally: bool = False
    searches: bool = False
    by_net: bool = False
    by_tree: bool = False
    draws_others: bool = False
    memory: bool = True
    events: int = 0

    @property
    def layout(self) -> ObservationLayout:
        """What is observed."""
        return layout(self.game, self.players, self.memory, self.events)

    @property
    def keeps_positions(self) -> bool:
        """Whether the positions of a game are kept, because one that returns ends it. Games that are played out end at
        the horizon.
        """
        return self.game.return_ends and not self.searches

    def kept(self, limit: int) -> int:
        """Return for how many positions of a game of `limit` choices there is room: one for each, and one more."""
        return limit + 1 if self.keeps_positions else 0

    @property
    def keeps_notes(self) -> bool:
        """Whether notes are kept; nothing is noted in games that one policy for all others plays out."""
        return self.by_net or self.draws_others or not self.searches

    @property
    def loops(self) -> ActionPlan:
        """What loops over numbered actions are written for."""
        return ActionPlan(
            self.policies,
            action_space(self.game),
            observing(self.layout),
            tally=self.tally,
            notes=self.keeps_notes,
            keeps_positions=self.keeps_positions,
            names_repeat=names_repeat(self.game),
        )
