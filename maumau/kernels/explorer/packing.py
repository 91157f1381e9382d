"""The source of what depends on the game in packing positions (`maumau.kernels.compiled.packing`)."""

from __future__ import annotations

from textwrap import indent

from fsm.check.packing import MOST, PER_WORD, PositionLayout, least
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.packing import SMALL


def packing_functions(game: Declaration) -> list[str]:
    """The functions between the facts and lists of a table and the words of its row."""
    layout = PositionLayout.of(game)
    return [_in_range(layout), _pack_heads(layout), _unpack_heads(layout), *_lists(layout)]


def _in_range(layout: PositionLayout) -> str:
    inside = [f"{-least(fact)} <= table.{fact.field} < {MOST}" for fact in layout.scalars]
    return f'''def in_range(table):
    """Whether all facts are numbers that a row has room for."""
    return {" and ".join(inside) or True}'''


def _pack_heads(layout: PositionLayout) -> str:
    values = ["phase", *(f"table.{fact.field} + {least(fact)}" for fact in layout.scalars), "table.stock", "size"]
    shifted = [f"({value}) << {8 * (index % PER_WORD)}" for index, value in enumerate(values)]
    words = [shifted[PER_WORD * word : PER_WORD * (word + 1)] for word in range(layout.heads)]
    lines = "\n".join(f"    row[{number}] = {' | '.join(word)}" for number, word in enumerate(words))
    return f'''def pack_heads(table, phase, size, row):
    """Write the phase, the facts, the sizes of the draw pile and of both piles into the first words of `row`."""
{lines}'''


def _unpack_heads(layout: PositionLayout) -> str:
    targets = [*(f"table.{fact.field}" for fact in layout.scalars), "table.stock", "size"]
    added = [*map(least, layout.scalars), 0, 0]
    lines = [
        f"{target} = (row[{index // PER_WORD}] >> {8 * (index % PER_WORD)} & {SMALL}) - {less}"
        for index, (target, less) in enumerate(zip(targets, added, strict=True), 1)
    ]
    return f'''def unpack_heads(table, row):
    """Read the facts and the size of the draw pile from `row`; the size of both piles."""
{indent(chr(10).join(lines), "    ")}
    return size'''


def _lists(layout: PositionLayout) -> list[str]:
    """The functions that write the lists of seats, and that read them."""
    docs = {"pack": "Write the lists of seats into `row`", "unpack": "Read the lists of seats from `row`"}
    return [
        "\n".join(
            [
                f"def {verb}_lists(table, row):",
                f'    """{docs[verb]}; the word after them."""',
                f"    at = {layout.heads}",
                *(f"    at = {called}(row, at, table.{name}, table.players)" for name in layout.lists),
                "    return at",
            ]
        )
        for verb, called in (("pack", "put"), ("unpack", "get"))
    ]
