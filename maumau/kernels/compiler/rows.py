"""What the functions of `maumau.kernels.compiled.rows` read of a game, how wide rows are, and which bits they use.

A row has words of small numbers, a word for each seat of each list, then the piles whose cards lie in an order and both
piles, in bytes. Equal rows are equal positions.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from fsm.declaration.declaration import Declaration
from fsm.table.layout import layout_of
from maumau.kernels.compiled.rows import PER_WORD
from maumau.kernels.compiler.source import Constants
from rules.queues import QUEUE_BYTES


def row_constants(game: Declaration) -> Constants:
    """Return what rows read of a game: seats, cards and suits may be none, -1."""
    layout = layout_of(game)
    facts = [(fact.field, int(bool(fact.holds.of)), fact.limit) for fact in layout.facts]
    heads = enumerate([*(fact[:2] for fact in facts), ("stock", 0), ("", 0)], 1)
    return {
        "FACT_RANGES": tuple((field, -less, most) for field, less, most in facts),
        "HEADS": tuple((*head, index // PER_WORD, 8 * (index % PER_WORD)) for index, head in heads),
        "HEAD_WORDS": _heads(game),
        "LISTS_PACKED": layout.lists,
        "QUEUES_PACKED": tuple((fact.field, fact.in_middle) for fact in layout.queues),
    }


def row_width(game: Declaration, players: int) -> int:
    """Return the words of a row for a number of players."""
    layout = layout_of(game)
    queues = sum(_words(len(fact.piles(players)) * QUEUE_BYTES) for fact in layout.queues)
    return _heads(game) + len(layout.lists) * players + queues + _words(game.deck_size)


def bits_in_use(game: Declaration, players: int) -> list[int]:
    """Return a mask for each word of a row: the bits that are in use at most, with the deck of the game."""
    layout, notation, size = layout_of(game), game.codec.notation, game.deck_size
    counts = ((fact, len(fact.holds.names(notation, players))) for fact in layout.facts)
    facts = (1 << count if fact.holds.is_set else count or fact.most for fact, count in counts)
    card, dealt = _ones(len(notation.cards)), sum(1 << code for code in {*game.full_deck()})
    queue = QUEUE_BYTES * [card | _ones(size)]
    queues = (_masks(queue * len(fact.piles(players))) for fact in layout.queues)
    lists = [dealt if name in layout.hands else -1 for name in layout.lists for _ in range(players)]
    heads = map(_ones, (len(game.phases), *facts, size, size))
    return [*_masks(heads), *lists, *chain.from_iterable(queues), *_masks([card] * size)]


def _heads(game: Declaration) -> int:
    """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
    return _words(len(layout_of(game).facts) + 3)


def _words(small: int) -> int:
    """Return the words of so many small numbers."""
    return (small + PER_WORD - 1) // PER_WORD


def _ones(most: int) -> int:
    """The bits of numbers up to `most`."""
    return (1 << most.bit_length()) - 1


def _masks(small: Iterable[int]) -> list[int]:
    """Masks of small numbers, as they lie in words."""
    masks = list(small)
    words = (masks[first : first + PER_WORD] for first in range(0, len(masks), PER_WORD))
    return [sum(mask << 8 * place for place, mask in enumerate(word)) for word in words]
