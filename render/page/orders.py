"""The orders in which the cards of a hand lie: by suit, by rank, and by what they are worth in the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from rules.cards import NO_SUIT

TRUMP = "trump"
"""The fact, a suit, that decides how strong cards are."""
COURT = ("T", "10", "J", "N", "Q", "K", "A")
"""The ranks above the numbers of one digit."""


class HandOrders(NamedTuple):
    """All cards of a game in each order, by their names. strength: by the letter of the trump, empty for none."""

    suit: list[str]
    rank: list[str]
    strength: dict[str, list[str]]


@kept
def hand_orders(game: Declaration) -> HandOrders:
    """Return the orders of the hands of a game. Of cards that are equal in an order those with lower codes go first."""
    notation = game.codec.notation
    codes = {name: code for code, name in enumerate(notation.cards)}
    letters = [*notation.suits, ""]
    printed = {name: _printed(game, name) for name in codes}

    def suit(name: str) -> int:
        return letters.index(printed[name][0])

    def rank(name: str) -> tuple[int, int]:
        text = printed[name][1]
        if text in COURT:
            return 1, COURT.index(text)
        return (0, int(text)) if text.isdecimal() else (2, codes[name])

    has_trump = any((fact.name, fact.kind) == (TRUMP, "suit") for fact in game.codec.facts)
    trumps = letters if has_trump else [""]
    return HandOrders(
        sorted(codes, key=suit),
        sorted(codes, key=lambda name: (*rank(name), suit(name))),
        {letter: sorted(codes, key=_strength(game, letter, codes)) for letter in trumps},
    )


def _printed(game: Declaration, name: str) -> tuple[str, str]:
    """The letter of the suit of a card, or nothing, and its rank, also of one whose face shows its name alone."""
    notation, face = game.codec.notation, game.look.face(game.codec.notation, name)
    if face.suit in notation.suits and face.suit:
        return face.suit, face.rank
    for suit, rank in ((name[-1:], name[:-1]), (name[:1], name[1:])):
        if suit in notation.suits and rank in notation.ranks:
            return suit, rank
    return "", face.rank


def _strength(game: Declaration, trump: str, codes: Mapping[str, int]) -> Any:
    """What cards are sorted by, the weakest first. trump: its letter, or nothing."""
    suit = game.codec.notation.suit(trump) if trump else NO_SUIT
    strength: Any = game.look.strength
    if strength is None:
        return lambda name: (trump != "" and _printed(game, name)[0] == trump, codes[name])
    table: Any = game.table()
    if trump:
        setattr(table, next(fact.field for fact in game.codec.facts if fact.name == TRUMP), suit)
    return lambda name: (strength(table, codes[name]), codes[name])


def hand_order(game: Declaration, facts: Mapping[str, Any]) -> list[str]:
    """Return all cards of a game in the order in which hands lie at first.

    facts: those that a player sees, by name; they tell the trump.
    """
    orders = hand_orders(game)
    if game.look.hand == "strength":
        return orders.strength.get(facts.get(TRUMP) or "", orders.strength[""])
    return orders.rank if game.look.hand == "rank" else orders.suit
