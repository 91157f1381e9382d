"""Who plays the seats in games that are played out: policies of the game in machine code, and nets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.rewards import Reward
from fsm.edge.arrays import Array2D, allocate
from fsm.edge.numbers import np
from maumau.agents.compiled.batches import LEARNING
from maumau.agents.compiled.scoring import NetWeights
from maumau.agents.compiled.worlds import Others, PlayoutMeans, TreeArrays
from maumau.agents.nets.net import Net
from maumau.agents.nets.policy import NetPolicy
from maumau.agents.opponents import Opponents, Players
from maumau.agents.plan import AgentPlan


@dataclass(frozen=True)
class PlayoutSeats:
    """Who plays.

    policies: what the program chooses by; the first judges what the others have done, the last is that of the seat that
    searches, unless it chooses `by_net`. net: this one. draws_others: whether who plays the other seats is drawn for
    each world, or a net plays there. others: who plays there then.
    """

    policies: tuple[Policy, ...]
    by_net: bool
    net: NetWeights
    draws_others: bool
    others: Others

    @classmethod
    def of(cls, game: Declaration, players: int, own: str | Net | None, others: Players | None) -> PlayoutSeats:
        """Find who plays. own, others: as for `maumau.Search`. Raises TypeError, ValueError."""
        rivals = Opponents(game, players, game.policies[0] if others is None else others)
        nets = _nets_of(game, players, rivals)
        net = own if isinstance(own, Net) else None
        if nets and own is None and not rivals.compiled:
            net = nets[0]
        if net and not net.plays(game, players):
            trained = f"{net.game.name} with {net.players} players"
            raise ValueError(f"a net for {trained}; use one for {game.name} with {players} players")
        policies = rivals.compiled or game.policies[:1]
        if net is None:
            policy = game.seated(players, own, compiled=True)[0] if isinstance(own, str) else policies[0]
            policies += (policy,) * (policies[-1] != policy)
        who = rivals.seats(None)
        drawn = Others(np.maximum(who.players, LEARNING), who.bounds, _weights(nets[0] if nets else None))
        return cls(policies, net is not None, _weights(net), rivals.only is None, drawn)

    def plan(self, game: Declaration, players: int, reward: Reward, by_tree: bool) -> AgentPlan:
        """Return what the programs of a search are generated for."""
        how = {"by_net": self.by_net, "by_tree": by_tree, "draws_others": self.draws_others, "searches": True}
        return AgentPlan(game, self.policies, players, reward, **how)

    def means(self, seed: int, tree: TreeArrays | None, saved: Array2D[np.uint8] | None) -> PlayoutMeans:
        """Return by what games are played out, with memory of its own.

        seed, tree, saved: as of `PlayoutMeans`; None without a tree, and where nothing is saved.
        """
        no_tree, not_saved = self._nothing
        own = LEARNING if self.by_net else len(self.policies) - 1 + self.draws_others
        others = self.others._replace(net=_with_room(self.others.net))
        return PlayoutMeans(
            own, others, seed, _with_room(self.net), tree or no_tree, not_saved if saved is None else saved
        )

    @cached_property
    def _nothing(self) -> tuple[TreeArrays, Array2D[np.uint8]]:
        """No tree, and no room for tables."""
        return allocate(TreeArrays), np.zeros((0, 1), np.uint8)


def _weights(net: Net | None) -> NetWeights:
    """The weights of a net, or none."""
    return net.workspace() if net else allocate(NetWeights)


def _with_room(net: NetWeights) -> NetWeights:
    """The same weights, with memory of its own."""
    return net._replace(room=net.room.copy())


def _nets_of(game: Declaration, players: int, others: Opponents) -> list[Net]:
    """The net among those who play the other seats. Raises ValueError for players that cannot play games out."""
    nets = []
    for policy in others.asked:
        if not isinstance(policy, NetPolicy):
            game.seated(players, [policy], compiled=True)
        else:
            nets.append(policy.nets[players])
    if len(nets) > 1:
        raise ValueError(f"others: {len(nets)} nets; use one of them, and policies of the game")
    return nets
