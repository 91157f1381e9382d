"""Games as OpenSpiel games written in Python. Needs the extra `openspiel`.

from maumau.agents.adapters.spiel import register_game
game = pyspiel.load_game(register_game("maumau", players=3))

Chance deals the deck card by card, then the stepped game goes on; what nobody chooses happens by itself. Hands are
sorted when they are dealt, unless a game deals by the order of their cards: in which order they came tells nothing, but
would make many information sets of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any

from fsm import Game, game_class
from fsm.declaration.decks import seats_dealt
from fsm.declaration.declaration import player_count
from fsm.declaration.rewards import Reward, reward_named
from fsm.edge.extras import MissingExtra, naming_extras
from fsm.edge.numbers import at_least, np
from fsm.hashes import code_hash
from fsm.stepping.moves import plans_of
from fsm.stepping.setup import starters, with_sorted_hands
from maumau.agents.actions import LIMIT, action_space
from maumau.agents.layout import check_dice, layout
from maumau.agents.observed import Observed, information_state, returns

if TYPE_CHECKING:
    from maumau.agents.search import Search

with naming_extras("the OpenSpiel adapter"):
    import pyspiel

DEALING = "dealing"


def register_game(game: str | type[Game], players: int, rewards: str | None = None, limit: int = LIMIT) -> str:
    """Register a game with a number of players in OpenSpiel; the name by which it is loaded.

    rewards: what the returns are, as for `maumau.Batch`. limit: events that players choose before a game ends with
    returns of 0; algorithms that walk the whole tree need a small one where a game can go on for long. Raises
    ValueError, also for a game that rolls dice after the deal, of which OpenSpiel would have to be told.
    """
    kind: Any = game_class(game)
    check_dice(kind.declaration)
    reward = reward_named(kind.declaration, rewards)
    return _registered(kind, player_count(kind.declaration, players), reward, at_least(1, "limit", limit))


@cache
def _registered(kind: type[Game], players: int, reward: Reward, limit: int) -> str:
    """The name of a game with a number of players; the first time, it is registered."""
    declaration = kind.declaration
    to_win = reward is Reward.WIN
    zero_sum = (to_win and players > 1) or (reward is Reward.RETURNS and declaration.zero_sum)
    most = inf if not to_win else float(max(players - 1, 1)) if declaration.shares_wins else 1.0
    described = pyspiel.GameType(
        short_name=_short_name(kind, players, reward, limit),
        long_name=f"{kind.declaration.title}, {players} players",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )
    deck = kind.full_deck()
    limits = pyspiel.GameInfo(
        num_distinct_actions=len(action_space(kind.declaration)),
        max_chance_outcomes=max(deck) + 1,
        num_players=players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0 if zero_sum else None,
        max_game_length=limit,
    )

    class CardGame(pyspiel.Game):  # type: ignore[misc]
        """A game of OpenSpiel."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(described, limits, params or {})

        def __reduce__(self) -> tuple[Any, ...]:
            """Pickled is the class of the game, as with its states: players that OpenSpiel finds hold their game."""
            return _loaded, (kind, players, str(reward), limit)

        def new_initial_state(self) -> SpielState:
            """The state before the first card is dealt."""
            return SpielState(self, players)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            """What writes observations into arrays."""
            return Observer(kind, players, iig_obs_type)

    pyspiel.register_game(described, CardGame)
    return str(described.short_name)


_names: dict[str, tuple[type[Game], Reward, int]] = {}
"""The games that are registered, by name: a name is given once."""


def _short_name(kind: type[Game], players: int, reward: Reward, limit: int) -> str:
    """A name in OpenSpiel that no other game has; the same in each process for the same small deck."""
    name = f"card_game_{kind.declaration.name.replace('-', '_').replace('+', '_')}_{players}"
    if origin := getattr(kind, "origin", None):
        _, cards, each = origin
        name += f"_{each}_of_{code_hash(' '.join(cards.split()))[:12]}"
    name += "" if reward is reward_named(kind.declaration, None) else f"_for_{reward}"
    name += "" if limit == LIMIT else f"_to_{limit}"
    if _names.setdefault(name, (kind, reward, limit))[0] is not kind:
        raise ValueError(f"another game is registered as {name}; register one game of each name")
    return name


@contextmanager
def errors_of_spiel() -> Iterator[None]:
    """Raise what the package refuses as OpenSpiel does: as a SpielError."""
    try:
        yield
    except (ValueError, MissingExtra) as error:
        raise pyspiel.SpielError(str(error)) from error


