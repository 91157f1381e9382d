"""The deck of a game, and decks of some of its cards."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.declaration.parts import Parts
from fsm.edge.kept import kept
from rules.cards import NO_CARD


def full_deck(game: Parts) -> bytearray:
    """The card codes of the whole deck, unshuffled."""
    deck = bytearray(game.deck_size)
    game.fill(deck)
    return deck


@kept
def opens_card(game: Parts) -> bool:
    """Whether the deal of a game exposes a card."""
    table = game.table()
    game.deal(table, full_deck(game), game.codec.fewest)
    return bool(table.open_card != NO_CARD)


def codes_of(game: Parts, names: Iterable[str]) -> tuple[list[int], list[str]]:
    """The codes of cards by name, no card twice, and the names of those that are left. Raises ValueError."""
    left: dict[str, list[int]] = {}
    for code in full_deck(game):
        left.setdefault(game.codec.notation.cards[code], []).append(code)
    codes = []
    for name in names:
        game.codec.notation.card(name)
        if not left.get(name):
            raise ValueError(f"{name} is there too often")
        codes.append(left[name].pop(0))
    return codes, [name for name, rest in left.items() if rest]


def small_deck(game: Parts, cards: str, players: int, each: int) -> tuple[int, ...]:
    """The codes of a small deck, ascending.

    cards: names with blanks between them. players: the fewest that are dealt to. each: cards dealt to each of them.
    Raises ValueError for cards that the game does not have, or has fewer of, if there are too few, and for a number of
    cards each with which the game cannot be played.
    """
    codes = tuple(sorted(codes_of(game, cards.split())[0]))
    opened, least = int(opens_card(game)), min(1, game.codec.cards_each(game.codec.fewest))
    if each < least or len(codes) < players * each + opened:
        many = "more than " if opened else ""
        expected = f"{least} or more each, and {many}{players} times as many in the deck"
        raise ValueError(f"{len(codes)} cards, {each} each, expected {expected}")
    if game.codec.hand_sizes and each not in game.codec.hand_sizes:
        *sizes, largest = map(str, game.codec.hand_sizes)
        raise ValueError(f"{each} {game.codec.notation.card_word}s each, expected {', '.join(sizes)} or {largest}")
    return codes
