"""What callers give: truth values of every type, and decks of every form, which are the deck that they list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsm import Game, MauMau, Uno
from fsm.edge.numbers import as_bool
from maumau.kernels import bulk

INTEGERS = sorted({np.dtype(code).type for code in np.typecodes["AllInteger"]}, key=str)
"""All scalar integer types of NumPy."""


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_of_any_type_is_the_plain_one(value: bool) -> None:
    for given_value in (value, np.bool_(value), np.array(value)):
        assert as_bool("rotate", given_value) is value


@pytest.mark.parametrize("value", [0, 1, np.int8(1), 1.0, "True", None, [True], np.array([True])], ids=repr)
def test_what_is_no_truth_value_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(TypeError, match=rf"rotate: .* is of type {type(value).__name__}; give True or False"):
        as_bool("rotate", value)


# ---------------------------------------------------------------- decks that are given to a stepped game


def forms(deck: Sequence[int]) -> list[Any]:
    """A deck in every form in which a caller may have it."""
    codes = list(deck)
    read_only = np.array(codes, np.uint8)
    read_only.flags.writeable = False
    arrays = [np.array(codes, integer) for integer in INTEGERS]
    scalars = [integer(code) for integer, code in zip(INTEGERS * len(codes), codes, strict=False)]
    return [bytes(codes), bytearray(codes), codes, tuple(codes), iter(codes), scalars, read_only, *arrays]


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_a_deck_is_dealt_in_whatever_form_it_comes(kind: type[Game]) -> None:
    deck = kind.deck_of(2, 7, 5)
    expected = kind.deal(2, 7, 5)
    for form in forms(deck):
        game = kind.of_deck(2, form)
        assert game == expected
        assert all(type(card) is int for card in game.dealt_deck())


FAULTS: dict[str, tuple[Any, str]] = {
    "one card 32 times": ([0] * 32, "DQ is in the deck more than 1 time; use the whole deck of 32 cards"),
    "a card twice": ([*range(31), 7], "CK is in the deck more than 1 time"),
    "33 cards": ([*range(32), 0], "33 cards are not the whole deck; use 32"),
    "31 cards": (bytes(range(31)), "31 cards are not the whole deck; use 32"),
    "no cards": ((), "no cards are not the whole deck; use 32"),
    "a code beyond": ([*range(31), 32], "card 32: 32 is not a code of a card; use 0 to 31"),
    "a code of many digits": ([*range(31), 10**40], "card 32: 1000"),
    "a code below": (np.array([-1, *range(1, 32)]), "card 1: -1 is not a code of a card"),
}


@pytest.mark.parametrize(("deck", "fault"), FAULTS.values(), ids=FAULTS)
def test_what_is_not_the_whole_deck_is_refused(deck: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        MauMau.of_deck(2, deck)


@pytest.mark.parametrize("card", [True, 1.0, "SS", None])
def test_a_card_that_is_no_code_is_refused(card: Any) -> None:
    with pytest.raises(TypeError, match=r"a card: .* give a whole number"):
        MauMau.of_deck(2, [card, *range(1, 32)])


def test_of_two_copies_of_a_card_uno_has_two() -> None:
    deck = Uno.full_deck()
    deck[deck.index(10)] = 11
    with pytest.raises(ValueError, match="is in the deck more than 2 times; use the whole deck of 108 cards"):
        Uno.of_deck(2, deck)


@pytest.mark.parametrize("players", [0, 1, 5, -2])
def test_a_number_of_players_that_does_not_play_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"^{players} player{'s' * (players != 1)} cannot play; use 2 to 4"):
        MauMau.of_deck(players, range(32))


# ---------------------------------------------------------------- arrays of decks


def test_an_array_is_played_in_whatever_form_it_comes(tmp_path: Path) -> None:
    dealt, file = bulk.deal(3, 40, 7), tmp_path / "decks"
    dealt.tofile(file)
    forms = [
        np.memmap(file, np.uint8, "r", shape=dealt.shape),
        np.memmap(file, np.uint8, "r+", shape=dealt.shape),
        np.frombuffer(dealt.tobytes(), np.uint8).reshape(dealt.shape),
        np.asfortranarray(dealt),
        np.repeat(dealt, 2, axis=0)[::2],
        dealt.tolist(),
        dealt.astype(">i4"),
        *(dealt.astype(integer) for integer in INTEGERS),
    ]
    expected = bulk.play(3, dealt, ["random"], seed=7)
    for decks in forms:
        played = bulk.play(3, decks, ["random"], seed=7)
        assert (played.games == expected.games).all()
        assert (played.scores == expected.scores).all()


@pytest.mark.parametrize("writeable", [True, False])
def test_the_deck_that_is_wrong_is_named_wherever_it_lies(writeable: bool) -> None:
    decks = bulk.deal(2, 20_000, 7)
    decks[17_000, 3] = decks[17_000, 4]
    decks.flags.writeable = writeable
    with pytest.raises(ValueError, match="deck 17000 is not a whole deck; use each of the 32 cards once"):
        bulk.play(2, decks)


def test_decks_are_not_written_to() -> None:
    decks = bulk.deal(2, 100, 7)
    before = decks.copy()
    bulk.play(2, decks)
    assert (decks == before).all()
