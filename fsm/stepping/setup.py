"""Set-up of a table: from a seed, a deck, or a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from os import urandom
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NOTHING
from fsm.edge.numbers import as_int, of_type, seed_number
from fsm.stepping.carried import Carried, carry
from fsm.stepping.position import MELDS, Position, piled
from fsm.table.layout import PositionError, layout_of
from rules.cards import NO_CARD
from rules.errors import raised_as
from rules.notation import UNKNOWN, many, shortlist
from rules.piles import discard_pile, draw_pile

MOST_TRIED = 10_000
"""Choices of hands and of an open card that are tried at most, to find a valid one of a small deck."""
Hands = list[list[int]]
"""The card codes of each hand, in the order in which they came."""
FRESH_SEEDS = 10**9
"""Fresh seeds are below this: short enough to be typed."""


def fresh_seed() -> int:
    """A seed that no game had before."""
    return int.from_bytes(urandom(8)) % FRESH_SEEDS


def dealt_table(
    game: Declaration, players: int, deck: Sequence[int], carried: Carried, seed: int, number: int, dealer: int
) -> tuple[Any, Hands]:
    """The table after the deal of a valid deck, and its hands in the order dealt.

    carried: from the round before. seed, number: the dice of players. dealer: from 1. Raises ValueError for a number,
    seed, dealer or facts that cannot be.
    """
    table = game.table()
    if seat := game.dealer_seat(players, dealer):
        table.dealer = seat
    game.deal(table, deck, players)
    table.seed, table.number = seed_number("seed", seed), seed_number("number", number)
    carry(game, table, carried)
    return table, game.hands_dealt(players, deck)


def deck_of_deal(game: Declaration, table: Any, hands: Sequence[Sequence[int]]) -> list[int]:
    """A deck whose deal is a table with these hands."""
    left = list(map(list, hands))
    return [*(left[seat].pop(0) for seat in game.seats_dealt(len(left))), *discard_pile(table), *draw_pile(table)]


def reachable_table(game: Declaration, position: Position) -> tuple[Any, Phase, Hands]:
    """The table, phase and hands of a position that some game can reach. Raises PositionError."""
    if UNKNOWN in (*position.cards, *piled(game, position)):
        raise PositionError(f"the cards called {UNKNOWN} must be known before it can be stepped; name them")
    table, hands = table_of(game, position)
    phase = game.phases(position.phase)
    fault = _why_unreachable(game, phase, table)
    if fault and not position.discard and game.opens_card:
        raise PositionError(f"discard={NOTHING}; give at least the open card")
    if fault:
        raise PositionError(f"{phase}: {fault}")
    if phase is game.initial and list(map(len, hands)) != (dealt := game.sizes_dealt(table.players)):
        each = f"{dealt[0]} in each hand" if len(set(dealt)) == 1 else f"{', '.join(map(str, dealt))} in the hands"
        raise PositionError(f"{phase}: the cards are newly dealt; use {each}")
    return table, phase, hands


def _why_unreachable(game: Declaration, phase: Phase, table: Any) -> str:
    """Return the first invariant that does not hold, or fails, in words; empty if all hold.

    Each fact that names a card is given the code of this card. Several cards may have one name: a fact stands for any
    of them with which all invariants hold, if the acting player holds such a card for that one.
    """
    facts = [fact for fact in game.codec.facts if fact.kind == "card" and getattr(table, fact.field) != NO_CARD]
    codes = [_codes_alike(game, table, getattr(table, fact.field)) for fact in facts]
    first = ""
    for chosen in product(*codes):
        for fact, code in zip(facts, chosen, strict=True):
            setattr(table, fact.field, code)
        try:
            broken = game.broken_invariant(phase, table)
        except Exception as error:
            return f"no game comes to it, because its invariants fail: {type(error).__name__}: {error}"
        if broken is None:
            return ""
        first = first or f"no game comes to it; this must hold: {broken.description}"
    return first


def _codes_alike(game: Declaration, table: Any, card: int) -> list[int]:
    """The codes of the cards that have the name of `card`, those that the acting player holds first."""
    names, held = game.codec.notation.cards, game.codec.held(table, table.player)
    alike = [code for code in dict.fromkeys((*game.full_deck(), card)) if names[code] == names[card]]
    return sorted(alike, key=lambda code: code not in held)


def table_of(game: Declaration, position: Position) -> tuple[Any, Hands]:
    """The table that `position` describes, and its hands in the order given. Raises PositionError."""
    table = game.table()
    players = len(position.hands)
    if players not in game.codec.players:
        raise PositionError(f"hands of {many(players, 'player')}; use {game.codec.players_text}")
    codes = _codes(game, position)
    table.players = players
    for fact, (_, text) in zip(game.codec.facts, position.facts, strict=True):
        layout_of(game).put(fact, text, table)
    hands = [[codes.pop(0) for _ in hand] for hand in position.hands]
    for seat, hand in enumerate(hands):
        for card in hand:
            game.codec.receive(table, seat, card)
    _lay_out(game, table, position, codes)
    table.ring[: len(codes)] = bytes(codes)
    table.stock, table.tail = len(position.draw), len(codes)
    table.open_card = table.card = codes[-1] if position.discard else NO_CARD
    table.bottom = table.stock
    return table, hands


def _lay_out(game: Declaration, table: Any, position: Position, codes: list[int]) -> None:
    """Lay out the melds of a position, whose codes are the next ones. Raises PositionError for what is none."""
    for seat, melds in enumerate(position.melds):
        for meld in melds:
            assert game.codec.melds is not None
            with raised_as(PositionError, f"{MELDS}: {','.join(meld)} is not a meld; "):
                game.codec.melds.lay_out(table, seat, [codes.pop(0) for _ in meld])


def _codes(game: Declaration, position: Position) -> list[int]:
    """The codes of the cards of hands, melds, draw and discard pile. Raises PositionError unless these and those of the
    other piles are one deck.
    """
    others = piled(game, position)
    with raised_as(PositionError):
        codes, missing = game.codes_of((*others, *position.cards))
    if missing:
        raise PositionError(f"{shortlist(missing)} missing; use all {game.deck_size} cards")
    return codes[len(others) :]


# ---------------------------------------------------------------- small decks


G = TypeVar("G")
Cards = tuple[int, ...]
INPUT = ("input_format", "parse", "read", "write")
"""The input format and its methods. A format that a game defines itself expects the whole deck of the game."""


def small_game(kind: type[G], base: type, cards: str, each: int) -> type[G]:
    """The game `kind` with a small deck, made once. base: the class of all games, of plain input."""
    of_type("cards", cards, str, "names of cards with blanks between them")
    each = as_int("each", each)
    key = kind, cards, each
    return cast("type[G]", _made.get(key) or _made.setdefault(key, _class(kind, base, cards, each)))


_made: WeakValueDictionary[tuple[type, str, int], type] = WeakValueDictionary()
"""The classes that are in use: the same deck makes the same class, so that its games can be compared and pickled."""


def _class(kind: Any, base: type, cards: str, each: int) -> type:
    plain = {name: vars(base)[name] for name in INPUT}
    own = {
        "declaration": kind.declaration.with_small_deck(cards, each),
        "origin": (kind, cards, each),
        "made_by": (kind, "with_deck", cards, each),
        "__module__": kind.__module__,
        "__doc__": kind.__doc__,
    }
    return type(kind.__name__, (kind,), {**own, **plain})


def check_dealable(kind: Any, players: int) -> None:
    """Raise ValueError for a number of players that does not play, or if no deal of a small deck to them is valid."""
    game: Declaration = kind.declaration
    players, broken = game.player_count(players), None
    for begin, left in islice(_begun(game, players), MOST_TRIED):
        broken = game.broken_by_deal(players, begin + left)
        if broken is None:
            return
    raise ValueError(
        f"no deal of this deck to {players} players is valid; this must hold: {broken and broken.description}"
    )


def deals(kind: Any, players: int) -> Iterator[Cards]:
    """Every deal of a game with a small deck: decks that differ in a hand, the open card or the draw pile's order.

    They are sorted by the hands, then by the other cards. Decks that lead to an invalid position are left out.
    """
    game: Declaration = kind.declaration
    players = game.player_count(players)
    for begin, left in _begun(game, players):
        if game.broken_by_deal(players, begin + left) is None:
            yield from map(begin.__add__, _orders(left))


def _begun(game: Declaration, players: int) -> Iterator[tuple[Cards, Cards]]:
    """Every choice of hands and of an open card, as the begin of a deck, with the cards that are left."""
    sizes, dealt = game.sizes_dealt(players), game.places_dealt(players)
    opened = int(game.opens_card)
    for hands, rest in _hands(tuple(game.full_deck()), sizes):
        begin = tuple(map(hands.__getitem__, dealt))
        for opening, left in _choices(rest, opened):
            yield begin + opening, left


def _hands(cards: Cards, sizes: Sequence[int]) -> Iterator[tuple[Cards, Cards]]:
    """Every choice of hands of these sizes, one after another, with the cards that are left."""
    if not sizes:
        yield (), cards
        return
    for hand, rest in _choices(cards, sizes[0]):
        for hands, left in _hands(rest, sizes[1:]):
            yield hand + hands, left


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
