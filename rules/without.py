"""Cards that are left out for some numbers of players: they lie in a pile beside the game, which all see.

In a deck that is to be dealt they are the last cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import make_dataclass
from typing import ClassVar

from rules.cards import NO_CARD
from rules.rule import RuleFunction, effect, query
from rules.table import each_seat
from rules.visibility import seen_by_all


class LeftOut(dict[int, tuple[int, ...]]):
    """The codes of the cards that are left out, by the number of players; a number without any need not be there.

    FIELD: the field of the table with the pile, a mask of cards at 0, and the fact. masks: the cards that are left out,
    for each number of players from 0 on.
    """

    FIELD: ClassVar[str] = "left_out"

    def __init__(self, codes: Mapping[int, tuple[int, ...]] | None = None, most: int = 0) -> None:
        """Note the cards. codes: by the number of players. most: the greatest number of players."""
        super().__init__(codes or {})
        self.masks = tuple(sum(1 << code for code in {*self.get(each, ())}) for each in range(most + 1))

    def with_pile(self, table: type, seats: int) -> type:
        """Return a table class with the pile. seats: as many as its hands have room for."""
        pile = (self.FIELD, list[int], seen_by_all(factory=each_seat(seats)))
        return make_dataclass(table.__name__, [pile], bases=(table,), slots=True)

    def put_last(self, deck: bytes, players: int) -> bytes:
        """Return a deck with the cards that are left out last, ascending, and the others as they were."""
        last = sorted(set(self.get(players, ())))
        return bytes(code for code in deck if code not in last) + bytes(last) if last else deck

    def amend(self) -> RuleFunction:
        """Return an effect (deck, players, seed, number): the cards that are left out come last, the others stay in
        order.
        """
        masks = self.masks

        @effect
        def amend(deck, players, seed, number):  # type: ignore[no-untyped-def]
            """Put the cards that are left out last."""
            left = masks[players]
            if left != 0:
                kept = 0
                for index in range(len(deck)):
                    card = deck[index]
                    if left >> card & 1 == 0:
                        deck[kept] = card
                        kept += 1
                while left != 0:
                    deck[kept] = (left & -left).bit_length() - 1
                    kept += 1
                    left &= left - 1

        return amend

    def deal(self, deal: RuleFunction) -> RuleFunction:
        """Return a deal (table, deck, players) that leaves out the last cards of the deck. deal: the whole deck."""
        counts = tuple(mask.bit_count() for mask in self.masks)

        @effect
        def deal_without(table, deck, players):  # type: ignore[no-untyped-def]
            """Deal a deck, and leave out its last cards."""
            deal(table, deck, players)
            for place in range(counts[players]):
                table.left_out[0] |= 1 << int(deck[len(deck) - 1 - place])
                table.stock -= 1
                table.bottom -= 1
                table.tail -= 1
                table.ring[table.tail] = 0
            if counts[players] > 0 and table.open_card != NO_CARD:
                table.ring[table.bottom] = table.open_card

        return deal_without

    def lie(self) -> RuleFunction:
        """Return a query: the cards that are left out are those of the rules."""
        masks = self.masks

        @query
        def left_out_lie(table):  # type: ignore[no-untyped-def]
            """The cards that are left out lie beside the game."""
            return table.left_out[0] == masks[table.players]

        return left_out_lie
