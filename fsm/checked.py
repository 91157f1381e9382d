"""Validation of arguments: integers of any integer type, decks of card codes, and arrays that are written to.

Public functions convert numbers to plain `int` here: NumPy integers would overflow in the arithmetic of random words,
and machine code would be compiled again for their types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isfinite
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from rules.chance import SEED_LIMIT
from rules.notation import many, shown

if TYPE_CHECKING:
    import numpy as np

    from fsm.declaration import Declaration


MOST_THREADS = 1024
"""The greatest number of threads that may be asked for."""
FIRST_DEALER = 1
"""The dealer of a game that is played by itself, and of the first round of a match: player 1."""


def whole(what: str, number: SupportsIndex) -> int:
    """The plain integer that `number` is: an int or an integer of another library.

    Raises TypeError for everything else, also for truth values and for floating-point numbers without a fraction.
    """
    try:
        if isinstance(number, bool):
            raise TypeError
        return index(number)
    except TypeError:
        kind = type(number).__name__
        raise TypeError(f"{what}: {shown(number)} of type {kind}, expected a whole number") from None


def at_least(least: int, what: str, number: SupportsIndex) -> int:
    """A whole number that is not below `least`. Raises TypeError, or ValueError if it is."""
    plain = whole(what, number)
    if plain < least:
        raise ValueError(f"{what}: {shown(plain)}, expected {least} or more")
    return plain


def between(least: int, most: int, what: str, number: SupportsIndex) -> int:
    """A whole number from `least` to `most`. Raises TypeError, or ValueError if it is another one."""
    plain = whole(what, number)
    if not least <= plain <= most:
        raise ValueError(f"{what} {shown(plain)}, expected {least} to {most}")
    return plain


def real(what: str, number: float) -> float:
    """A finite number, also one of NumPy, as a plain one. Raises TypeError or ValueError."""
    if not isinstance(number, Real) or isinstance(number, bool):
        raise TypeError(f"{what}: {shown(number)} of type {type(number).__name__}, expected a number")
    if not isfinite(number):
        raise ValueError(f"{what}: {number}, expected a finite number")
    return float(number)


def thread_count(threads: SupportsIndex) -> int:
    """A number of threads. Raises TypeError or ValueError."""
    return between(1, MOST_THREADS, "threads", threads)


def seed_number(what: str, number: SupportsIndex) -> int:
    """A seed or the number of a game: 0 to below 2**63. Raises TypeError or ValueError."""
    plain = whole(what, number)
    if not 0 <= plain < SEED_LIMIT:
        raise ValueError(f"{what} {shown(plain)} is out of range, expected 0 to {SEED_LIMIT - 1}")
    return plain


def player_count(game: Declaration, players: SupportsIndex) -> int:
    """A number of players that plays `game`. Raises TypeError or ValueError."""
    plain = whole("players", players)
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
    start, count = whole("first", first), whole("games", games)
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
    codes = list(deck) if isinstance(deck, bytes | bytearray) else [whole("a card", card) for card in deck]
    expected = bytearray(game.deck_size)
    game.fill(expected)
    if sorted(codes) != sorted(expected):
        raise ValueError(_fault_of_deck(game, codes, Counter(expected)))
    return bytes(codes)


def _fault_of_deck(game: Declaration, codes: list[int], left: Counter[int]) -> str:
    """What is wrong with card codes that are not the whole deck; `left` are the codes of the whole deck."""
    for place, code in enumerate(codes, 1):
        if code not in left:
            return f"card {place}: {shown(code)} is no code of a card, expected one of {min(left)} to {max(left)}"
    if len(codes) != game.deck_size:
        return f"{many(len(codes), 'card')}, expected {game.deck_size}"
    often = next(code for code, count in Counter(codes).items() if count > left[code])
    name, times = game.codec.notation.cards[often], many(left[often], "time")
    return f"{name} is in the deck more than {times}, expected the whole deck of {game.deck_size} cards"


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
