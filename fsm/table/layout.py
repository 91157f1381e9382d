"""The fields of the table of a game in order: what belongs to a position, what is compared, and how wide it is.

Everything that writes down, packs, compares or hashes a position takes its fields from here, so a new fact is added to
the declaration alone. A table has these projections; the first ones have all its fields (`fsm.table.fields`):

    snapshot   a tuple of all values: undo, clones
    record     a record of NumPy, as machine code writes it
    state      the bytes of such a record: saved tables
    key        a value that is equal for equal positions: repetition, counterexamples
    row        words of integers, as the explorer and the solver keep positions
    line       the texts of facts: positions on one line
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any, cast

from fsm.declaration.decks import full_deck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import MAX_TALLY, NOTHING, Fact, list_fields, text_of, words_of
from fsm.edge.kept import kept
from fsm.table.fields import Snapshot, TableFields
from rules.cards import NO_CARD, bits
from rules.errors import raised_as
from rules.notation import UNKNOWN, shown
from rules.piles import discard_pile, draw_pile
from rules.queues import QUEUE_BYTES

Key = tuple[Any, ...]
Names = tuple[str, ...]
Lists = tuple[tuple[int, ...], ...]
PER_WORD = 7
"""Small numbers or cards in a word: 7 bytes, so that no word is negative by them."""


NONE = -1
"""In place of the code of a card or value: none."""
Code = tuple[str, int, int]
"""A move in codes: trigger, card, and the value that is named, of the kind that belongs to the trigger."""


IN_TURN = "player"
"""The field of every table that names the player who acts: there always is one."""


class PositionError(ValueError):
    """A line is no position of the game; the message names the field, what is wrong and what was expected."""


class Layout(TableFields):
    """The fields of the tables of a game, and those that make a position, without tallies.

    facts: those with one value. lists: the names of those with a value for each seat, hands included. queues: the piles
    whose cards lie in an order. compared: the names of the numbers that are compared where a position returns: the dice
    belong to them unless a position that returns ends the game whatever the dice. alike: masks of card codes with one
    name each, where a position returns whichever of them lies where; there are none where a return only proves that a
    game is endless, which it does later, too.
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
        self._looks = bytes(map(game.codec.notation.card, names)).ljust(256)
        self.alike = tuple(sum(1 << code for code, other in enumerate(names) if other == name) for name in several)
        self._named = "card", "suit", *map(str, game.own_kinds)
        self.named: Callable[[Any], Snapshot] = attrgetter(*self._named)
        """Return the codes of the card and the values that lie on a table, named or left from before."""

    def put_back(self, table: Any, named: Snapshot) -> None:
        """Put on the table again what `named` found there."""
        for name, code in zip(self._named, named, strict=True):
            setattr(table, name, code)

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
        get, first, queues = attrgetter(*numbers, *self.lists), len(numbers), [fact.field for fact in self.queues]

        def key(table: Any) -> Key:
            values = get(table)
            head = table.head & len(table.ring) - 1
            piles = bytes(table.ring + table.ring)[head : head + table.tail - table.head]
            for name in queues:
                piles += getattr(table, name)
            return values[:first], tuple(map(tuple, values[first:])), piles

        return key

    def _as_seen(self, lists: Lists, piles: bytes) -> tuple[Lists, bytes]:
        """Lists and piles in which cards that look alike are one."""
        others, hands = ~sum(self.alike), self.lists.index("hands")
        counts = tuple((hand & mask).bit_count() for hand in lists[hands] for mask in self.alike)
        unlike = tuple(hand & others for hand in lists[hands])
        return (*lists[:hands], unlike, counts, *lists[hands + 1 :]), piles.translate(self._looks)

    # ---------------------------------------------------------------- row

    # A row has words of small numbers, a word for each seat of each list, then the piles whose cards lie in an order
    # and both piles, in bytes. Equal rows are equal positions.

    @property
    def heads(self) -> int:
        """Words of small numbers: the phase, the facts, the sizes of the draw pile and of both piles."""
        return words(len(self.facts) + 3)

    def width(self, players: int) -> int:
        """Return the words of a row for a number of players."""
        queues = sum(words(len(fact.piles(players)) * QUEUE_BYTES) for fact in self.queues)
        return self.heads + len(self.lists) * players + queues + words(self.game.deck_size)

    def bits_in_use(self, players: int, hands: Container[str]) -> list[int]:
        """Return a mask for each word of a row: the bits that are in use at most, with the deck of the game.

        hands: the fields with the cards in hands.
        """
        notation, size = self.game.codec.notation, self.game.deck_size
        counts = ((fact, len(fact.holds.names(notation, players))) for fact in self.facts)
        facts = (1 << count if fact.holds.is_set else count or fact.most for fact, count in counts)
        card, dealt = _ones(len(notation.cards)), sum(1 << code for code in {*full_deck(self.game)})
        queue = QUEUE_BYTES * [card | _ones(size)]
        queues = (_masks(queue * len(fact.piles(players))) for fact in self.queues)
        lists = [dealt if name in hands else -1 for name in self.lists for _ in range(players)]
        heads = map(_ones, (len(self.game.phases), *facts, size, size))
        return [*_masks(heads), *lists, *chain.from_iterable(queues), *_masks([card] * size)]

    # ---------------------------------------------------------------- line

    def text(self, fact: Fact, table: Any) -> str:
        """Return the text of a fact of a table."""
        value = getattr(table, fact.field)
        if fact.is_pile:
            return "/".join(map(joined, self.piles(fact, table)))
        if fact.holds.is_list:
            return "/".join(str(count) for count in value[: table.players])
        return text_of(self.game.codec.notation, fact, value)

    def piles(self, fact: Fact, table: Any) -> tuple[Names, ...]:
        """Return the names of the cards of a pile of a table: those before each seat, or of the one in the middle."""
        names = self.game.codec.notation.names
        return tuple(tuple(names(codes_in(fact, table, place))) for place in fact.piles(table.players))

    def put(self, fact: Fact, text: str, table: Any) -> None:
        """Give a fact of a table the value of its text. Raises PositionError."""
        value: Any = self.value(fact, text, table.players)
        if fact.is_pile:
            for place, codes in enumerate(value):
                lay_pile(fact, table, place, codes)
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
            raise PositionError(f"position: {fact.name}={shown(text)}, expected {what} {of}")
        if fact.is_pile:
            piles, card = (self.cards(fact.name, each) for each in texts), self.game.codec.notation.card
            return [[card(name) for name in pile if name != UNKNOWN] for pile in piles]
        return [self._code(replace(fact, kind="number"), count, players) for count in texts]

    def _code(self, fact: Fact, text: str, players: int) -> int:
        """The integer of a fact's text. Raises PositionError."""
        if words := words_of(fact):
            if text in words:
                return words.index(text)
            raise PositionError(f"position: {fact.name}={shown(text)}, expected one of {', '.join(words)}")
        if fact.holds.is_set:
            one = replace(fact, kind=cast(Any, fact.holds.of), field=IN_TURN)  # each is there, as the one in turn is
            return sum({1 << self._code(one, each, players) for each in text.split(",") if text != NOTHING})
        if text == NOTHING and fact.holds.of and fact.field != IN_TURN:
            return -1
        if fact.holds.of in ("seat", ""):
            least, most = (1, players) if fact.holds.of else (0, MAX_TALLY if fact.is_tally else fact.most)
            if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
                raise PositionError(f"position: {fact.name}={shown(text)}, expected a number from {least} to {most}")
            return int(text) - least
        with raised_as(PositionError, f"position: {fact.name}: "):
            return getattr(self.game.codec.notation, fact.holds.of)(text)  # type: ignore[no-any-return]

    def cards(self, name: str, text: str) -> Names:
        """Return the names of the cards in a text, `-` for none. name: of the field. Raises PositionError."""
        if text == NOTHING:
            return ()
        cards, notation = tuple(text.split(",")), self.game.codec.notation
        for card in cards:
            if card != UNKNOWN and not notation.knows(card):
                raise PositionError(f"position: {name}: unknown card {shown(card)}, {notation.hint(card)}")
        return cards


