"""The layout of the table of a game: what belongs to a position, and each form that a table takes.

Everything that copies, compares, packs, hashes, saves or writes down a position takes its fields from here, so a new
fact is added to the declaration alone. A table has these projections:

    snapshot   a tuple of all values: undo, clones
    record     a record of NumPy, as machine code writes it
    state      the bytes of such a record: saved tables
    key        a value that is equal for equal positions: repetition, counterexamples
    row        words of integers, as the explorer and the solver keep positions
    line       the texts of facts: positions on one line

The first three have all fields of the table (`fsm.table.fields`). Key and row, which
`maumau.kernels.compiled.rows` packs, have those of a position, and are equal exactly for equal positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import Any, cast

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import IN_TURN, NOTHING, Fact, list_fields
from fsm.declaration.parts import HANDS
from fsm.edge.kept import kept
from fsm.table.fields import Snapshot, TableFields, of_table
from rules.cards import NO_CARD, bits
from rules.errors import raised_as
from rules.notation import UNKNOWN, shown
from rules.piles import discard_pile, draw_pile
from rules.queues import QUEUE_BYTES


class PositionError(ValueError):
    """A line is not a position of the game; the message names the field, what is wrong and what was expected.

    fault: the message without the word `position`, for those who give the line another name.
    """

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return f"position: {self.fault}"


Key = tuple[Any, ...]
Lists = tuple[tuple[int, ...], ...]


class Layout(TableFields):
    """The fields of the tables of a game, those that make a position, without tallies, and what a move names.

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
        self._named = "card", "suit", *map(str, game.own_kinds)
        self.named: Callable[[Any], Snapshot] = attrgetter(*self._named)
        """Return the codes of the card and the values that lie on a table, named or left from before."""

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

    def put_back(self, table: Any, named: Snapshot) -> None:
        """Put on the table again what `named` found there."""
        for name, code in zip(self._named, named, strict=True):
            setattr(table, name, code)

    # ---------------------------------------------------------------- line

    def text(self, fact: Fact, table: Any) -> str:
        """Return the text of a fact of a table."""
        value = getattr(table, fact.field)
        if fact.is_pile:
            return "/".join(map(joined, self.piles(fact, table)))
        if fact.holds.is_list:
            return "/".join(str(count) for count in value[: table.players])
        return fact.text(self.game.codec.notation, value)

    def piles(self, fact: Fact, table: Any) -> tuple[tuple[str, ...], ...]:
        """Return the names of the cards of a pile of a table: those before each seat, or of the one in the middle."""
        names = self.game.codec.notation.names
        return tuple(tuple(names(self.codes_in(fact, table, place))) for place in fact.piles(table.players))

    def put(self, fact: Fact, text: str, table: Any) -> None:
        """Give a fact of a table the value of its text. Raises PositionError."""
        value: Any = self.value(fact, text, table.players)
        if fact.is_pile:
            for place, codes in enumerate(value):
                self.lay_pile(fact, table, place, codes)
        elif isinstance(value, list):
            getattr(table, fact.field)[: len(value)] = value
        else:
            setattr(table, fact.field, value)

    def value(self, fact: Fact, text: str, players: int) -> int | list[int] | list[list[int]]:
        """Return the integer of a fact's text, the list of one for each seat, or the codes of each pile.

        Raises PositionError.
        """
        if not fact.holds.is_list and not fact.is_pile:
            return self._code(fact, text, players)
        texts = text.split("/")
        if len(texts) != len(fact.piles(players)):
            what = "the cards" if fact.is_pile else "a number"
            of = "of one pile" if fact.in_middle else f"for each of {players} players"
            raise PositionError(f"{fact.name}={shown(text)}; use {what} {of}")
        if fact.is_pile:
            piles, card = (self.cards(fact.name, each) for each in texts), self.game.codec.notation.card
            return [[card(name) for name in pile if name != UNKNOWN] for pile in piles]
        return [self._code(replace(fact, kind="number"), count, players) for count in texts]

    def _code(self, fact: Fact, text: str, players: int) -> int:
        """The integer of a fact's text. Raises PositionError."""
        if words := fact.texts:
            if text in words:
                return words.index(text)
            raise PositionError(f"{fact.name}={shown(text)}; use one of {', '.join(words)}")
        if fact.holds.is_set:
            one = replace(fact, kind=cast(Any, fact.holds.of), field=IN_TURN)  # each is there, as the one in turn is
            return sum({1 << self._code(one, each, players) for each in text.split(",") if text != NOTHING})
        if text == NOTHING and fact.holds.of and not fact.is_actor:
            return -1
        if fact.holds.of in ("seat", ""):
            least, most = (1, players) if fact.holds.of else (0, fact.limit)
            if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
                raise PositionError(f"{fact.name}={shown(text)}; use a number from {least} to {most}")
            return int(text) - least
        with raised_as(PositionError, f"{fact.name}: "):
            return getattr(self.game.codec.notation, fact.holds.of)(text)  # type: ignore[no-any-return]

    def cards(self, name: str, text: str) -> tuple[str, ...]:
        """Return the names of the cards in a text, `-` for none. name: of the field. Raises PositionError."""
        if text == NOTHING:
            return ()
        cards, notation = tuple(text.split(",")), self.game.codec.notation
        for card in cards:
            if card != UNKNOWN and not notation.knows(card):
                raise PositionError(f"{name}: unknown card {shown(card)}; {notation.hint(card)}")
        return cards

    def codes_in(self, fact: Fact, table: Any, place: int) -> list[int]:
        """Return the codes of the cards of the pile at a place of a field: ascending, in a queue the top card first."""
        value = getattr(table, fact.field)
        if not fact.is_queue:
            return bits(value[place])
        first = place * QUEUE_BYTES + 1
        return list(value[first : first + value[first - 1]])

    def lay_pile(self, fact: Fact, table: Any, place: int, codes: Sequence[int]) -> None:
        """Give the pile at a place of a field these cards."""
        value = getattr(table, fact.field)
        if fact.is_queue:
            value[place * QUEUE_BYTES : (place + 1) * QUEUE_BYTES] = bytes([len(codes), *codes]).ljust(
                QUEUE_BYTES, b"\0"
            )
        else:
            value[place] = sum(1 << code for code in codes)


def joined(cards: Sequence[str]) -> str:
    """Return the text of the names of cards, `-` for none."""
    return ",".join(cards) or NOTHING


layout_of = kept(Layout)
"""Return the layout of the table of a game, a declaration."""
