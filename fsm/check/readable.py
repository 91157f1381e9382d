"""Whether a position can be read back from its line, as source that is both run by Python and compiled.

`Game.at` refuses a line in which a card of the deck is missing or there too often, or a fact is out of its range. The
source asks a table the same in integers, without the line: so it can be asked of every position.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, default_values
from fsm.edge.kept import kept
from rules.queues import QUEUE_BYTES

MOST_CODE = 62
"""The greatest code of a card in a mask, which is a positive number of 64 bits."""
CODE_BITS = 7
"""Bits of a code of a card, plus 1, in the cards of a group."""


@kept
def is_readable(game: Declaration) -> Callable[[Any], bool]:
    """Return the function of a table, of any phase, that says whether its position can be read back."""
    test = PositionTest(game)
    source, names, whole = test.source, dict[str, Any](test.constants), test.whole
    file = f"<positions of {game.name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), names)
    readable = names["readable"]
    return lambda table: not_whole(table) is None and bool(readable(table, whole))


def not_whole(table: Any) -> str | None:
    """Return the first field of a table that is neither a whole number nor an array; None if there is none."""
    for name, value in default_values(type(table)).items():
        if isinstance(value, int) and not isinstance(getattr(table, name), int):
            return name
    return None


@dataclass(frozen=True)
class PositionTest:
    """The test whether the position of a table can be read back, as source, its constants and its second argument."""

    game: Declaration

    @property
    def whole(self) -> list[int]:
        """How many cards the deck has, and how often each, as a mask of cards for each bit of that number."""
        copies = Counter(self.game.full_deck())
        bits = range(_slices(self.game))
        masks = (sum(1 << code for code, count in copies.items() if count >> bit & 1) for bit in bits)
        return [self.game.deck_size, *masks]

    @property
    def constants(self) -> Mapping[str, tuple[int, ...]]:
        """The constants of the source: the codes of the cards of each group that lies before a player, by number."""
        melds = self.game.codec.melds
        if melds is None:
            return {}
        table, codes = self.game.table(), []
        for number in range(1 << melds.bits):
            getattr(table, melds.field)[0] = number
            try:
                (group,) = melds.laid_out(table, 0)
            except (LookupError, ValueError):
                group = ()
            codes.append(sum(code + 1 << CODE_BITS * place for place, code in enumerate(group)))
        return {"MELD_CODES": tuple(codes)}

    @property
    def source(self) -> str:
        """The source of `readable(table, whole)`, which is the same for all decks of a game."""
        game = self.game
        facts = [each for fact in game.codec.facts if not fact.is_pile for each in _in_range(game, fact)]
        piles = "0 <= table.stock <= size <= whole[0]"
        lies_open = (
            "table.open_card == (table.ring[table.tail - 1 & len(table.ring) - 1] if size > table.stock else -1)"
        )
        slices = _slices(game)
        lines = [
            "size = table.tail - table.head",
            f"if not ({' and '.join([*(each for each in facts if '[' not in each), piles, lies_open])}):",
            "    return False",
            *(f"count_{bit} = 0" for bit in range(slices)),
            "over = 0",
            *_over_seats(game, slices, [each for each in facts if "[" in each]),
            *(line for fact in game.piles if fact.in_middle for line in _of_pile(fact, "0", slices)),
            "for place in range(table.head, table.tail):",
            "    code = table.ring[place & len(table.ring) - 1]",
            f"    if code > {MOST_CODE}:",
            "        return False",
            *(f"    {line}" for line in _added("1 << code", slices)),
            f"return over == 0{''.join(f' and count_{bit} == whole[{bit + 1}]' for bit in range(slices))}",
        ]
        body = "".join(f"    {line}\n" for line in lines)
        doc = '"""Whether all cards are there, and all facts are what a position has room for."""'
        return f"def readable(table, whole):\n    {doc}\n{body}"


def _slices(game: Declaration) -> int:
    """How many bits the number of times has that a card is there: 1, or as many fields as there are for hands."""
    return len(game.held_in).bit_length()


def _in_range(game: Declaration, fact: Fact) -> Iterator[str]:
    """What must hold of the values of a fact, as `Game.at` reads them."""
    kind, value = fact.holds, f"table.{fact.field}{'[seat]' * fact.holds.is_list}"
    if not kind.of:
        yield f"0 <= {value} <= {fact.limit}"
        return
    count = "table.players" if kind.of == "seat" else str(len(kind.names(game.codec.notation, 0)))
    least = 0 if kind.is_set or fact.field == "player" else -1
    yield f"{least} <= {value} < {'1 << ' * kind.is_set}{count}"
    if kind.is_set:
        yield f"{value} <= {fact.limit}"


def _over_seats(game: Declaration, slices: int, facts: list[str]) -> Iterator[str]:
    """Statements that count the cards of all seats, and ask what must hold of the facts with a number for each."""
    yield "for seat in range(table.players):"
    if facts:
        yield f"    if not ({' and '.join(facts)}):"
        yield "        return False"
    for fewer, more in pairwise(game.held_in):
        yield f"    if table.{more}[seat] & ~table.{fewer}[seat] != 0:"
        yield "        return False"
    for name in game.held_in:
        yield from (f"    {line}" for line in _added(f"table.{name}[seat]", slices))
    for fact in game.piles:
        if not fact.in_middle:
            yield from (f"    {line}" for line in _of_pile(fact, "seat", slices))
    if game.codec.melds:
        yield from (f"    {line}" for line in _of_melds(game, slices))


def _of_pile(fact: Fact, place: str, slices: int) -> Iterator[str]:
    """Statements that count the cards of a pile."""
    if not fact.is_queue:
        yield from _added(f"table.{fact.field}[{place}]", slices)
        return
    yield f"first = {place} * {QUEUE_BYTES}"
    yield f"if table.{fact.field}[first] >= {QUEUE_BYTES}:"
    yield "    return False"
    yield f"for index in range(first + 1, first + 1 + table.{fact.field}[first]):"
    yield f"    code = table.{fact.field}[index]"
    yield f"    if code > {MOST_CODE}:"
    yield "        return False"
    yield from (f"    {line}" for line in _added("1 << code", slices))


def _of_melds(game: Declaration, slices: int) -> Iterator[str]:
    """Statements that count the cards of the groups that lie before a seat."""
    assert game.codec.melds is not None
    bits, field = game.codec.melds.bits, game.codec.melds.field
    yield f"groups = table.{field}[seat]"
    yield "if groups < 0:"
    yield "    return False"
    yield "while groups != 0:"
    yield f"    codes = MELD_CODES[groups & {(1 << bits) - 1}]"
    yield "    if codes == 0:"
    yield "        return False"
    yield "    while codes != 0:"
    yield from (f"        {line}" for line in _added(f"1 << (codes & {(1 << CODE_BITS) - 1}) - 1", slices))
    yield f"        codes >>= {CODE_BITS}"
    yield f"    groups >>= {bits}"


def _added(cards: str, slices: int) -> Iterator[str]:
    """Statements that add the cards of a mask to how often each card was seen, a bit of the number in each mask."""
    yield f"more = {cards}"
    for bit in range(slices):
        yield f"both = count_{bit} & more"
        yield f"count_{bit} ^= more"
        yield "more = both"
    yield "over |= more"
