"""The fields of a table class, and the facts of a position that they hold, as texts and diagrams name them.

A value is what a player names with an event, with a card or without one: a suit, a seat, a rank, an amount or an
answer. A form is only named with a card, the lowest of a set of cards (`rules.sets`): outside, the set is named as its
cards. Inside, a value is the code of its kind: suits and ranks as in the notation, seats from 0, amounts as they are,
and 0 or 1 for no or yes. Outside it is what people use: letters, seats from 1, numbers, False or True.

How a game is displayed is declared where the defaults that are derived from its declaration are not enough.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple

from fsm.declaration.guide import NO_GUIDE, Guide
from fsm.declaration.results import ResultLines
from fsm.edge.kept import kept
from fsm.edge.numbers import as_int
from rules.cards import bits
from rules.ending import Ending
from rules.faces import Face, face_of
from rules.notation import Notation, shown
from rules.rule import Query, RuleFunction


class FactKind(NamedTuple):
    """What the integer of a fact of one kind stands for.

    of: what a code names: `seat`, `card`, `suit` or `rank`; empty for a number. is_set: whether it is a mask of codes;
    else it is one, or -1 for none. is_list: whether the field has one for each seat. is_queue: whether it has bytes,
    cards in an order (`rules.queues`). in_middle: whether cards lie in one pile, and not before each seat.
    """

    of: str = ""
    is_set: bool = False
    is_list: bool = False
    is_queue: bool = False
    in_middle: bool = False

    def names(self, notation: Notation, players: int) -> Sequence[str]:
        """Return the text of each code, in their order. players: how many play."""
        if self.of == "seat":
            return [str(seat + 1) for seat in range(players)]
        return getattr(notation, f"{self.of}s") if self.of else ()

    def name(self, notation: Notation, code: int) -> str:
        """Return the text of a code, of a seat also one that no game has."""
        return str(code + 1) if self.of == "seat" else getattr(notation, f"{self.of}s")[code]


KINDS = {
    "seat": FactKind("seat"),
    "number": FactKind(),
    "seats": FactKind("seat", is_set=True),
    "card": FactKind("card"),
    "suit": FactKind("suit"),
    "rank": FactKind("rank"),
    "ending": FactKind(),
    "counts": FactKind(is_list=True),
    "cards": FactKind("card", is_set=True, is_list=True),
    "pile": FactKind("card", is_set=True, is_list=True, in_middle=True),
    "queues": FactKind("card", is_queue=True),
    "queue": FactKind("card", is_queue=True, in_middle=True),
}
"""The kinds of facts: all that texts, checks, rows and observations know of them."""
IN_TURN = "player"
"""The field of every table that names the player who acts: there always is one."""


@dataclass(frozen=True)
class Fact:
    """A field of the table that belongs to a position.

    name: its name in the one-line notation. field: the field of the table, by default `name`.
    kind: what its integer stands for. `seats` is a mask of seats; `counts` a list with a number for each seat; `cards`
        a list with a mask of card codes for each seat, the pile before it; `pile` a list whose first item is such a
        mask, a pile in the middle. `queues` and `queue` are the same with cards in an order (`rules.queues`). The field
        declares who sees the cards; all see how many there are.
    is_tally: whether it only counts what has happened. Two positions that differ only in tallies are the same.
    words: what the numbers stand for, from 0 on, where people read words instead; the word of 0 is not shown.
    most: the greatest number, at most 254, or any number for `counts`; with words it is that of the last word.
    carried: whether a round of a match begins with the number, or `counts`, with which the round before it ended.
    """

    name: str
    field: str = ""
    kind: Literal[
        "seat", "number", "seats", "card", "suit", "rank", "ending", "counts", "cards", "pile", "queues", "queue"
    ] = "number"
    is_tally: bool = False
    words: tuple[str, ...] = ()
    most: int = 99
    carried: bool = False

    def __post_init__(self) -> None:
        if not self.field:
            object.__setattr__(self, "field", self.name)
        if self.words:
            object.__setattr__(self, "most", len(self.words) - 1)

    @cached_property
    def holds(self) -> FactKind:
        """What its integer stands for."""
        return KINDS[self.kind]

    @property
    def is_actor(self) -> bool:
        """Whether it is the player who acts."""
        return self.field == IN_TURN

    @cached_property
    def is_pile(self) -> bool:
        """Whether it is a pile beside the hands, the draw pile and the discard pile."""
        return self.holds.of == "card" and (self.holds.is_list or self.holds.is_queue)

    @cached_property
    def is_queue(self) -> bool:
        """Whether it is a pile whose cards lie in an order."""
        return self.holds.is_queue

    @cached_property
    def in_middle(self) -> bool:
        """Whether it is one pile in the middle, and not one before each seat."""
        return self.holds.in_middle

    @property
    def texts(self) -> Sequence[str]:
        """The text of each code of a fact that has words, none for others."""
        return ENDINGS if self.kind == "ending" else self.words

    def text(self, notation: Notation, code: int) -> str:
        """Return the text of its integer. notation: that of the game. code: the integer."""
        if texts := self.texts:
            return texts[code]
        if not self.holds.of:
            return str(code)
        codes = bits(code) if self.holds.is_set else [code] * (code >= 0)
        return ",".join(self.holds.name(notation, each) for each in codes) or NOTHING

    @property
    def limit(self) -> int:
        """The greatest integer that a position has room for, whatever the players and the cards."""
        if texts := self.texts:
            return len(texts) - 1
        return MAX_TALLY if self.is_tally else MAX_NUMBER if self.holds.is_set else self.most

    def piles(self, players: int) -> range:
        """Return the places of the piles in the field: one for each seat, or that of the one in the middle.

        players: how many play.
        """
        return range(1 if self.in_middle else players)


WHO_ACTS = (Fact(IN_TURN, kind="seat"),)
HOW_IT_ENDED = (Fact("ending", "ending", "ending"), Fact("winner", "winner", "seat"))

MAX_NUMBER, MAX_TALLY = 254, 999_999_999
"""The greatest number or set of a fact, for which a packed position has a byte; and of a tally, above all games."""
NOTHING = "-"
"""In a position: no card, no suit, no seat."""
ENDINGS = tuple(str(ending).replace(" ", "-") if ending else NOTHING for ending in Ending)
"""The text of each ending, by its code."""


class Melds(NamedTuple):
    """Groups of cards that lie open before the players: neither in hands nor on piles.

    laid_out: the card codes of each group of a seat (table, seat), in the order in which they were laid out. lay_out:
    lay out a group (table, seat, card codes); raises ValueError, which says what is expected, for what is none.
    field: the field of the table with an integer for each seat, in which each group has `bits` bits, the first one
    lowest. names: what the numbers of groups mean, from 1 on; no group has the number 0.
    """

    laid_out: Callable[[Any, int], Sequence[Sequence[int]]]
    lay_out: Callable[[Any, int, Sequence[int]], None]
    field: str
    bits: int
    names: tuple[str, ...]


@kept
def default_values(table: type) -> Mapping[str, Any]:
    """The value of every field, inherited ones included, in a new table: integers, lists and bytearrays, not to change.

    Raises TypeError for a class that is not a dataclass, or that declares names which are not fields.
    """
    names = [entry.name for entry in fields(table)] if is_dataclass(table) else []
    for base in table.__mro__:
        declared = inspect.get_annotations(base) | {k: v for k, v in vars(base).items() if isinstance(v, Field)}
        if missing := [name for name, kind in declared.items() if name not in names and "ClassVar" not in str(kind)]:
            told = f"table {table.__name__}: the class declares {', '.join(missing)} but is not a dataclass"
            raise TypeError(f"{told}; add @dataclass(slots=True) above the class")
    blank = table()
    return {name: getattr(blank, name) for name in names}


def list_fields(table: type) -> tuple[str, ...]:
    """The names of the fields that are lists: a number or a mask for each seat."""
    return tuple(name for name, value in default_values(table).items() if isinstance(value, list))


Value = str | int | bool
"""A value as people use it."""
NO_VALUE = -1
"""In place of a code: nothing is named."""
MAX_AMOUNT = 62
"""The greatest amount: an offer is a mask of amounts, a positive number of 64 bits."""


class ValueKind(StrEnum):
    """The kind of a value: the name of the field that holds it on the table, and except for FORM in moves, steps and
    records.
    """

    SUIT = "suit"
    SEAT = "seat"
    RANK = "rank"
    AMOUNT = "amount"
    ANSWER = "answer"
    FORM = "form"

    @property
    def masks(self) -> str:
        """The field of an offer with the mask of the values of this kind."""
        return f"{self}s"

    def word(self, notation: Notation) -> str:
        """What the game calls such a value in its messages: `suit`, `colour`, `seat`."""
        return notation.suit_word if self is ValueKind.SUIT else str(self)

    def how_many(self, notation: Notation, players: int) -> int:
        """How many values of this kind there are, among so many players."""
        counts = {ValueKind.SUIT: len(notation.suits), ValueKind.SEAT: players, ValueKind.RANK: len(notation.ranks)}
        return counts.get(self, 2 if self is ValueKind.ANSWER else MAX_AMOUNT + 1)

    def from_code(self, notation: Notation, code: int) -> Value:
        """The value of a code."""
        if self is ValueKind.SUIT:
            return notation.suits[code]
        if self is ValueKind.RANK:
            return notation.ranks[code]
        if self is ValueKind.ANSWER:
            return bool(code)
        return int(code) + (self is ValueKind.SEAT)

    def text(self, notation: Notation, code: int) -> str:
        """The value of a code as messages and moves show it: `H`, `2`, `yes`."""
        return value_text(self.from_code(notation, code))

    def to_code(self, notation: Notation, value: object, players: int) -> int:
        """The code of a value. Raises ValueError, which names what is expected."""
        if self is ValueKind.SUIT:
            return notation.suit(value)  # type: ignore[arg-type]  # it refuses what is no text
        if self is ValueKind.RANK:
            return notation.rank(value)  # type: ignore[arg-type]
        if self is ValueKind.ANSWER:
            if isinstance(value, bool):
                return int(value)
            raise ValueError(f"unknown answer {shown(value)}; use True (yes) or False (no)")
        least, most = (1, players) if self is ValueKind.SEAT else (0, MAX_AMOUNT)
        try:
            plain = as_int(self, value)  # type: ignore[arg-type]
        except TypeError:
            plain = least - 1
        if least <= plain <= most:
            return plain - least
        raise ValueError(f"unknown {self} {shown(value)}; use a number from {least} to {most}")


def value_text(value: object) -> str:
    """A value as messages and moves show it: `H`, `2`, `yes`."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- how a game is displayed


