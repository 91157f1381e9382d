"""The states of OpenSpiel games: some cards of the deck, then a game in machine code or stepped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm import Game
from fsm.edge.extras import naming_extras
from fsm.edge.numbers import Array, np
from fsm.stepping.information import information_state
from maumau.agents.actions import action_space
from maumau.agents.deals import CompiledDeal, DealtKind, SteppedDeal, deal
from maumau.agents.observed import Observed

if TYPE_CHECKING:
    from maumau.agents.search import Search

with naming_extras("the OpenSpiel adapter"):
    import pyspiel

DEALING = "dealing"
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


@contextmanager
def errors_of_spiel() -> Iterator[None]:
    """Raise what the package refuses as OpenSpiel does: as a SpielError."""
    try:
        yield
    except (ValueError, ImportError) as error:
        raise pyspiel.SpielError(str(error)) from error


@cache
def _search(kind: type[Game], players: int) -> Search:
    """What finds worlds of a game."""
    from maumau.agents.search import Search

    return Search(kind, players, worlds=1, threads=1)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state: some cards of the deck, then the game; it is stepped only where somebody asks for texts.

    deal: the game, once it is dealt.
    """

    def __init__(self, game: Any, given: DealtKind, replayed: Callable[..., Any]) -> None:
        """given: what is dealt. replayed: makes a state again in a process that need not know the game."""
        super().__init__(game)
        self._given, self._again = given, replayed
        self._dealing = Dealing(deck_for_chance(given.kind, given.players))
        self.deal: CompiledDeal | SteppedDeal | None = None
        self._acting = CHANCE

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the class of the game and the actions, so that a process that reads them need not know the game."""
        return self._again, (*self._given, self.history())

    @property
    def observed(self) -> Observed | None:
        """Return the stepped game, once the deck is dealt. The caller must not step it."""
        return None if self.deal is None else self.deal.observed

    def current_player(self) -> int:
        """Return the seat that acts, the number of chance, or that of the end."""
        return self._acting

    def is_terminal(self) -> bool:
        """Return whether the game is over, or has come to the limit."""
        return self._acting == TERMINAL

    def returns(self) -> list[float]:
        """Return what each seat gains; zeros while the game goes on."""
        return [0.0] * self._given.players if self.deal is None else self.deal.returns()

    def observation(self, player: int | None) -> Array | None:
        """Return what a seat, or somebody who watches (None), sees and knows: bytes; None while the deck is dealt."""
        return None if self.deal is None else self.deal.observation(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may come next, each with its probability."""
        return self._dealing.outcomes()

    # The next four do what the base class does by way of C++, in a fraction of its time.

    def is_chance_node(self) -> bool:
        """Return whether chance acts."""
        return self._acting == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player, or of the one who acts, ascending; none for the others."""
        if player is not None and player != self._acting:
            return []
        return self._dealing.codes() if self.deal is None else [*self.deal.legal()]

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for each legal action of a player, or of the one who acts, and 0 for others."""
        chance = (self._acting if player is None else player) == CHANCE
        mask = [0] * (self.get_game().max_chance_outcomes() if chance else self.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player, or the one who acts, sees and knows."""
        seat = self._acting if player is None else player
        if self.deal is None or not 0 <= seat < self._given.players:
            seen: list[float] = super().observation_tensor(seat)
            return seen
        return self.deal.observation(seat).astype(np.float64).tolist()  # type: ignore[no-any-return]

    def observation_string(self, player: int) -> str:
        """Return the position as a seat sees it."""
        return DEALING if self.observed is None else self.observed.game.position(seen_by=player + 1)

    def information_state_string(self, player: int | None = None) -> str:
        """Return everything that a seat has seen."""
        seat = self.current_player() if player is None else player
        return DEALING if self.observed is None else information_state(self.observed.game, seat + 1)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return all that a seat has observed. Raises SpielError where games may be long."""
        if not self.get_game().get_type().provides_information_state_tensor:
            raise pyspiel.SpielError(
                "information_state_tensor is not provided; use information_state_string, or a limit of at most 100"
            )
        seen: list[float] = super().information_state_tensor(self._acting if player is None else player)
        return seen

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state in which the hidden cards are dealt differently, and `player`, who acts, has seen the same.

        sampler: returns numbers from 0 to 1, which choose among such states; those are likely in which the others have
        moved like the first policy of the game. Raises SpielError for a player who does not act, and for a game in
        which the ways of all cards cannot be followed.
        """
        if self.observed is None or player != self._acting:
            raise pyspiel.SpielError(f"player {player}: only the player who acts has worlds, at a decision")
        game, players = self.observed.game, self._given.players
        with errors_of_spiel():
            (world,) = _search(type(game), players).worlds(game, 1, int(sampler() * 2**53))
            if len(world.history) < len(game.history):
                name = game.declaration.name
                raise ValueError(f"{name}: the cards cannot all be followed from place to place in this game")
            state: SpielState = self.get_game().new_initial_state()
            for code in world.dealt_deck():
                state.apply_action(code)
            actions, offered = action_space(game.declaration), game.declaration.offered
            for step in world.history:
                if (step.source, step.trigger) in offered:
                    state.apply_action(actions.number(step.move(game.declaration), step.player, players))
            return state

    def past_observations(self, player: int) -> Iterator[Array]:
        """Yield what a seat has seen at each decision of the game so far, with the event before: bytes."""
        if self.deal is not None:
            before = deal(self._given._replace(events=1), self._dealt())
            yield before.observation(player)
            for action in self.history()[len(self._dealing.dealt) :]:
                before.act(action)
                yield before.observation(player)

    def _dealt(self) -> Any:
        """The deck from which the game is dealt, with sorted hands."""
        return self._given.kind.declaration.with_sorted_hands(self._given.players, bytes(self._dealing.dealt))

    def __str__(self) -> str:
        return f"{DEALING} {self._dealing.dealt}" if self.observed is None else self.observed.game.position()

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.deal is None else self.deal.legal()

    def _apply_action(self, action: int) -> None:
        if self.deal is None:
            self._dealing.take(action)
            if self._dealing.left:
                return
            self.deal = deal(self._given, self._dealt())
        else:
            self.deal.act(action)
        self._acting = TERMINAL if self.deal.done else self.deal.seat

    def _action_to_string(self, player: int, action: int) -> str:
        declaration = self._given.kind.declaration
        if player == CHANCE:
            return f"deal {declaration.codec.notation.cards[action]} ({action})"
        return action_space(declaration).text(action)


class ChanceDeck(NamedTuple):
    """How the cards of a game are dealt.

    first: those that are dealt in any order, each with how often it appears. last: those that come after them, in this
    order, because they are left out. hands: how many cards come to hands. unfit: the cards that may not follow these.
    """

    first: dict[int, int]
    last: dict[int, int]
    hands: int
    unfit: frozenset[int]


@cache
def deck_for_chance(kind: type[Game], players: int) -> ChanceDeck:
    """Return how the cards of a game are dealt."""
    declaration = kind.declaration
    every, last = Counter(kind.full_deck()), Counter(declaration.left_out.get(players, ()))
    unfit = {*every} - {*declaration.starters} if declaration.amend else ()
    hands = len(declaration.seats_dealt(players))
    first, left_out = (dict(sorted(cards.items())) for cards in (every - last, last))
    return ChanceDeck(first, left_out, hands, frozenset(unfit))


class Dealing:
    """The cards that are dealt so far, and those that may follow: all decks that may be dealt are equally likely.

    Chance deals more than a hundred cards in some games, so that each of them takes about a microsecond. dealt: the
    cards, in order. left: how often each of the others appears; empty once the whole deck is dealt.
    """

    __slots__ = "_cards", "_fit", "_ordered", "_to_come", "dealt", "left"

    def __init__(self, cards: ChanceDeck) -> None:
        """Deal nothing yet."""
        self._cards, self.dealt, self.left, self._ordered = cards, list[int](), cards.first, False
        self._to_come = cards.hands if cards.unfit else -1  # cards that come before the one that must fit
        self._fit = sum(count for code, count in cards.first.items() if code not in cards.unfit)

    def __deepcopy__(self, memo: Any) -> Dealing:
        """Return a copy that goes on by itself; a deck that is dealt can be shared."""
        if not self.left:
            return self
        other = Dealing.__new__(Dealing)
        other._cards, other.dealt, other.left, other._ordered = self._cards, [*self.dealt], {**self.left}, self._ordered
        other._to_come, other._fit = self._to_come, self._fit
        return other

    def codes(self) -> list[int]:
        """Return the cards that may come next, ascending."""
        if self._ordered or not self._to_come or (self._to_come > 0 and self._fit == 1):
            return [code for code, _ in self.outcomes()]
        return [*self.left]

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may come next, each with its probability."""
        left = self.left
        if self._ordered:
            return [(next(iter(left)), 1.0)]
        if self._to_come >= 0:
            fits = (self._fit - 1, self._fit) if self._to_come else (1, 0)  # one that fits must be left
            weights = {code: count * fits[code in self._cards.unfit] for code, count in left.items()}
            left = {code: weight for code, weight in weights.items() if weight}
        total = sum(left.values())
        return [(code, count / total) for code, count in left.items()]

    def take(self, code: int) -> None:
        """Deal a card. Raises SpielError for one that is not left."""
        if not self.dealt:
            self.left = {**self.left}
        left = self.left
        try:
            count = left[code]
        except KeyError:
            raise pyspiel.SpielError(f"action {code}: this card is not left in the deck") from None
        if count == 1:
            del left[code]
        else:
            left[code] = count - 1
        self.dealt.append(code)
        if self._to_come >= 0:
            self._to_come -= 1
            self._fit -= code not in self._cards.unfit
        if not self.left and not self._ordered:
            self.left, self._ordered = dict(self._cards.last), True
