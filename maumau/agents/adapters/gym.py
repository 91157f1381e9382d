"""One seat of a game, or of many games, as a Gymnasium environment. Needs the extra `gymnasium`.

from maumau.agents.adapters.gym import OneSeat, ManyGames
env = OneSeat("maumau", players=3, others="house")
envs = ManyGames("maumau", players=3, num_envs=1024, seed=7, others="house")

Importing this module registers the built-in games in Gymnasium. A name that begins with the module imports it:
`gymnasium.make("maumau.agents.adapters.gym:maumau/MauMau-v0", players=3)`, or `make_vec` with `num_envs=1024`.
"""

from __future__ import annotations

from typing import Any

from fsm import Game, IllegalMove, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.rewards import Reward
from fsm.edge.extras import naming_extras
from fsm.edge.numbers import as_bool, as_int, np
from fsm.registry import BUILT_IN
from maumau.agents.actions import LIMIT, action_space
from maumau.agents.adapters.single import BatchedOne, SteppedOne, one_game
from maumau.agents.batch import MOST, Batch, Decisions
from maumau.agents.layout import layout
from maumau.agents.observed import Observed
from maumau.agents.opponents import Players
from rules.notation import shown

with naming_extras("the Gymnasium adapter"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv

FRESH = 2**62
"""Fresh seeds are below this."""
PATIENCE = 10_000
"""Games in a row without a decision of the player who learns after which `OneSeat` gives up."""
RENDER_MODES = ["ansi"]
"""How environments are rendered: as text."""
VERSION = "v0"
"""The version of environments, which their names end with."""
Seen = Any
"""A dict of `observation` and `action_mask`; with `flat`, the observation alone."""


def metadata_for(game: Declaration, **more: Any) -> dict[str, Any]:
    """Return the metadata of an environment: the name of the game with its house rules and the version, and `more`."""
    return {"name": f"{game.name}_{VERSION}", **more}


class OneGame:
    """The base of environments of one game; see `OneSeat`."""

    _one: SteppedOne | BatchedOne

    def _describe(
        self,
        game: str | type[Game],
        players: int,
        limit: int,
        render_mode: str | None,
        rewards: str | None,
        flat: bool,
        events: int,
    ) -> None:
        """Note the arguments of an environment. Raises TypeError, ValueError."""
        self.kind, self.flat = game_class(game), as_bool("flat", flat)
        self.metadata = metadata_for(self.kind.declaration, render_modes=RENDER_MODES)
        self.players = self.kind.declaration.player_count(players)
        self.layout = layout(self.kind.declaration, self.players, events=events)
        self.reward = Reward.named(self.kind.declaration, rewards)
        self.limit, self.render_mode = as_int("limit", limit, 1, MOST), render_mode
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"unknown render_mode {shown(render_mode)}; use one of {', '.join(RENDER_MODES)}")

    def _play(self, others: Players, learner: int | None) -> None:
        """Make what plays the games. others: None where all seats learn. learner: the seat that learns, from 0."""
        events, self._actions = self.layout.events, action_space(self.kind.declaration)
        self._one = one_game(self.kind, self.players, others, learner, self.limit, self.reward, events)

    @property
    def observed(self) -> Observed:
        """Return the stepped game with its history. Reading this property steps the game as far as it has come."""
        return self._one.observed

    def render(self) -> str:
        """Return the game as text, on several lines."""
        return str(self.observed.game)

    def _seen(self, seat: int, asked: bool = True) -> Seen:
        """Return what a seat sees and knows. Nothing is legal in the mask, unless the seat acts and is `asked`."""
        observation = self._one.observation(seat)
        return observation if self.flat else {"observation": observation, "action_mask": self._mask(seat, asked)}

    def _mask(self, seat: int, asked: bool = True) -> Any:
        if asked and self._one.seat == seat:
            return self._one.mask()
        return np.zeros(len(self._actions), np.int8)