class Details(NamedTuple):
    """What a game tells of one event beside its verb and card: more of what was done, and of the reason."""

    what: str = ""
    why: str = ""


POINTS_LEFT = "Points left"
"""What scores are called that nobody has given another name."""
TURNED_ROUND = "counter-clockwise", ""
"""The words of `Look.number_facts` for a fact that is 1 while the turn goes round the other way."""


SHOWN = {
    "event": ("events", "asks", "doers", "silent"),
    "fact": ("suit_facts", "word_facts", "number_facts", "fact_phases"),
    "ending": ("endings",),
    "sentence": ("at_will", "usual"),
}
"""The parts of a `Look` that name events, facts, endings and sentences of arcs."""


@dataclass(frozen=True)
class Look:
    """The display options of a game; each has a default. They name events, facts, endings and sentences of the game.

    summary: the game in one sentence, for a choice. guide: its rules to read. face: the face of the card called by a
    name. suit_facts: what a fact of the position that is a suit, or has words, is called, by its name (`bound suit`).
    word_facts: what is shown of one that has words, by its name and the word; the default is both (`led: hearts`).
    number_facts: what is shown of one that is a number, for 1 and for more (`1 card due`, `{} cards due`); one that has
    a number for each seat stands beside the seats, and an empty text shows nothing. fact_phases: the phases in which
    tables show a fact, by its name; the default is all of them. events: what a player does, by
    event (`must draw`). at_will: the sentence in place of that of an arc, by the latter, where a player did without
    need what others must do, or may have: the reader does not always know. doers: who does a forced event that is not
    done by the player in turn, by event: a query of the table before it that returns the seat, as of who takes a trick.
    details: what is told of an event besides, from the table before it and its step. silent: events that traces and
    lists leave out, as nobody does anything by them. usual: sentences of arcs by which nothing happens but what always
    does; logs of tables leave them out. asks: what a player is asked to do, by event (`name a colour`), where that is
    more than the event; a card follows after `of`. seats: what the seats are called besides, from player 1 on (`East`).
    draw_pile, discard_pile: what the piles are called. hand: the order of a hand until its player chooses another one:
    by `suit`, by `rank`, or by `strength`. strength: a query (table, card) by which cards are ordered then; without one
    trumps are above all others, and higher codes above lower ones. contest: whether it is made for contests of
    programs, so that pages offer it after the others. scores: what the scores are called. endings: how a game without a
    winner ended, by the text of the ending. result: the printed result of a played game: its lines, or a function that
    returns it without a line end, of an `fsm.match.played.PlayedGame`; machine code writes lines, calls no function.
    """

    summary: str = ""
    face: Callable[[Notation, str], Face] = face_of
    suit_facts: Mapping[str, str] = field(default_factory=dict)
    word_facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    number_facts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    fact_phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    at_will: Mapping[str, str] = field(default_factory=dict)
    doers: Mapping[str, Query[Any]] = field(default_factory=dict)
    details: Callable[[Any, Any], Details] | None = None
    silent: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    draw_pile: str = "draw pile"
    discard_pile: str = "discard pile"
    hand: Literal["suit", "rank", "strength"] = "suit"
    strength: RuleFunction | None = None
    contest: bool = False
    scores: str = POINTS_LEFT
    endings: Mapping[str, str] = field(default_factory=dict)
    result: ResultLines | Callable[[Any], str] = ResultLines()
    guide: Guide = NO_GUIDE

    def limited(self, known: Mapping[str, Container[str]]) -> Look:
        """Return this look without unknown events, facts, endings or sentences.

        known: the known names, by kind.
        """
        parts: dict[str, Any] = {}
        for part, names in [(part, names) for what, names in known.items() for part in SHOWN[what]]:
            given = getattr(self, part)
            left = [each for each in given if each in names]
            parts[part] = {each: given[each] for each in left} if isinstance(given, Mapping) else tuple(left)
        return replace(self, **parts)

    def joined(self, more: Look) -> Look:
        """Return this look with the events, facts, endings and sentences of another one as well.

        more: the other look.
        """
        named = {name: part for name, part in vars(more).items() if isinstance(part, Mapping)}
        parts: dict[str, Any] = {name: {**getattr(self, name), **part} for name, part in named.items()}
        return replace(self, **parts, silent=self.silent + more.silent, usual=self.usual + more.usual)

    def details_of(self, before: Any, step: Any) -> Details:
        """Return what is told of one event beside its verb and card. before: the table before it. step: its step."""
        return Details() if self.details is None else self.details(before, step)

    def worded(self, fact: str, word: str) -> str:
        """Return what is shown of a fact. fact: its name. word: that of its value, which is a suit or has words."""
        return self.word_facts.get(fact, {}).get(word) or f"{self.suit_facts.get(fact, fact)}: {word}"

    @property
    def lines(self) -> ResultLines | None:
        """The lines of a result; None where a function returns the result."""
        return self.result if isinstance(self.result, ResultLines) else None

    @property
    def marks(self) -> tuple[RuleFunction, ...]:
        """The numbers of each seat on the last line of a result, if it has such a line: a query (table, seat)."""
        return (self.lines.marks,) if self.lines and self.lines.marks else ()

    def ending(self, ending: object) -> str:
        """Return how a game without a winner ended, in words. ending: a member of the game's endings, or its text."""
        return self.endings.get(str(ending), str(ending))

    def no_score(self, ending: object) -> str:
        """Return the line of a result in place of the scores. ending: as for `ending`."""
        return f"No score: {self.ending(ending)}"