@cache
def _search(kind: type[Game], players: int) -> Search:
    """What finds worlds of a game."""
    from maumau.agents.search import Search

    return Search(kind, players, worlds=1, threads=1)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state: some cards of the deck, then the stepped game."""

    def __init__(self, game: Any, players: int) -> None:
        super().__init__(game)
        self._players = players
        self._deck = b""
        self.observed: Observed | None = None

    @property
    def _kind(self) -> type[Game]:
        """The class of the game."""
        return self._registered[0]

    @property
    def _registered(self) -> tuple[type[Game], Reward, int]:
        return _names[self.get_game().get_type().short_name]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the class of the game and the actions: a process that reads them need not know the game."""
        kind, reward, limit = self._registered
        return _replayed, (kind, self._players, self.history(), str(reward), limit)

    def current_player(self) -> int:
        """The seat that acts, chance, or the mark of the end."""
        if self.observed is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.observed.seat

    def is_terminal(self) -> bool:
        """Whether the game is over, or has come to the limit."""
        return self.observed is not None and (self.observed.over or self.observed.chosen >= self._registered[2])

    def returns(self) -> list[float]:
        """What each seat gains; zeros while the game goes on."""
        return [0.0] * self._players if self.observed is None else returns(self.observed.game, self._registered[1])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards left, each with its probability: all decks that may be dealt are equally likely."""
        declaration = self._kind.declaration
        left, last = Counter(self._kind.full_deck()) - Counter(self._deck), declaration.left_out.get(self._players, ())
        left = left - Counter(last) or Counter({min(left): 1})
        to_come = len(seats_dealt(declaration, self._players)) - len(self._deck)
        fit = starters(declaration) if declaration.amend else left.keys()
        if to_come >= 0 and not left.keys() <= fit:
            ways = sum(left[code] for code in fit)
            left = Counter({code: n * (ways - (code in fit) if to_come else code in fit) for code, n in left.items()})
        return [(code, count / left.total()) for code, count in sorted((+left).items())]

    def observation_string(self, player: int) -> str:
        """The position as a seat sees it."""
        return DEALING if self.observed is None else self.observed.game.position(seen_by=player + 1)

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a seat has seen."""
        seat = self.current_player() if player is None else player
        return DEALING if self.observed is None else information_state(self.observed.game, seat + 1)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """There is none, as the type of the game says. Raises SpielError."""
        raise pyspiel.SpielError("information_state_tensor is not provided; use information_state_string")

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state in which the hidden cards are dealt differently, and `player`, who acts, has seen the same.

        sampler: returns numbers from 0 to 1, which choose among such states; those are likely in which the others have
        moved like the first policy of the game. Raises SpielError for a player who does not act, and for a game in
        which the ways of all cards cannot be followed.
        """
        if self.observed is None or self.is_terminal() or player != self.observed.seat:
            raise pyspiel.SpielError(f"player {player}: only the player who acts has worlds, at a decision")
        game = self.observed.game
        with errors_of_spiel():
            (world,) = _search(type(game), self._players).worlds(game, 1, int(sampler() * 2**53))
            if len(world.history) < len(game.history):
                name = game.declaration.name
                raise ValueError(f"{name}: the cards cannot all be followed from place to place in this game")
            state: SpielState = self.get_game().new_initial_state()
            for code in world.dealt_deck():
                state.apply_action(code)
            actions, plans = action_space(game.declaration), plans_of(game.declaration)
            for step in world.history:
                if step.trigger in plans[step.source].offer:
                    state.apply_action(actions.number(step.move(game.declaration), step.player, self._players))
            return state

    def __str__(self) -> str:
        return f"{DEALING} {list(self._deck)}" if self.observed is None else self.observed.game.position()

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.observed is None else self.observed.legal()

    def _apply_action(self, action: int) -> None:
        if self.observed is None:
            self._deck += bytes((action,))
            if len(self._deck) == self._kind.declaration.deck_size:
                deck = with_sorted_hands(self._kind.declaration, self._players, self._deck)
                self.observed = Observed(self._kind.of_deck(self._players, deck))
                self.observed.advance()
        else:
            self.observed.act(action)
            self.observed.advance()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {self._kind.declaration.codec.notation.cards[action]} ({action})"
        return action_space(self._kind.declaration).text(action)


def _loaded(kind: type[Game], players: int, rewards: str, limit: int) -> Any:
    """The game of OpenSpiel."""
    return pyspiel.load_game(register_game(kind, players, rewards, limit))


def _replayed(kind: type[Game], players: int, actions: list[int], rewards: str, limit: int) -> SpielState:
    """The state of a game after some actions."""
    state: SpielState = _loaded(kind, players, rewards, limit).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class Observer:
    """Writes what a seat sees and knows into an array of floating-point numbers; or tells everything that a seat has
    seen, as a text: there is no tensor of it.
    """

    def __init__(self, kind: type[Game], players: int, wanted: Any) -> None:
        """wanted: the type of the observations. Raises ValueError for one that there is not."""
        if wanted and not (wanted.public_info and wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            raise ValueError(f"observations of {wanted}; use what is public with what one player sees")
        self._remembers = bool(wanted and wanted.perfect_recall)
        width = layout(kind.declaration, players).width
        self.tensor = None if self._remembers else np.zeros(width, np.float32)
        self.dict = {} if self._remembers else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees and knows."""
        if self.tensor is not None:
            seen = b"" if state.observed is None else state.observed.observation(player)
            self.tensor[:] = np.frombuffer(seen, np.uint8) if seen else 0

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as a seat sees it, or everything that the seat has seen."""
        return state.information_state_string(player) if self._remembers else state.observation_string(player)
