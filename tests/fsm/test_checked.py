"""What callers give: numbers of every integer type mean the plain number, decks of every form are the deck they list."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsm import Game, MauMau, Uno
from fsm.check import survey
from fsm.edge.numbers import as_bool, as_int
from fsm.stepping.setup import deals
from maumau.kernels import bulk
from maumau.kernels.bulk.traffic import traffic

INTEGERS = sorted({np.dtype(code).type for code in np.typecodes["AllInteger"]}, key=str)
"""All scalar integer types of NumPy."""
NO_INTEGERS = [True, np.True_, 1.0, np.float64(1), "1", None, b"1", [1], np.array([1, 2])]
"""What is no whole number, though some of it equals one."""

kinds = st.sampled_from([MauMau, Uno])
types = st.sampled_from(INTEGERS)


@pytest.mark.parametrize("integer", INTEGERS)
def test_an_integer_of_any_type_is_the_plain_one(integer: Any) -> None:
    for number in (0, 5, 127):
        plain = as_int("number", integer(number))
        assert (plain, type(plain)) == (number, int)


@pytest.mark.parametrize("number", NO_INTEGERS, ids=repr)
def test_what_is_no_whole_number_is_refused_by_its_type(number: Any) -> None:
    with pytest.raises(TypeError, match=rf"seed: .* is of type {type(number).__name__}; give a whole number"):
        as_int("seed", number)


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_of_any_type_is_the_plain_one(value: bool) -> None:
    for given_value in (value, np.bool_(value), np.array(value)):
        assert as_bool("rotate", given_value) is value


@pytest.mark.parametrize("value", [0, 1, np.int8(1), 1.0, "True", None, [True], np.array([True])], ids=repr)
def test_what_is_no_truth_value_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(TypeError, match=rf"rotate: .* is of type {type(value).__name__}; give True or False"):
        as_bool("rotate", value)


# ---------------------------------------------------------------- games that are dealt


@given(kinds, types, types, st.integers(2, 4), st.integers(0, 127), st.integers(0, 127))
def test_numbers_of_numpy_deal_the_same_game(
    kind: type[Game], one: Any, other: Any, players: int, seed: int, number: int
) -> None:
    game = kind.deal(players, seed, number, ["random"])
    again = kind.deal(one(players), other(seed), one(number), ["random"])
    assert again == game
    assert kind.deck_of(other(players), one(seed), other(number)) == kind.deck_of(players, seed, number)
    assert again.position(seen_by=one(2)) == game.position(seen_by=2)
    assert kind.seated(one(players), ["house"]) == ("house",) * players
    for _ in range(10):  # the dice of random players, too
        assert (again.step(), again.position()) == (game.step(), game.position())


def test_game_5_of_seed_7_is_the_one_of_the_array_that_names_it() -> None:
    for number in np.arange(200):
        assert MauMau.deal(3, 7, number) == MauMau.deal(3, 7, int(number))


@pytest.mark.parametrize("number", [number for number in NO_INTEGERS if number is not None], ids=repr)
def test_what_is_no_whole_number_deals_no_game(number: Any) -> None:
    deck = MauMau.deck_of(2, 7)
    calls: dict[str, Callable[[], Any]] = {
        "players": lambda: MauMau.deal(number, 7),
        "seed": lambda: MauMau.deal(2, number),
        "number": lambda: MauMau.of_deck(2, deck, number=number),
        "player": lambda: MauMau.deal(2, 7).position(seen_by=number),
        "each": lambda: MauMau.with_deck("DS HS DQ", number),
        "games": lambda: survey(MauMau, number),
        "first": lambda: bulk.deal(2, 1, 7, number),
        "threads": lambda: bulk.total(2, 1, 7, threads=number),
    }
    for what, call in calls.items():
        with pytest.raises(TypeError, match=f"{what}: .* give a whole number"):
            call()


@pytest.mark.slow
@pytest.mark.parametrize("integer", INTEGERS)
def test_numbers_of_numpy_count_the_same(integer: Any) -> None:
    small = MauMau.with_deck("DS HS DQ", 1)
    assert MauMau.with_deck("DS HS DQ", integer(1)) is small
    assert list(deals(small, integer(2))) == list(deals(small, 2))
    assert survey(MauMau, integer(1), integer(3)).events == known_events()
    assert traffic(MauMau, integer(2), integer(30), integer(7)) == traffic(MauMau, 2, 30, 7)


@cache
def known_events() -> int:
    return survey(MauMau, 1, 3).events


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


# ---------------------------------------------------------------- arrays of decks, with a fresh and a cached kernel

ARRAYS = """
import sys
import tempfile
import numpy as np, pyarrow as pa
from maumau.kernels import bulk

