"""Generated code for the positions of a game: what packs them into rows, compares them and hashes them."""

from __future__ import annotations

from textwrap import indent

from fsm.declaration.facts import MAX_NUMBER
from fsm.table.layout import PER_WORD, Layout, least
from rules.chance import WORD
from rules.queues import QUEUE_BYTES

SMALL = 0xFF
"""The bits of a small number or of a card in a row."""
MIX = 0x9E3779B1
"""An odd number near 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4)."""


def row_functions(layout: Layout) -> list[str]:
    """Return the functions between the facts and lists of a table and the words of its row.

    They call `put`, `get`, `put_bytes` and `get_bytes` of `maumau.kernels.compiled.rows`.
    """
    return [_in_range(layout), _pack_heads(layout), _unpack_heads(layout), *_lists(layout)]


def _in_range(layout: Layout) -> str:
    most = {fact: MAX_NUMBER if fact.holds.is_set else fact.most for fact in layout.facts}
    inside = [f"{-least(fact)} <= table.{fact.field} <= {most[fact]}" for fact in layout.facts]
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


# ---------------------------------------------------------------- where a position returns


def same_position_function(layout: Layout) -> str:
    """Return a function that compares what makes a position: facts, lists and piles."""
    game = layout.game
    compared = "\n".join(f"    if one.{name} != other.{name}:\n        return False" for name in layout.compared)
    rows = "\n".join(
        f"    for place in range(len(one.{name})):\n        if {_unlike(layout, name)}:\n            return False"
        for name in (*layout.lists, *(fact.field for fact in layout.queues))
    )
    before = "" if game.return_ends else ", before the same die"
    looks, unlike = "", "one.ring[here] != other.ring[there]"
    if layout.alike:  # cards that look alike are one
        notation = game.codec.notation
        looks = f"LOOKS = np.array({tuple(map(notation.card, notation.cards))}, np.int64)\n\n\n"
        unlike = "LOOKS[one.ring[here]] != LOOKS[other.ring[there]]"
    return f'''{looks}def same_position(one, other):
    """Whether two tables show the same position, facts, hands, and the order of both piles{before}."""
{compared}
{rows}
    if one.tail - one.head != other.tail - other.head:
        return False
    for place in range(one.tail - one.head):
        here, there = one.head + place & len(one.ring) - 1, other.head + place & len(other.ring) - 1
        if {unlike}:
            return False
    return True'''


def _unlike(layout: Layout, name: str) -> str:
    """The condition that a place of a list differs on two tables."""
    one, other = f"one.{name}[place]", f"other.{name}[place]"
    alike = layout.alike
    if name != "hands" or not alike:
        return f"{one} != {other}"
    counts = [f"({one} & {mask}).bit_count() != ({other} & {mask}).bit_count()" for mask in alike]
    return " or ".join([f"({one} ^ {other}) & {~sum(alike)} != 0", *counts])


def hash_function(layout: Layout) -> str:
    """Return a function that mixes facts, lists and the number of cards on the piles, but no cards that look alike."""
    values = [f"table.{fact.field}" for fact in layout.facts] + ["table.stock", "table.tail - table.head"]
    lines = [f"    mixed = (mixed ^ {value}) * {MIX} & {WORD}" for value in values]
    for name in layout.lists:
        value = f"table.{name}[place]"
        if name == "hands" and layout.alike:
            value = f"({value} & {~sum(layout.alike)})"
        lines += [
            f"    for place in range(len(table.{name})):",
            f"        mixed = (mixed ^ {value} ^ {value} >> 32) * {MIX} & {WORD}",
            "        mixed ^= mixed >> 15",
        ]
    body = "\n".join(lines)
    return f'''def hash_of(table, phase):
    """The same number for the same position: 32 bits that mix the facts and the hands."""
    mixed = phase
{body}
    return mixed'''
