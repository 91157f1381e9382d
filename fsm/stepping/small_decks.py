"""Small decks, which have fewer cards and the same rules, and all that can be dealt from them."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from fsm.declaration.declaration import Declaration, player_count
from fsm.edge.numbers import as_int, of_type
from fsm.stepping.setup import codes_of, full_deck, opens_card
from fsm.variants.classes import reduced
from rules.rule import effect

G = TypeVar("G")
Cards = tuple[int, ...]
INPUT = ("parse", "read", "write")
"""The methods of the input format. A format that a game defines itself expects the whole deck of the game."""


def small_game(kind: type[G], base: type, cards: str, each: int) -> type[G]:
    """The game `kind` with a small deck, made once. base: the class of all games, of plain input."""
    of_type("cards", cards, str, "names of cards with blanks between them")
    each = as_int("each", each)
    made = _made.get((kind, cards, each))
    if made is None:
        made = _made[kind, cards, each] = _class(kind, base, cards, each)
    return cast("type[G]", made)


_made: WeakValueDictionary[tuple[type, str, int], type] = WeakValueDictionary()
"""The classes that are in use: the same deck makes the same class, so that its games can be compared and pickled."""


def _class(kind: Any, base: type, cards: str, each: int) -> type:
    game: Declaration = kind.declaration
    codes = tuple(sorted(codes_of(game, cards.split())[0]))
    if game.deal_each is None:
        raise ValueError(f"{game.title} is played with its whole deck only")
    opened = int(opens_card(game))
    least = min(1, game.codec.cards_each(game.codec.fewest))
    if each < least or len(codes) < game.codec.fewest * each + opened:
        many = "more than " if opened else ""
        expected = f"{least} or more each, and {many}{game.codec.fewest} times as many in the deck"
        raise ValueError(f"{len(codes)} cards, {each} each, expected {expected}")
    if game.codec.hand_sizes and each not in game.codec.hand_sizes:
        *sizes, largest = map(str, game.codec.hand_sizes)
        raise ValueError(f"{each} {game.codec.notation.card_word}s each, expected {', '.join(sizes)} or {largest}")
    deal_each = game.deal_each

    @effect
    def fill(deck: MutableSequence[int]) -> None:
        for index in range(len(codes)):
            deck[index] = codes[index]

    @effect
    def deal(table: Any, deck: Sequence[int], players: int) -> None:
        deal_each(table, deck, players, each)

    most = min(game.codec.most, (len(codes) - opened) // max(each, 1))
    codec = replace(game.codec, cards_each=lambda players: each, most=most)
    small = replace(game, deck_size=len(codes), fill=fill, deal=deal, amend=None, codec=codec, small_decks=())
    plain = {name: vars(base)[name] for name in INPUT}
    own = {
        "declaration": small,
        "origin": (kind, cards, each),
        "made_by": (kind, "with_deck", cards, each),
        "__doc__": kind.__doc__,
    }
    return type(kind.__name__, (kind,), {**own, **plain, "__reduce__": reduced})


def deals(kind: Any, players: int) -> Iterator[Cards]:
    """Every deal of a game with a small deck: decks that differ in a hand, the open card or the draw pile's order.

    Decks that lead to an invalid position are left out.
    """
    for begin, left in _begun(kind, players):
        if may_be_dealt(kind.declaration, players, begin + left):
            yield from map(begin.__add__, _orders(left))


def unchecked_deals(kind: Any, players: int) -> Iterator[Cards]:
    """Every deal, as `deals`, and decks that lead to an invalid position."""
    for begin, left in _begun(kind, players):
        yield from map(begin.__add__, _orders(left))


def _begun(kind: Any, players: int) -> Iterator[tuple[Cards, Cards]]:
    """Every choice of hands and of an open card, as the begin of a deck, with the cards that are left."""
    game: Declaration = kind.declaration
    players = player_count(game, players)
    each = game.codec.cards_each(players)
    for hands, rest in _hands(tuple(full_deck(game)), players, each):
        taken = [list(hand) for hand in hands]
        dealt = [taken[game.codec.dealt_to(index, players, each)].pop() for index in range(players * each)]
        for opening, left in _choices(rest, int(opens_card(game))):
            yield (*dealt, *opening), left


def may_be_dealt(game: Declaration, players: int, deck: Sequence[int]) -> bool:
    """Whether a deck leads to a valid position: its first open card may lie open."""
    table = game.table()
    game.deal(table, deck, players)
    return game.broken_invariant(game.initial, table) is None


def _hands(cards: Cards, seats: int, each: int) -> Iterator[tuple[tuple[Cards, ...], Cards]]:
    """Every choice of a hand for each seat, with the cards that are left."""
    if not seats:
        yield (), cards
        return
    for hand, rest in _choices(cards, each):
        for hands, left in _hands(rest, seats - 1, each):
            yield (hand, *hands), left


def _choices(cards: Cards, count: int) -> Iterator[tuple[Cards, Cards]]:
    """Every choice of `count` of some sorted cards, with those that are left; of equal cards the first ones."""
    if not count:
        yield (), cards
        return
    for index, card in enumerate(cards):
        if card not in cards[:index]:
            for chosen, left in _choices(cards[index + 1 :], count - 1):
                yield (card, *chosen), cards[:index] + left


def _orders(cards: Cards) -> Iterator[Cards]:
    """Every order of some sorted cards; equal cards do not change places."""
    if len(set(cards)) == len(cards):
        yield from permutations(cards)
        return
    for first, rest in _choices(cards, 1):
        yield from map(first.__add__, _orders(rest))