def joined(cards: Sequence[str]) -> str:
    """Return the text of the names of cards, `-` for none."""
    return ",".join(cards) or NOTHING


def codes_in(fact: Fact, table: Any, place: int) -> list[int]:
    """The codes of the cards of the pile at a place of a field: ascending, in a queue the top card first."""
    value = getattr(table, fact.field)
    if not fact.is_queue:
        return bits(value[place])
    first = place * QUEUE_BYTES + 1
    return list(value[first : first + value[first - 1]])


def lay_pile(fact: Fact, table: Any, place: int, codes: Sequence[int]) -> None:
    """Give the pile at a place of a field these cards."""
    value = getattr(table, fact.field)
    if fact.is_queue:
        value[place * QUEUE_BYTES : (place + 1) * QUEUE_BYTES] = bytes([len(codes), *codes]).ljust(QUEUE_BYTES, b"\0")
    else:
        value[place] = sum(1 << code for code in codes)


def words(small: int) -> int:
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


def least(fact: Fact) -> int:
    """Return what is added to a fact so that it is never negative: seats, cards and suits may be none, which is -1."""
    return int(bool(fact.holds.of))


layout_of = kept(Layout)
"""Return the layout of the table of a game, a declaration."""


def put_on_table(game: Declaration, table: Any, code: Code) -> None:
    """Put the card and the value of a move on the table, if anything is named with it."""
    trigger, card, value = code
    if card != NONE:
        table.card = card
    if card != NONE or value != NONE:
        setattr(table, game.value_fields[trigger], value)
