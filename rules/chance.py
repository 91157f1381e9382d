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


@rule
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Four random 32-bit words for a counter of four words and a key of two (Philox4x32-10)."""
    for _ in range(10):
        p0 = 0xD2511F53 * c0
        p1 = 0xCD9E8D57 * c2
        c0 = (p1 >> 32 & WORD) ^ c1 ^ k0
        c1 = p1 & WORD
        c2 = (p0 >> 32 & WORD) ^ c3 ^ k1
        c3 = p0 & WORD
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
    attempt = 0
    while True:
        word = words_of(seed, number, place, DECIDING + attempt)[0]
        if is_fair(word, bound):
            return word * bound >> 32
        attempt += 1


@rule
def is_fair(word: int, product: int) -> bool:
    """Whether `word` may serve for bounds with this product: else some outcomes would come up too often."""
    rest = word * product & WORD
    return rest >= product or rest >= (1 << 32) % product


@rule
def shuffle(deck: MutableSequence[int], seed: int, number: int) -> None:
    """Put the cards of `deck` in the order that game `number` of `seed` has: Fisher and Yates, unbiased.

    One random word serves as many bounds as have a product of at most 2**24; a word that would favour some
    orders is passed over.
    """
    block = 0
    word, second, third, fourth = words_of(seed, number, block, DEALING)
    left = 4
    end = len(deck)
    while end > 1:
        product = end
        start = end - 1
        while start > 1 and product * start <= 1 << 24:
            product *= start
            start -= 1
        fair = False
        while not fair:
            if left == 0:
                block += 1
                word, second, third, fourth = words_of(seed, number, block, DEALING)
                left = 4
            chosen = word
            word, second, third = second, third, fourth
            left -= 1
            fair = is_fair(chosen, product)
        for bound in range(end, start, -1):
            place = chosen * bound >> 32
            chosen = chosen * bound & WORD
            card = deck[place]
            deck[place] = deck[bound - 1]
            deck[bound - 1] = card
        end = start
