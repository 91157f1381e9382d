"""The source that packs positions into rows of integers: equal rows are equal positions."""

from __future__ import annotations

from textwrap import indent

from fsm.check.packing import MOST, PER_WORD, PositionLayout, least
from fsm.declaration.declaration import Declaration


def packing_source(game: Declaration) -> str:
    """The functions `pack` and `unpack` between a table and its row."""
    layout = PositionLayout.of(game)
    numbers = ["phase", *(f"table.{fact.field} + {least(fact)}" for fact in layout.scalars), "table.stock", "size"]
    inside = [f"{-least(fact)} <= table.{fact.field} < {MOST}" for fact in layout.scalars]
    indices = [f"({number}) << {8 * (index % PER_WORD)}" for index, number in enumerate(numbers)]
    heads = [
        f"row[{word}] = {' | '.join(indices[PER_WORD * word : PER_WORD * (word + 1)])}" for word in range(layout.heads)
    ]
    facts = [
        f"table.{fact.field} = (row[{index // PER_WORD}] >> {8 * (index % PER_WORD)} & 127) - {least(fact)}"
        for index, fact in enumerate(layout.scalars, 1)
    ]
    sizes = [
        f"{name} = row[{index // PER_WORD}] >> {8 * (index % PER_WORD)} & 127"
        for index, name in enumerate(("table.stock", "size"), len(layout.scalars) + 1)
    ]
    text = PACKING
    text = text.replace("$INSIDE", " and ".join([*inside, "0 <= table.stock <= size <= cards"]))
    text = text.replace("$HEADS", indent("\n".join(heads), "    ").lstrip())
    text = text.replace("$FACTS", indent("\n".join(facts + sizes), "    ").lstrip())
    put = [f"row[at + {index} * table.players + seat] = table.{name}[seat]" for index, name in enumerate(layout.lists)]
    get = [f"table.{name}[seat] = row[at + {index} * players + seat]" for index, name in enumerate(layout.lists)]
    text = text.replace("$PUT", indent("\n".join(put), "        ").lstrip())
    text = text.replace("$GET", indent("\n".join(get), "        ").lstrip())
    text = text.replace("$FIRST", str(layout.heads)).replace("$LISTS", str(len(layout.lists)))
    return text.replace("$PER", str(PER_WORD)).strip()


PACKING = '''
def pack(table, phase, row, cards):
    """Write a position into `row`; whether all facts are in range, and no more than `cards` lie in the piles."""
    size = table.tail - table.head
    if not ($INSIDE):
        return False
    $HEADS
    at = $FIRST
    for seat in range(table.players):
        $PUT
    at += $LISTS * table.players
    for word in range(at, len(row)):
        row[word] = 0
    for place in range(size):
        card = table.ring[table.head + place & len(table.ring) - 1]
        row[at + place // $PER] |= card << 8 * (place % $PER)
    return True


def unpack(table, row, players):
    """Set a table to the position of `row`; its phase. Counters start anew, the open card lies there to be played."""
    reset(table)
    table.players = players
    $FACTS
    at = $FIRST
    for seat in range(players):
        $GET
    at += $LISTS * players
    for place in range(size):
        table.ring[place] = row[at + place // $PER] >> 8 * (place % $PER) & 127
    table.tail, table.bottom = size, table.stock
    table.open_card = table.card = table.ring[size - 1] if size > table.stock else -1
    return row[0] & 127
'''
