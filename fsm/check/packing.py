"""Packs positions into rows of integers: equal rows are equal positions."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

from fsm.arcs import Fact
from fsm.declaration import Declaration

MOST = 100
"""What every number of a fact is below."""
PER_WORD = 7
"""Small numbers or cards in a word: 7 bytes, so that no word is negative by them."""


@dataclass(frozen=True)
class Layout:
    """Where what makes a position lies in a row: words of small numbers, a word for each seat of each list, the piles.

    scalars: facts that are small numbers. lists: fields with a number or a mask for each seat.
    """

    scalars: tuple[Fact, ...]
    lists: tuple[str, ...]

    @classmethod
    def of(cls, game: Declaration) -> Layout:
        """The layout of a game."""
        return cls(game.position_facts, game.position_lists)

    @property
    def heads(self) -> int:
        """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
        return (len(self.scalars) + 3 + PER_WORD - 1) // PER_WORD

    def width(self, players: int, cards: int) -> int:
        """Words of a row for a number of players and of cards in the deck."""
        return self.heads + len(self.lists) * players + (cards + PER_WORD - 1) // PER_WORD


def packing_source(game: Declaration) -> str:
    """The functions `pack` and `unpack` between a table and its row."""
    layout = Layout.of(game)
    numbers = ["phase", *(f"table.{fact.field} + {least(fact)}" for fact in layout.scalars), "table.stock", "size"]
    inside = [f"{-least(fact)} <= table.{fact.field} < {MOST}" for fact in layout.scalars]
    places = [f"({number}) << {8 * (place % PER_WORD)}" for place, number in enumerate(numbers)]
    heads = [
        f"row[{word}] = {' | '.join(places[PER_WORD * word : PER_WORD * (word + 1)])}" for word in range(layout.heads)
    ]
    facts = [
        f"table.{fact.field} = (row[{place // PER_WORD}] >> {8 * (place % PER_WORD)} & 127) - {least(fact)}"
        for place, fact in enumerate(layout.scalars, 1)
    ]
    sizes = [
        f"{name} = row[{place // PER_WORD}] >> {8 * (place % PER_WORD)} & 127"
        for place, name in enumerate(("table.stock", "size"), len(layout.scalars) + 1)
    ]
    text = PACKING
    text = text.replace("$INSIDE", " and ".join([*inside, "0 <= table.stock <= size <= cards"]))
    text = text.replace("$HEADS", indent("\n".join(heads), "    ").lstrip())
    text = text.replace("$FACTS", indent("\n".join(facts + sizes), "    ").lstrip())
    put = [f"row[at + {place} * table.players + seat] = table.{name}[seat]" for place, name in enumerate(layout.lists)]
    get = [f"table.{name}[seat] = row[at + {place} * players + seat]" for place, name in enumerate(layout.lists)]
    text = text.replace("$PUT", indent("\n".join(put), "        ").lstrip())
    text = text.replace("$GET", indent("\n".join(get), "        ").lstrip())
    text = text.replace("$FIRST", str(layout.heads)).replace("$LISTS", str(len(layout.lists)))
    return text.replace("$PER", str(PER_WORD)).strip()


def least(fact: Fact) -> int:
    """What is added to a fact so that it is never negative: seats, cards and suits may be none, which is -1."""
    return 0 if fact.kind in ("number", "ending") else 1


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
