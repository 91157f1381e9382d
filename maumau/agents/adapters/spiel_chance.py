"""What chance deals in OpenSpiel: the deck of a game, card by card."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, NamedTuple

from fsm import Game
from fsm.edge.extras import naming_extras

with naming_extras("the OpenSpiel adapter"):
    import pyspiel


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