class OneSeat(OneGame, gymnasium.Env[Seen, int]):
    """Let one player learn against others; what nobody chooses happens by itself.

    An observation is a dict of `observation`, the numbers of the layout, and `action_mask`, 1 for each legal action,
    which is also in the info. With `flat` it is the array of numbers alone, for wrappers that want arrays. `layout`
    says what the numbers mean. An illegal action ends the game with the reward -1, whatever the rewards are, and
    `info["illegal"]` says why.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES}  # noqa: RUF012  # each environment has its own

    def __init__(
        self,
        game: str | type[Game],
        players: int = 3,
        player: int = 1,
        others: Players = (),
        limit: int = LIMIT,
        render_mode: str | None = None,
        rewards: str | None = None,
        *,
        flat: bool = False,
        events: int = 0,
    ) -> None:
        """Make an environment, which deals its first game when it is reset.

        player: who learns, from 1. others: as for `maumau.Batch`, by default the first policy of the game. limit:
        events that players choose before a game is truncated. rewards: as for `maumau.Batch`; `reward` says which they
        are. flat: whether an observation is an array, without the mask. events: how many of the last events are
        observed, as for `maumau.layout`. Raises TypeError, ValueError.
        """
        self._describe(game, players, limit, render_mode, rewards, flat, events)
        self.seat, self.others = as_int("player", player, 1, self.players) - 1, others
        self._play(others, self.seat)
        self.observation_space = seen_space(self.layout.width, len(self._actions), self.flat)
        self.action_space = spaces.Discrete(len(self._actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a game by the generator of the environment, which `seed` starts again, up to a decision of the player.

        Raises TypeError or ValueError, also if the player never decides anything.
        """
        super().reset(seed=None if seed is None else as_int("seed", seed, 0))
        for _ in range(PATIENCE):
            self._one.start(int(self.np_random.integers(FRESH)))
            if self._one.number == 0 and not (self._one.over or self._one.truncated):
                return self._report()
        raise ValueError(f"{self.kind.declaration.name}: player {self.seat + 1} decided nothing in {PATIENCE:,} games")

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an action, and go on to the next decision. Raises TypeError for anything but a whole number."""
        try:
            self._one.act(action)
        except IllegalMove as error:
            seen, info = self._report()
            return seen, -1.0, True, False, info | {"illegal": str(error)}
        over = self._one.over
        reward = self._one.returns(self.reward)[self.seat] if over else 0.0
        seen, info = self._report()
        return seen, reward, over, self._one.truncated, info

    def action_masks(self) -> Any:
        """Return which actions are legal, as the MaskablePPO of sb3-contrib asks for it: bool, shape (actions,)."""
        return self._mask(self.seat).astype(bool)

    def _report(self) -> tuple[Seen, dict[str, Any]]:
        """Return the observation and the info of the player who learns."""
        return self._seen(self.seat), {"action_mask": self._mask(self.seat)}


class ManyGames(VectorEnv[Seen, Any, Any]):
    """Play a batch of games in which one player learns, as a vector environment.

    Where a game ends, the next one begins in the same step. `infos["final_obs"]` then has the observation of the end,
    with a mask of zeros. The masks are also in `infos["action_mask"]`. With `flat` an observation is the array of
    numbers alone. `layout` says what the numbers mean. An illegal action raises IllegalMove before any game moves. The
    caller owns all arrays that are returned.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # each has its own

    def __init__(
        self,
        game: str | type[Game],
        players: int = 3,
        num_envs: int = 1024,
        seed: int = 0,
        *,
        player: int = 1,
        others: Players = (),
        rewards: str | None = None,
        limit: int = LIMIT,
        threads: int = 1,
        flat: bool = False,
        events: int = 0,
    ) -> None:
        """Deal the first game of each environment.

        player: who learns, from 1. others: by default the first policy of the game. num_envs: slots of the batch. flat:
        whether an observation is an array, without the mask. The other arguments are those of `maumau.Batch`. Raises
        what `maumau.Batch` raises.
        """
        self.flat = as_bool("flat", flat)
        self.player = as_int("player", player, 1, game_class(game).declaration.player_count(players))
        options: Any = {"rewards": rewards, "limit": limit, "threads": threads, "events": events}
        self.batch = Batch(game, players, num_envs, seed, others=others, learner=player, **options)
        self.reward, self.layout = self.batch.reward, self.batch.layout
        self.metadata = metadata_for(self.batch.kind.declaration, autoreset_mode=AutoresetMode.SAME_STEP)
        self._dealt = False
        self.num_envs = self.batch.slots
        actions = len(self.batch.actions)
        self.single_observation_space = seen_space(self.layout.width, actions, self.flat)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal the next games, or the first ones of `seed`. Raises TypeError or ValueError."""
        if seed is not None:
            self.batch.reset(seed)
        elif self._dealt:
            self.batch.deal_next()
        self._dealt = True
        return self._seen(), self._legal()

    def step(self, actions: Any) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        """Take an action in each game. Raises IllegalMove."""
        decisions = self.batch.step(actions)
        rewards = decisions.rewards[:, self.player - 1].astype(np.float64)
        infos = self._legal() | self._final(decisions)
        return self._seen(), rewards, decisions.ended.copy(), decisions.truncated.copy(), infos

    def action_masks(self) -> Any:
        """Return which actions are legal: bool, shape (num_envs, actions)."""
        return self.batch.masks.astype(bool)

    def close_extras(self, **options: Any) -> None:
        """End the threads of the batch. Gymnasium also closes an environment that could not be made."""
        if "batch" in vars(self):
            self.batch.close()

    def _seen(self) -> Seen:
        """Return a copy of the observations: the next step of the batch writes into them."""
        return self._given(self.batch.observations.copy(), self.batch.masks.astype(np.int8))

    def _given(self, observations: Any, masks: Any) -> Seen:
        return observations if self.flat else {"observation": observations, "action_mask": masks}

    def _legal(self) -> dict[str, Any]:
        """Return the masks in the form of the infos of Gymnasium's vector environments."""
        return {"action_mask": self.batch.masks.astype(np.int8), "_action_mask": np.ones(self.num_envs, bool)}

    def _final(self, decisions: Decisions) -> dict[str, Any]:
        """Return the last observations of games that are over, in the form of Gymnasium's vector environments."""
        done = decisions.ended | decisions.truncated
        if not done.any():
            return {}
        final, infos = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
        for slot in np.flatnonzero(done):
            mask = np.zeros(len(self.batch.actions), np.int8)
            final[slot] = self._given(self.batch.last_observations[slot].copy(), mask)
            infos[slot] = {"action_mask": mask.copy()}
        return {"final_obs": final, "_final_obs": done, "final_info": infos, "_final_info": done.copy()}


def seen_space(width: int, actions: int, flat: bool) -> spaces.Space[Any]:
    """Return the space of observations with masks; flat: without."""
    numbers, mask = spaces.Box(0, 255, (width,), np.uint8), spaces.Box(0, 1, (actions,), np.int8)
    return numbers if flat else spaces.Dict({"observation": numbers, "action_mask": mask})


def register_games() -> None:
    """Register the built-in games in Gymnasium."""
    where = {"entry_point": f"{__name__}:OneSeat", "vector_entry_point": f"{__name__}:ManyGames"}
    for name, (*_, kind) in BUILT_IN.items():
        gymnasium.register(f"maumau/{kind}-{VERSION}", **where, kwargs={"game": name})


register_games()
