"""Positions as rows of integers: the source that packs those of a game, and where bits in use lie in packed rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from textwrap import indent

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from fsm.table.layout import PER_WORD, Layout, layout_of, least
from maumau.kernels.compiled.rows import PACKED, SMALL, get, get_bytes, put, put_bytes
from rules.queues import QUEUE_BYTES

PACKING = get, get_bytes, put, put_bytes
"""What the functions call that pack positions."""


def packing_functions(game: Declaration) -> list[str]:
    """The functions between the facts and lists of a table and the words of its row."""
    layout = layout_of(game)
    return [_in_range(layout), _pack_heads(layout), _unpack_heads(layout), *_lists(layout)]


def _in_range(layout: Layout) -> str:
    inside = [f"{-least(fact)} <= table.{fact.field} <= {fact.most}" for fact in layout.facts]
    return f'''def in_range(table):
    """Whether all facts are numbers that a row has room for."""
    return {" and ".join(inside) or True}'''


def _pack_heads(layout: Layout) -> str:
    values = [
        "phase",
        *(f"table.{fact.field} + {least(fact)}" for fact in layout.facts),
        "table.stock",
        "size",
    ]
    shifted = [f"({value}) << {8 * (index % PER_WORD)}" for index, value in enumerate(values)]
    words = [shifted[PER_WORD * word : PER_WORD * (word + 1)] for word in range(layout.heads)]
    lines = "\n".join(f"    row[{number}] = {' | '.join(word)}" for number, word in enumerate(words))
    return f'''def pack_heads(table, phase, size, row):
    """Write the phase, the facts, the sizes of the draw pile and of both piles into the first words of `row`."""
{lines}'''


def _unpack_heads(layout: Layout) -> str:
    targets = [*(f"table.{fact.field}" for fact in layout.facts), "table.stock", "size"]
    added = [*map(least, layout.facts), 0, 0]
    lines = [
        f"{target} = (row[{index // PER_WORD}] >> {8 * (index % PER_WORD)} & {SMALL}) - {less}"
        for index, (target, less) in enumerate(zip(targets, added, strict=True), 1)
    ]
    return f'''def unpack_heads(table, row):
    """Read the facts and the size of the draw pile from `row`; the size of both piles."""
{indent(chr(10).join(lines), "    ")}
    return size'''


def _lists(layout: Layout) -> list[str]:
    """The functions that write the lists of seats and the ordered piles, and that read them."""
    docs = {"pack": "Write the lists of seats and the ordered piles into `row`", "unpack": "Read them from `row`"}
    queues = [(f"table.{fact.field}", "1" if fact.in_middle else "table.players") for fact in layout.queues]
    return [
        "\n".join(
            [
                f"def {verb}_lists(table, row):",
                f'    """{docs[verb]}; the word after them."""',
                f"    at = {layout.heads}",
                *(f"    at = {called}(row, at, table.{name}, table.players)" for name in layout.lists),
                *(f"    at = {called}_bytes(row, at, {name}, {count} * {QUEUE_BYTES})" for name, count in queues),
                "    return at",
            ]
        )
        for verb, called in (("pack", "put"), ("unpack", "get"))
    ]


# ---------------------------------------------------------------- where the bits in use lie in packed rows


BITS = 64
NOTHING = ((0, 0, 0, 0),)
"""A piece without bits, by which packed rows have a word."""


def packed_layout(used: Sequence[int], begun: Sequence[Sequence[int]] = NOTHING) -> Array:
    """A layout of some bits, a mask for each word of a row. begun: the pieces of another one, which stay in place."""
    pieces, taken = list(begun), Counter[int]()
    for _, mask, target, _ in begun:
        taken[target] += _count(mask)
    for word in sorted(range(len(used)), key=lambda word: -_count(used[word])):
        bits = _count(used[word])
        target = next(each for each in count() if taken[each] + bits <= BITS)
        pieces += [(word, used[word], target, taken[target])] * (bits > 0)
        taken[target] += bits
    return np.array(sorted(pieces, key=lambda piece: piece[PACKED]), np.int64)


def words_of(layout: Array) -> int:
    """The words of a packed row."""
    return int(layout[-1, PACKED]) + 1


def _count(mask: int) -> int:
    """How many bits a word has, which may be negative."""
    return (mask % (1 << BITS)).bit_count()