messages = []
policy, logged, *games = sys.argv[1:]
for name in games:
    dealt = bulk.deal(3, 40, 7, game=name)
    file = tempfile.NamedTemporaryFile()
    dealt.tofile(file.name)
    read_only = dealt.copy()
    read_only.flags.writeable = False
    forms = {
        "bytes": dealt,
        "read-only": read_only,
        "memory map": np.memmap(file.name, np.uint8, "r", shape=dealt.shape),
        "writable memory map": np.memmap(file.name, np.uint8, "r+", shape=dealt.shape),
        "arrow": pa.array(dealt.ravel()).to_numpy().reshape(dealt.shape),
        "buffer": np.frombuffer(dealt.tobytes(), np.uint8).reshape(dealt.shape),
        "by columns": np.asfortranarray(dealt),
        "every second of twice as many": np.repeat(dealt, 2, axis=0)[::2],
        "lists": dealt.tolist(),
        **{f"integers {code}": dealt.astype(code) for code in np.typecodes["AllInteger"]},
        "big-endian": dealt.astype(">i4"),
    }
    for log in (False, True)[: 1 + int(logged)]:
        expected = None
        for form, decks in forms.items():
            for seed, first in ((7, 5), (np.int32(7), np.uint8(5)), (np.uint64(7), np.int16(5))):
                for threads in (1, np.int64(2)):
                    played = bulk.play(3, decks, [policy], seed=seed, first=first, threads=threads, log=log,
                                       tally=not log, game=name, notify=messages.append)
                    rows = played.games.tolist(), played.scores.tolist(), played.fired
                    expected = expected or rows
                    assert rows == expected, (name, form, seed, log)
    for number in (np.int8, np.uint8, np.int32, np.uint64, np.int64):
        assert (bulk.deal(number(3), number(40), number(7), number(0), game=name) == dealt).all(), number
        played = bulk.play_dealt(number(3), number(40), number(7), number(0), [policy], game=name, notify=messages.append)
        assert (played.games == bulk.play_dealt(3, 40, 7, 0, [policy], game=name).games).all(), number
        assert bulk.total(number(3), number(40), number(7), game=name, notify=messages.append).games == 40
print(len(messages))
"""
"""Plays decks in every form with seeds of every type, and prints how often a kernel had to be compiled."""


def compilations(cache: Path, policy: str, logged: bool, *games: str) -> int:
    """How many kernels the script compiles with a cache."""
    output = {**os.environ, "MAUMAU_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", ARRAYS, policy, str(int(logged)), *games],
        capture_output=True,
        text=True,
        env=output,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return int(done.stdout)


@pytest.mark.slow
def test_arrays_and_numbers_of_every_type_play_with_a_cached_kernel(kernel_folder: Path) -> None:
    decks = bulk.deal(3, 1, 7)
    bulk.play(3, decks, tally=True)
    bulk.play_dealt(3, 1, 7)
    assert compilations(kernel_folder, "house", False, "maumau") == 0


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["maumau", "uno"])
def test_arrays_and_numbers_of_every_type_play_with_a_fresh_and_with_a_cached_kernel(tmp_path: Path, game: str) -> None:
    assert compilations(tmp_path, "random", True, game) > 0
    assert compilations(tmp_path, "random", True, game) == 0


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
