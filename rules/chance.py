"""Chance that can be looked up: random words by seed, game number and place, and the shuffle made of them.

The generator is Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as
1, 2, 3, SC 2011): a bijection of a counter under a key, so that game 123,456,789 of a seed is found without the
games before it, on every machine. Numbers below a bound come unbiased from one 32-bit word for several bounds
at a time (Brackett-Rozinsky, Lemire: Batched ranged random integer generation, 2024).
"""

from __future__ import annotations

from collections.abc import MutableSequence

from rules.rule import rule

WORD = 0xFFFFFFFF
DEALING, DECIDING = 0, 1
"""What a word is for: the last counter word keeps the deal and the dice of one game apart."""
SEED_LIMIT = 2**63
"""Seeds and game numbers are whole numbers from 0 to below this."""


def wide_product(one: int, other: int) -> tuple[int, int]:
    """The upper and the lower word of the product of two words.

    It does not fit in a signed 64-bit number, so compiled code has an instruction of its own in place of this.
    """
    product = one * other
    return product >> 32, product & WORD


@rule
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Four random 32-bit words for a counter of four words and a key of two (Philox4x32-10)."""
    for _ in range(10):
        upper0, lower0 = wide_product(0xD2511F53, c0)
        upper1, lower1 = wide_product(0xCD9E8D57, c2)
        c0, c1, c2, c3 = upper1 ^ c1 ^ k0, lower1, upper0 ^ c3 ^ k1, lower0
        k0 = k0 + 0x9E3779B9 & WORD
        k1 = k1 + 0xBB67AE85 & WORD
    return c0, c1, c2, c3


@rule
def words_of(seed: int, number: int, block: int, purpose: int) -> tuple[int, int, int, int]:
    """Four random words: block `block` of those that game `number` of `seed` has for `purpose`."""
    return philox(number & WORD, number >> 32 & WORD, block, purpose, seed & WORD, seed >> 32 & WORD)


@rule
def below(bound: int, seed: int, number: int, place: int) -> int:
    """An unbiased number from 0 to below `bound` (at most 2**24): the die that game `number` rolls at `place`."""
    attempt = DECIDING
    word = words_of(seed, number, place, attempt)[0]
    while not is_fair(word, bound):
        attempt += 1
        word = words_of(seed, number, place, attempt)[0]
    return word * bound >> 32


@rule
def is_fair(word: int, product: int) -> bool:
    """Whether `word` may serve for bounds with this product; if all words did, some outcomes would come too often."""
    rest = word * product & WORD
    if rest >= product:
        return True
    return rest >= (WORD + 1) % product


@rule
def shuffle(deck: MutableSequence[int], seed: int, number: int) -> None:
    """Put the cards of `deck` (at most 255) in the order that game `number` of `seed` has.

    Over the games of a seed all orders are equally likely.
    """
    first_block = 0
    while not settle_all(deck, seed, number, first_block):
        first_block += 64


@rule
def settle_all(deck: MutableSequence[int], seed: int, number: int, block: int) -> bool:
    """Shuffle after Fisher and Yates, from the last place down, with the random words from `block` on.

    False if a word was unfair: then the order of the deck has no meaning, and it must be shuffled again.
    """
    fair = True
    left = len(deck)
    while left > 1:
        first, second, third, fourth = words_of(seed, number, block, DEALING)
        fair &= settle_four(deck, left, first)
        fair &= settle_four(deck, left - 4, second)
        fair &= settle_four(deck, left - 8, third)
        fair &= settle_four(deck, left - 12, fourth)
        left -= 16
        block += 1
    return fair


@rule
def settle_four(deck: MutableSequence[int], left: int, word: int) -> bool:
    """Settle by one random word the last four of the `left` places that are open, or as many as there are; whether
    the word was fair.
    """
    first, second, third, fourth = max(left, 1), max(left - 1, 1), max(left - 2, 1), max(left - 3, 1)
    rest = settle(deck, first, word)
    rest = settle(deck, second, rest)
    rest = settle(deck, third, rest)
    settle(deck, fourth, rest)
    return is_fair(word, first * second * third * fourth)


@rule
def settle(deck: MutableSequence[int], left: int, word: int) -> int:
    """Swap the last of `left` places with one that `word` chooses among them; what is left of the word's chance."""
    chosen = word * left >> 32
    card = deck[chosen]
    deck[chosen] = deck[left - 1]
    deck[left - 1] = card
    return word * left & WORD
