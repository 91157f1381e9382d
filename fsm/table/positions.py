"""The fields that make a position of a game, in order, and by which positions are compared.

A table has these projections, which are equal exactly for equal positions:

    key   a value: repetition, counterexamples
    row   words of integers, as the explorer and the solver keep positions (`maumau.kernels.compiled.rows`)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import list_fields
from fsm.declaration.parts import HANDS
from fsm.table.fields import TableFields, of_table
from rules.cards import NO_CARD
from rules.piles import discard_pile, draw_pile
from rules.queues import QUEUE_BYTES

Key = tuple[Any, ...]
Lists = tuple[tuple[int, ...], ...]


class PositionFields(TableFields):
    """The fields of the tables of a game, and those that make a position, without tallies.

    facts: those with one value. lists: the names of those with a value for each seat, hands included. queues: the piles
    whose cards lie in an order. compared: the names of the numbers that are compared where a position returns: the dice
    belong to them unless a position that returns ends the game whatever the dice. alike: masks of card codes with one
    name each, where a position returns whichever of them lies where; there are none where a return only proves that a
    game is endless, which it does later as well. looks: for each card code the first one that looks like it.
    """

    def __init__(self, game: Declaration) -> None:
        super().__init__(game.table)
        facts, lists = [fact for fact in game.codec.facts if not fact.is_tally], list_fields(game.table)
        tallies = [fact.field for fact in game.codec.facts if fact.is_tally]
        names = game.codec.notation.cards
        several = [name for name in dict.fromkeys(names) if names.count(name) > 1] if game.return_ends else []
        self.game = game
        self.facts = tuple(fact for fact in facts if fact.field not in lists and not fact.is_queue)
        self.lists = tuple(name for name in lists if name not in tallies)
        self.queues = tuple(fact for fact in game.piles if fact.is_queue)
        self.compared = (*(fact.field for fact in self.facts), "stock", *([] if game.return_ends else ["rolls"]))
        self.looks = bytes(map(game.codec.notation.card, names)).ljust(256)
        self.alike = tuple(sum(1 << code for code, other in enumerate(names) if other == name) for name in several)

    def bare(self, table: Any) -> Any:
        """Return a table with the position of `table` and nothing else, as a row is unpacked."""
        bare = self.game.table()
        bare.players = table.players
        self.give(bare, table, [fact.field for fact in self.facts])
        sizes = dict.fromkeys(self.lists, table.players)
        sizes |= {fact.field: len(fact.piles(table.players)) * QUEUE_BYTES for fact in self.queues}
        for name, size in sizes.items():
            getattr(bare, name)[:size] = getattr(table, name)[:size]
        queue = bytes([*draw_pile(table), *discard_pile(table)])
        bare.ring[: len(queue)] = queue
        bare.stock = bare.bottom = table.stock
        bare.tail, bare.open_card = len(queue), queue[-1] if len(queue) > table.stock else NO_CARD
        bare.card = bare.open_card
        return bare

    # ---------------------------------------------------------------- key

    def exact_key(self) -> Callable[[Any], Key]:
        """Return a function that maps tables with equal facts, lists and piles, and only those, to equal keys."""
        return self._key([*(fact.field for fact in self.facts), "stock"])

    def returning_key(self) -> Callable[[Any], Key]:
        """Return a function that maps tables to equal keys if the one position is a return of the other."""
        key = self._key(self.compared)
        if not self.alike:
            return key

        def key_as_seen(table: Any) -> Key:
            numbers, lists, piles = key(table)
            return numbers, *self._as_seen(lists, piles)

        return key_as_seen

    def _key(self, numbers: list[str] | tuple[str, ...]) -> Callable[[Any], Key]:
        head, end = "(head := table.head & len(table.ring) - 1)", "head + table.tail - table.head"
        piles = [f"bytes(table.ring + table.ring)[{head} : {end}]", *(f"table.{fact.field}" for fact in self.queues)]
        first, lists = (f"table.{name}, " for name in numbers), (f"tuple(table.{name}), " for name in self.lists)
        return of_table([f"({''.join(first)})", f"({''.join(lists)})", " + ".join(piles)])

    def _as_seen(self, lists: Lists, piles: bytes) -> tuple[Lists, bytes]:
        """Lists and piles in which cards that look alike are one."""
        others, hands = ~sum(self.alike), self.lists.index("hands")
        counts = tuple((hand & mask).bit_count() for hand in lists[hands] for mask in self.alike)
        unlike = tuple(hand & others for hand in lists[hands])
        return (*lists[:hands], unlike, counts, *lists[hands + 1 :]), piles.translate(self.looks)

    @cached_property
    def hands(self) -> tuple[str, ...]:
        """The fields that hold the hands, also those for further copies of a card, which a small deck may not have."""
        table, (code, *_) = self.game.table(), self.game.full_deck()
        table.players = self.game.codec.fewest
        for _ in HANDS:
            self.game.codec.receive(table, 0, code)
        return tuple(name for name in list_fields(self.game.table) if any(getattr(table, name)))
