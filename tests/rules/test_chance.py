"""Chance: the generator's published answers, and shuffles and dice that favour nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import pytest

from rules.chance import DECIDING, SEED_LIMIT, below, is_fair, philox, shuffle, words_of

ONES = 0xFFFFFFFF


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def shuffled(size: int, seed: int, number: int) -> tuple[int, ...]:
    deck = list(range(size))
    shuffle(deck, seed, number)
    return tuple(deck)


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_known_answers_of_random123(
    counter: tuple[int, ...], key: tuple[int, ...], answer: tuple[int, ...]
) -> None:
    assert philox(*counter, *key) == answer


@pytest.mark.parametrize("size", [0, 1, 2, 7, 32, 108, 144])
def test_a_shuffle_keeps_all_cards(size: int) -> None:
    assert sorted(shuffled(size, 7, 0)) == list(range(size))


def test_equal_seeds_and_numbers_give_equal_decks_and_others_do_not() -> None:
    decks = {(seed, number): shuffled(32, seed, number) for seed in range(20) for number in range(20)}
    assert all(deck == shuffled(32, *key) for key, deck in decks.items())
    assert len(set(decks.values())) == len(decks)


def test_every_word_of_seed_and_number_counts() -> None:
    near = [(0, 0), (1, 0), (1 << 32, 0), (0, 1), (0, 1 << 32), (SEED_LIMIT - 1, 0), (0, SEED_LIMIT - 1)]
    assert len({shuffled(32, seed, number) for seed, number in near}) == len(near)


@pytest.mark.parametrize("way", ["numbers of one seed", "one number of many seeds"])
def test_every_order_of_four_cards_is_equally_likely(way: str) -> None:
    games = 24 * 400
    keys = ((7, place) if way == "numbers of one seed" else (place, 7) for place in range(games))
    counts = Counter(shuffled(4, *key) for key in keys)
    assert set(counts) == set(permutations(range(4)))
    # 23 degrees of freedom: above 71 in one of a million fair samples
    assert chi_square(counts.values(), 400) < 71


def test_every_card_is_equally_likely_at_every_place_of_a_full_deck() -> None:
    games = 32 * 60
    counts = Counter(spot for number in range(games) for spot in enumerate(shuffled(32, 1, number)))
    assert len(counts) == 32 * 32
    # 31 * 31 degrees of freedom: mean 961, standard deviation 44
    assert 961 - 5 * 44 < chi_square(counts.values(), 60) < 961 + 5 * 44


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 24])
def test_every_face_of_a_die_is_equally_likely(bound: int) -> None:
    rolls = Counter(below(bound, 3, number, place) for number in range(100) for place in range(24))
    assert set(rolls) == set(range(bound))
    # at most 23 degrees of freedom, as above
    assert chi_square(rolls.values(), 2400 / bound) < 71


def test_a_die_does_not_reveal_the_deck() -> None:
    faces = [below(32, 5, number, 0) for number in range(640)]
    bottoms = [shuffled(32, 5, number)[31] for number in range(640)]
    assert sum(face == bottom for face, bottom in zip(faces, bottoms, strict=True)) < 50


@pytest.mark.parametrize("bound", [1, 2, 4, 1 << 24])
@pytest.mark.parametrize("word", [0, 1, 255, 256, 1 << 31, ONES])
def test_every_word_is_fair_for_a_power_of_two(word: int, bound: int) -> None:
    assert is_fair(word, bound)


@pytest.mark.parametrize(
    ("bound", "unfair"),
    [
        # 2**32 = 3 * 1431655765 + 1: one word must go
        (3, {0}),
        # 2**32 % 6 = 4: the words whose product ends on 0 or 2 go, two of each
        (6, {0, 1 << 31, 1431655766 // 2, (1431655766 // 2) + (1 << 31)}),
    ],
)
def test_exactly_the_words_too_many_are_unfair(bound: int, unfair: set[int]) -> None:
    near = {(word + step) & ONES for word in (*unfair, ONES) for step in range(-300, 300)}
    near |= {(ONES * face // bound + step) & ONES for face in range(bound) for step in range(-300, 300)}
    assert {word for word in near if not is_fair(word, bound)} == unfair
    assert ((1 << 32) - len(unfair)) % bound == 0


def test_a_word_that_would_favour_some_numbers_is_not_taken() -> None:
    bound = (1 << 24) - (1 << 15)
    unfair = [number for number in range(2000) if not is_fair(words_of(7, number, 0, DECIDING)[0], bound)]
    assert unfair
    for number in unfair:
        attempts = (words_of(7, number, 0, DECIDING + attempt)[0] for attempt in range(9))
        taken = next(word for word in attempts if word * bound % (1 << 32) >= (1 << 32) % bound)
        assert below(bound, 7, number, 0) == taken * bound >> 32
