"""Validation of arguments for a game: players, dealers, games, decks of card codes, and arrays that are written to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

from fsm.edge.numbers import as_int, between, seed_number
from rules.notation import many, shown

if TYPE_CHECKING:
    import numpy as np

    from fsm.declaration.declaration import Declaration


FIRST_DEALER = 1
"""The dealer of a game that is played by itself, and of the first round of a match: player 1."""


def player_count(game: Declaration, players: SupportsIndex) -> int:
    """A number of players that plays `game`. Raises TypeError or ValueError."""
    plain = as_int("players", players)
    if not game.codec.fewest <= plain <= game.codec.most:
        raise ValueError(f"{shown(plain)} players, expected {game.codec.fewest} to {game.codec.most}")
    return plain


def dealer_seat(game: Declaration, players: int, dealer: SupportsIndex) -> int:
    """The seat, from 0, of a dealer, from 1. Raises TypeError, or ValueError if `game` has no such dealer."""
    plain = between(1, players, "dealer", dealer)
    if plain != FIRST_DEALER and not game.knows_dealer:
        raise ValueError(f"dealer {plain}, expected none: {game.title} knows no dealer")
    return plain - 1


def game_numbers(first: SupportsIndex, games: SupportsIndex) -> tuple[int, int]:
    """The number of the first of some games in a row, and how many they are. Raises TypeError or ValueError."""
    start, count = as_int("first", first), as_int("games", games)
    if count < 0:
        raise ValueError(f"{shown(count)} games, expected none or more")
    seed_number("first", start)
    seed_number("the last game", start + count - 1 if count else 0)
    return start, count


def deck_codes(game: Declaration, deck: Iterable[SupportsIndex]) -> bytes:
    """The card codes of a whole deck of `game`, given as bytes, as an array or as any row of whole numbers.

    Raises TypeError for a card that is no whole number, ValueError if the cards are not those of the deck, each as
    often as it is there.
    """
    codes = list(deck) if isinstance(deck, bytes | bytearray) else [as_int("a card", card) for card in deck]
    expected = bytearray(game.deck_size)
    game.fill(expected)
    if sorted(codes) != sorted(expected):
        raise ValueError(_fault_of_deck(game, codes, Counter(expected)))
    return bytes(codes)


def _fault_of_deck(game: Declaration, codes: list[int], left: Counter[int]) -> str:
    """What is wrong with card codes that are not the whole deck; `left` are the codes of the whole deck."""
    for index, code in enumerate(codes, 1):
        if code not in left:
            return f"card {index}: {shown(code)} is no code of a card, expected one of {min(left)} to {max(left)}"
    if len(codes) != game.deck_size:
        return f"{many(len(codes), 'card')}, expected {game.deck_size}"
    often = next(code for code, count in Counter(codes).items() if count > left[code])
    name, times = game.codec.notation.cards[often], many(left[often], "time")
    return f"{name} is in the deck more than {times}, expected the whole deck of {game.deck_size} cards"


def as_array(what: str, given: object) -> np.ndarray[Any, Any]:
    """What is given, as an array. Raises TypeError for truth values in a sequence, ValueError for masked numbers.

    NumPy takes both for numbers.
    """
    import numpy as np

    if np.ma.is_masked(given):
        raise ValueError(f"{what}: some numbers are masked, expected all of them")
    if not isinstance(given, np.ndarray):
        for number in np.asarray(given, object).flat:
            if isinstance(number, bool | np.bool_):
                raise TypeError(f"{what}: {number} of type {type(number).__name__}, expected a whole number")
    return np.asarray(given)


def check_output(what: str, array: object, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raise TypeError or ValueError unless machine code can write into `array`, which is given to it by its address.

    It must be a NumPy array of exactly this shape and type, writable, aligned and contiguous in C order.
    """
    import numpy as np

    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{what} of type {type(array).__name__}, expected a NumPy array")
    if array.shape != shape:
        raise ValueError(f"{what}: shape {array.shape}, expected {shape}")
    if array.dtype != dtype:
        raise ValueError(f"{what}: an array of {array.dtype}, expected {dtype}")
    if not array.flags.writeable:
        raise ValueError(f"{what}: a read-only array, expected one that may be written to")
    if not array.flags.carray:
        raise ValueError(f"{what}: strides {array.strides}, expected an aligned array in C order")
