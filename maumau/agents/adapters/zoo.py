"""Games as PettingZoo environments in which the agents act in turn (AEC). Needs the extra `pettingzoo`.

from maumau.agents.adapters.zoo import CardGameAEC
env = CardGameAEC("maumau", players=3)
"""

from __future__ import annotations

from typing import Any

from fsm import Game
from fsm.edge.extras import naming_extras
from fsm.edge.numbers import as_int, np, of_type, seed_number
from maumau.agents.actions import LIMIT
from rules.notation import shown

with naming_extras("the PettingZoo adapter", "pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

    from maumau.agents.adapters.gym import FRESH, OneGame, seen_space

BY_RESET = "agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"
"""The attributes that an environment gets when it is reset."""


class CardGameAEC(OneGame, AECEnv):
    """Make an agent of each seat: `player_1`, `player_2` and so on. What nobody chooses happens by itself.

    An observation is a dict of `observation`, the numbers of the layout, and `action_mask`, 1 for each legal action,
    which is also in the info of the agent that acts. With `flat` it is the array of numbers alone.
    `layout` says what the numbers mean.
    `reset(seed=s)` deals game 0 of seed s, and each reset without a seed the next one. An illegal action raises
    IllegalMove with the reason, and nothing moves.
    """

    def __init__(
        self,
        game: str | type[Game],
        players: int = 3,
        limit: int = LIMIT,
        render_mode: str | None = None,
        rewards: str | None = None,
        *,
        flat: bool = False,
        events: int = 0,
    ) -> None:
        """Make an environment, which deals its first game when it is reset.

        limit: events that players choose before a game is truncated. rewards: as for `maumau.Batch`; `reward` says
        which they are. flat: whether an observation is an array, without the mask. events: how many of the last events
        are observed, as for `maumau.layout`. Raises TypeError, ValueError.
        """
        super().__init__()
        self._describe(game, players, limit, render_mode, rewards, flat, events)
        self.metadata["is_parallelizable"] = False
        self.possible_agents = [f"player_{player}" for player in range(1, self.players + 1)]
        self._play(None, None)
        self._fresh: int | None = int(np.random.default_rng().integers(FRESH))
        space = seen_space(self.layout.width, len(self._actions), self.flat)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(len(self._actions)) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError: say that `reset` comes first, for what it sets."""
        if name in BY_RESET:
            raise AttributeError(f"{type(self).__name__}.{name}: no game is dealt yet; call reset first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the observations of an agent: the same object at every call.

        Raises TypeError or ValueError for an agent that the environment does not have.
        """
        self._check_agent(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the actions of an agent: the same object at every call.

        Raises TypeError or ValueError for an agent that the environment does not have.
        """
        self._check_agent(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next game, or game 0 of `seed`. Raises TypeError or ValueError."""
        first = self._fresh if seed is None else seed_number("seed", seed)
        if first is not None:
            self._one.start(first)
            if self._one.over:
                self._one.following()
        else:
            self._one.following()
        self._fresh = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _check_agent(self, agent: str) -> None:
        """Raise TypeError or ValueError for an agent that the environment does not have."""
        of_type("agent", agent, str, "the name of an agent")
        if agent not in self.possible_agents:
            raise ValueError(f"unknown agent {shown(agent)}; use one of {', '.join(self.possible_agents)}")

    def _select(self) -> None:
        """Select the agent that acts, whose info has what is legal."""
        self.agent_selection = self.possible_agents[self._one.seat]
        self.infos[self.agent_selection] = {"action_mask": self._one.mask()}

    def observe(self, agent: str) -> Any:
        """Return what an agent sees and knows. The mask of an agent that does not act is 0.

        Raises TypeError or ValueError for an agent that the environment does not have; AttributeError before `reset`.
        """
        self._check_agent(agent)
        return self._seen(self.possible_agents.index(agent), agent in self.agents)

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent.

        Raises IllegalMove; TypeError for anything but a whole number; AttributeError before `reset`.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._one.act(as_int("action", action))  # type: ignore[arg-type]  # None is refused here
        self.infos[agent] = {}
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        over, truncated = self._one.over, self._one.truncated
        if over:
            self.rewards = dict(zip(self.possible_agents, self._one.returns(self.reward), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._accumulate_rewards()
        if not (over or truncated):
            self._select()
        else:
            self._deads_step_first()

    def close(self) -> None:
        """Nothing is open."""
