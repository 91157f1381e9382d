"""Games as OpenSpiel games written in Python. Needs the extra `openspiel`.

from maumau.agents.adapters.spiel import register_game
game = pyspiel.load_game(register_game("maumau", players=3))

Importing this module registers the game `maumau`. Its parameters name any game that `fsm.game_class` knows, with house
rules: `pyspiel.load_game("maumau(game=uno,players=3,limit=100)")`. A small deck requires both `deck` and `each`.

Chance deals the deck card by card, then the game goes on. What nobody chooses happens by itself. Hands are sorted when
they are dealt, unless a game deals by the order of their cards: the order shows nothing, but would make many
information sets of one.
"""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any

from fsm import Game, game_class
from fsm.declaration.rewards import Reward
from fsm.edge.extras import naming_extras
from fsm.edge.numbers import Array, as_int, np
from fsm.hashes import code_hash
from fsm.registry import DEFAULT
from fsm.stepping.information import information_state
from maumau.agents.actions import LIMIT, action_space
from maumau.agents.adapters.spiel_state import DEALING, SpielState, errors_of_spiel
from maumau.agents.batch import MOST
from maumau.agents.deals import DealtKind
from maumau.agents.layout import check_dice, layout, public_places

with naming_extras("the OpenSpiel adapter"):
    import pyspiel

FAMILY = __name__.partition(".")[0]
"""The name of the game that takes any other as a parameter: that of the package."""
PARAMETERS = {"game": DEFAULT, "players": 2, "limit": LIMIT, "rewards": "", "deck": "", "each": 0}
"""The parameters of the game `maumau`, with their defaults. rewards: empty for those of the game. deck, each: the cards
of a small deck, with spaces between them, and how many each player gets; empty for the whole deck.
"""


def register_game(game: str | type[Game], players: int, rewards: str | None = None, limit: int = LIMIT) -> str:
    """Register a game with a number of players in OpenSpiel, and return the name by which it is loaded.

    rewards: what the returns are, as for `maumau.Batch`. limit: events that players choose before a game ends with
    returns of 0. Algorithms that walk the whole tree need a small one where a game can go on for long. With at most 100
    there are tensors of information states. Raises TypeError, ValueError, also for a game that rolls dice after the
    deal: its chance nodes are those of the deal.
    """
    kind: Any = game_class(game)
    check_dice(kind.declaration)
    reward, limit = Reward.named(kind.declaration, rewards), as_int("limit", limit, 1, MOST)
    return _registered(DealtKind(kind, kind.declaration.player_count(players), limit, reward))


@cache
def _registered(given: DealtKind) -> str:
    """Return the name of a game with a number of players. The first call registers it."""
    described = _type_of(given, _short_name(given))

    class CardGame(SpielGame):
        """A game of OpenSpiel, which holds the class until the process ends; it would not hold a function."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(given, described, params)

    pyspiel.register_game(described, CardGame)
    return str(described.short_name)


def _type_of(given: DealtKind, name: str, **parameters: Any) -> Any:
    """Return the type of a game."""
    return pyspiel.GameType(
        short_name=name,
        long_name=f"{given.kind.declaration.title}, {given.players} players",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if _is_zero_sum(given) else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=given.players,
        min_num_players=given.players,
        provides_information_state_string=True,
        provides_information_state_tensor=tensor_shape(given) is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        **parameters,
    )


def _is_zero_sum(given: DealtKind) -> bool:
    if given.reward is Reward.WIN:
        return given.players > 1
    return given.reward is Reward.RETURNS and given.kind.declaration.zero_sum


def _info_of(given: DealtKind) -> Any:
    """Return the limits of a game."""
    shares, to_win = given.kind.declaration.shares_wins, given.reward is Reward.WIN
    most = inf if not to_win else float(max(given.players - 1, 1)) if shares else 1.0
    return pyspiel.GameInfo(
        num_distinct_actions=len(action_space(given.kind.declaration)),
        max_chance_outcomes=max(given.kind.full_deck()) + 1,
        num_players=given.players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0 if _is_zero_sum(given) else None,
        max_game_length=given.limit,
    )


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


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel."""

    def __init__(self, given: DealtKind, described: Any, params: Any) -> None:
        super().__init__(described, _info_of(given), params or {})
        self._given = given

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the class of the game, as its states do: players that OpenSpiel finds hold their game."""
        return _loaded, tuple(self._given)

    def new_initial_state(self) -> SpielState:
        """Return the state before the first card is dealt."""
        return SpielState(self, self._given, _replayed)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what writes observations into arrays."""
        return Observer(self._given, iig_obs_type)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards that chance deals."""
        return self._given.kind.declaration.deck_size


_names: dict[str, DealtKind] = {}
"""The games that are registered, by name: a name is given once."""


def _short_name(given: DealtKind) -> str:
    """Return a name in OpenSpiel that no other game has; the same in each process for the same small deck."""
    declaration = given.kind.declaration
    name = f"card_game_{declaration.name.replace('-', '_').replace('+', '_')}_{given.players}"
    if origin := getattr(given.kind, "origin", None):
        _, cards, each = origin
        name += f"_{each}_of_{code_hash(' '.join(cards.split()))[:12]}"
    name += "" if given.reward is Reward.named(declaration, None) else f"_for_{given.reward}"
    name += "" if given.limit == LIMIT else f"_to_{given.limit}"
    if _names.setdefault(name, given).kind is not given.kind:
        raise ValueError(f"another game is registered as {name}; register one game of each name")
    return name


def _loaded(kind: type[Game], players: int, limit: int, reward: Reward, events: int = 0) -> Any:
    """Return the game of OpenSpiel."""
    return pyspiel.load_game(register_game(kind, players, str(reward), limit))


def _replayed(
    kind: type[Game], players: int, limit: int, reward: Reward, events: int, actions: list[int]
) -> SpielState:
    """Return the state of a game after some actions."""
    state: SpielState = _loaded(kind, players, limit, reward).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


# ---------------------------------------------------------------- any game by parameters


def _named(params: Any) -> DealtKind:
    """Return what the parameters of the game `maumau` name. Raises SpielError."""
    asked = {**PARAMETERS, **(params or {})}
    with errors_of_spiel():
        kind = game_class(asked["game"])
        if bool(asked["deck"]) != bool(asked["each"]):
            given, missing = ("deck", "each") if asked["deck"] else ("each", "deck")
            raise ValueError(
                f"{given} requires {missing}; give the cards of a small deck and how many each player gets"
            )
        if asked["deck"]:
            kind = kind.with_deck(asked["deck"], asked["each"])
        check_dice(kind.declaration)
        reward = Reward.named(kind.declaration, asked["rewards"] or None)
        limit = as_int("limit", asked["limit"], 1, MOST)
        return DealtKind(kind, kind.declaration.player_count(asked["players"]), limit, reward)


class NamedGame(SpielGame):
    """The game `maumau`: any game, by its parameters."""

    def __init__(self, params: Any = None) -> None:
        """params: as PARAMETERS. Raises SpielError."""
        given = _named(params)
        super().__init__(given, _type_of(given, FAMILY, parameter_specification=PARAMETERS), params)


pyspiel.register_game(_type_of(_named(None), FAMILY, parameter_specification=PARAMETERS), NamedGame)
