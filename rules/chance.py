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
    """Put the cards of `deck` (at most 255) in the order that game `number` of `seed` has: unbiased, after Fisher and
    Yates, from the last place down; each random word settles four places.
    """
    left = len(deck)
    block = 0
    while left > 1:
        first, second, third, fourth = words_of(seed, number, block, DEALING)
        left = settle_four(deck, left, first)
        left = settle_four(deck, left, second)
        left = settle_four(deck, left, third)
        left = settle_four(deck, left, fourth)
        block += 1


@rule
def settle_four(deck: MutableSequence[int], left: int, word: int) -> int:
    """Settle the last four of the `left` places that are open, by one random word; how many are open then.

    A word that would favour some orders settles none.
    """
    second, third, fourth = max(left - 1, 1), max(left - 2, 1), max(left - 3, 1)
    if not is_fair(word, max(left, 1) * second * third * fourth):
        return left
    word = settle(deck, max(left, 1), word)
    word = settle(deck, second, word)
    word = settle(deck, third, word)
    settle(deck, fourth, word)
    return left - 4


@rule
def settle(deck: MutableSequence[int], left: int, word: int) -> int:
    """Swap the last of `left` places with one that `word` chooses among them; what is left of the word's chance."""
    chosen = word * left >> 32
    card = deck[chosen]
    deck[chosen] = deck[left - 1]
    deck[left - 1] = card
    return word * left & WORD
