"""Every deal of a small deck, in the order in which results are listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, islice
from math import factorial, prod
from typing import Any, Self

from fsm.edge.numbers import Array, np
from fsm.stepping.game import Game
from fsm.stepping.setup import deals

MOST = 4_000_000
"""Deals that are listed at most."""


TRIED, SPARE = 100, 4
"""Decks that are shuffled at most for each deal of a sample: until there is one, and from then on."""


class TooLarge(ValueError):
    """What is asked for does not fit: the message has the size that is estimated and what was expected."""

    @classmethod
    def for_memory(cls, size: str, memory: int) -> Self:
        """What does not fit in so many bytes. size: about how much there is of it, in words."""
        return cls(f"{size} do not fit in {memory >> 20:,} MB; allow more memory, or use a smaller deck")


@dataclass(frozen=True)
class SortedDeals:
    """The deals of a deck in which the cards of each hand ascend, in lexicographic order.

    decks: a row of card codes for each, in the order in which they are dealt. weights: how likely each is, in whole
    numbers without a common divisor.
    """

    decks: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.decks)


def count_of(kind: type[Game], players: int) -> int:
    """About how many deals a deck has: as many, if no card is in it twice and each may lie open."""
    game, deck = kind.declaration, kind.declaration.full_deck()
    orders = factorial(len(deck)) // prod(map(factorial, Counter(deck).values()))
    return max(int(orders // prod(map(factorial, game.sizes_dealt(players)))), 1)


def check_count(kind: type[Game], players: int) -> None:
    """Raise TooLarge if a deck has more deals than can be listed; ValueError for a number that does not play."""
    count = count_of(kind, kind.declaration.player_count(players))
    if count > MOST:
        shown = f"{count:,}" if count < 10**15 else f"10^{len(str(count)) - 1}"
        raise TooLarge(f"about {shown} deals, more than {MOST:,}; use a smaller deck, or solve a position")


def sample_of(kind: type[Game], players: int, count: int) -> Array:
    """Some deals of a deck, at most `count`, each once: a row of card codes for each.

    Raises ValueError if none is valid.
    """
    game, seats = kind.declaration, kind.declaration.seats_dealt(players)
    found: dict[tuple[object, ...], list[int]] = {}
    for number in range(TRIED * count):
        if len(found) == count or (found and number > SPARE * count):
            break
        deck = list(kind.deck_of(players, 0, number))
        if game.broken_by_deal(players, deck) is None:
            found[*sorted(zip(seats, deck, strict=False)), *deck[len(seats) :]] = deck
    if not found:
        broken = game.broken_by_deal(players, deck)
        raise ValueError(
            f"{game.title}: no deal of this deck is valid; this must hold: {broken and broken.description}"
        )
    return np.array(list(found.values()), np.int64)


def deals_of(kind: type[Game], players: int) -> SortedDeals:
    """The deals of a game with its deck. Cards ascend as they are named, of a small deck in its own order.

    Raises ValueError for a number of players that does not play, TooLarge.
    """
    check_count(kind, players)
    game, deck = kind.declaration, tuple(kind.declaration.full_deck())
    names = game.codec.notation.cards
    listed = chain.from_iterable(islice(deals(kind, players), MOST + 1))
    decks = np.fromiter(listed, np.int64).reshape(-1, len(deck))
    if len(decks) > MOST:
        raise TooLarge(f"more than {MOST:,} deals; use a smaller deck, or solve a position")
    origin: Any = getattr(kind, "origin", None)
    in_order = origin[1].split() if origin else list(names)
    rank = np.zeros(max(deck) + 1, np.int64)
    for code in dict.fromkeys(deck):
        rank[code] = in_order.index(names[code])
    seats = np.array(game.seats_dealt(players))
    weights = np.full(len(decks), prod(map(factorial, game.sizes_dealt(players))), np.int64)
    for seat in range(players):
        places = (seats == seat).nonzero()[0]
        hands = decks[:, places]
        hands = np.take_along_axis(hands, np.argsort(rank[hands], axis=1, kind="stable"), axis=1)
        decks[:, places] = hands
        if len(set(deck)) < len(deck):
            weights //= np.array([prod(map(factorial, Counter(hand).values())) for hand in hands.tolist()])
    order = np.lexsort(rank[decks].T[::-1])
    return SortedDeals(np.ascontiguousarray(decks[order]), weights[order] // np.gcd.reduce(weights))
