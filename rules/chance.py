"""Random numbers by seed, game number and counter, and the shuffle that uses them.

The generator is Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as
1, 2, 3, SC 2011): a bijection of a counter under a key. Any game of a seed can be generated without the games before
it, with the same result on every machine. One 32-bit word gives unbiased numbers for several bounds (Brackett-Rozinsky,
Lemire: Batched ranged random integer generation, 2024).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Protocol

from rules.rule import effect, query, rule

WORD = 0xFFFFFFFF
DEALING, DECIDING = 0, 1
"""The purpose of a word, which is the last counter word: the deal and the dice of a game use different words."""
RETRY = 64
"""Blocks of words that one attempt to shuffle a deck may use."""
MAX_BOUND = 1 << 24
SEED_LIMIT = 2**63
"""The limit of seeds and game numbers: integers from 0 to one less than this."""


class Dice(Protocol):
    """The fields of a table by which dice are rolled: the seed and the number of the game, and how many were rolled."""

    seed: int
    number: int
    rolls: int


@query
def wide_product(one: int, other: int) -> tuple[int, int]:
    """The upper and the lower word of the product of two words.

    The product does not fit in a signed 64-bit integer, so compiled code uses a multiply instruction instead.
    """
    product = one * other
    return product >> 32, product & WORD


@query
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Four random 32-bit words for a counter of four words and a key of two (Philox4x32-10)."""
    for _ in range(10):
        upper0, lower0 = wide_product(0xD2511F53, c0)
        upper1, lower1 = wide_product(0xCD9E8D57, c2)
        c0, c1, c2, c3 = upper1 ^ c1 ^ k0, lower1, upper0 ^ c3 ^ k1, lower0
        k0 = k0 + 0x9E3779B9 & WORD
        k1 = k1 + 0xBB67AE85 & WORD
    return c0, c1, c2, c3


@query
def words_of(seed: int, number: int, block: int, purpose: int) -> tuple[int, int, int, int]:
    """Four random words: block `block` of those that game `number` of `seed` has for `purpose`."""
    return philox(number & WORD, number >> 32 & WORD, block, purpose, seed & WORD, seed >> 32 & WORD)


@query
def below(bound: int, seed: int, number: int, index: int) -> int:
    """An unbiased number from 0 to below `bound` (at most 2**24): the die that game `number` rolls at `index`."""
    attempt = DECIDING
    word = words_of(seed, number, index, attempt)[0]
    while not is_fair(word, bound):
        attempt += 1
        word = words_of(seed, number, index, attempt)[0]
    return word * bound >> 32


@rule
def roll(table: Dice, bound: int) -> int:
    """Roll a die in an effect: an unbiased number from 0 to below `bound` (at most 2**24), 0 for a bound below 1.

    Where the seed is negative, as in checks of all positions, the outcomes are the digits of `number`, each with the
    base of its die, the lowest one first. They are cut off it, and the seed becomes minus the product of all bases, of
    which no more than -2**24 is kept.
    """
    base = max(bound, 1)
    table.rolls += 1
    if table.seed >= 0:
        return below(base, table.seed, table.number, table.rolls - 1)
    outcome = table.number % base
    table.number //= base
    table.seed = max(table.seed * base, -MAX_BOUND)
    return outcome


@query
def is_fair(word: int, product: int) -> bool:
    """Whether `word` gives unbiased numbers for bounds with this product. Other words are rejected."""
    rest = word * product & WORD
    if rest >= product:
        return True
    return rest >= (WORD + 1) % product


def shuffle(deck: MutableSequence[int], seed: int, number: int) -> None:
    """Shuffle `deck` (at most 255 cards) in place, with the random words of game `number` of `seed`.

    Over the games of a seed all orders are equally likely.
    """
    words = [0] * words_for(len(deck))
    draw_words(words, 1, seed, number)
    shuffle_by_words(deck, words, 1, 0, seed, number)


@query
def words_for(cards: int) -> int:
    """How many random words a deck of `cards` needs: one for four cards, in whole blocks of four."""
    return (cards + 15 >> 4) * 4


@effect
def draw_words(words: MutableSequence[int], games: int, seed: int, first: int) -> None:
    """Fill `words` with the random words that shuffle `games` decks, from game `first` on.

    Each row holds one word for each game, so that a processor can compute the words of several games at once.
    """
    for block in range(len(words) // (4 * games)):
        for game in range(games):
            draw_block(words, games, game, seed, first + game, block)


@effect
def draw_block(words: MutableSequence[int], games: int, game: int, seed: int, number: int, block: int) -> None:
    """Store block `block` of the words of a game. Its index is the block number modulo RETRY."""
    index = block % RETRY * 4 * games + game
    first, second, third, fourth = words_of(seed, number, block, DEALING)
    words[index] = first
    words[index + games] = second
    words[index + 2 * games] = third
    words[index + 3 * games] = fourth


@effect
def shuffle_by_words(
    deck: MutableSequence[int], words: MutableSequence[int], games: int, game: int, seed: int, number: int
) -> None:
    """Shuffle the deck of game `number` of `seed` with its words, which are stored among the words of `games` games.

    If a word is rejected as biased, the deck is shuffled again with the words of later blocks.
    """
    block = 0
    while not shuffle_once(deck, words, games, game):
        block += RETRY
        for later in range(block, block + len(words) // (4 * games)):
            draw_block(words, games, game, seed, number, later)


@rule
def shuffle_once(deck: MutableSequence[int], words: Sequence[int], games: int, game: int) -> bool:
    """Shuffle by Fisher and Yates, from the last place down. Return whether all words were unbiased."""
    fair = True
    left, index = len(deck), game
    while left > 1:
        fair &= swap_four(deck, left, words[index])
        left -= 4
        index += games
    return fair


@rule
def swap_four(deck: MutableSequence[int], left: int, word: int) -> bool:
    """Fill the last four of the `left` open places, or all of them, by one random word.

    Return whether the word was unbiased.
    """
    first, second, third, fourth = max(left, 1), max(left - 1, 1), max(left - 2, 1), max(left - 3, 1)
    rest = swap_chosen(deck, first, word)
    rest = swap_chosen(deck, second, rest)
    rest = swap_chosen(deck, third, rest)
    swap_chosen(deck, fourth, rest)
    return is_fair(word, first * second * third * fourth)


@rule
def swap_chosen(deck: MutableSequence[int], left: int, word: int) -> int:
    """Swap the last of `left` places with one that `word` selects among them. Return the rest of the word's entropy."""
    chosen = word * left >> 32
    card = deck[chosen]
    deck[chosen] = deck[left - 1]
    deck[left - 1] = card
    return word * left & WORD
