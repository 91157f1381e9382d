"""The fields of a table class, and the facts of a position that they hold, as texts and diagrams name them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Fact:
    """A field of the table that belongs to a position.

    name: what it is called in the one-line notation. field: of the table. kind: what its integer stands for; `seats`: a
    mask of seats; `counts`: the field is a list with a number for each seat; `cards`: one with a mask of card codes for
    each seat, a pile that lies before it; `pile`: one whose first item is such a mask, a pile in the middle; `queues`,
    `queue`: the same where the cards lie in an order (`rules.queues`). The field declares who sees the cards; all see
    how many there are. is_tally: it counts what has happened and decides nothing,
    so two positions that differ in it only are the same: a position returns whatever such a fact says. most: the
    greatest number of a fact that is no tally, at most 254, of `counts` any. words: what the numbers of a fact stand
    for, from 0 on, where people read words instead; that of 0 is not shown.
    """

    name: str
    field: str
    kind: Literal[
        "seat", "number", "seats", "card", "suit", "rank", "ending", "counts", "cards", "pile", "queues", "queue"
    ] = "number"
    is_tally: bool = False
    words: tuple[str, ...] = ()
    most: int = 99

    @property
    def is_pile(self) -> bool:
        """Whether it is a pile beside the hands, the draw pile and the discard pile."""
        return self.kind in ("cards", "pile", "queues", "queue")

    @property
    def is_queue(self) -> bool:
        """Whether it is a pile whose cards lie in an order."""
        return self.kind in ("queues", "queue")

    @property
    def in_middle(self) -> bool:
        """Whether it is one pile in the middle, and not one before each seat."""
        return self.kind in ("pile", "queue")

    def piles(self, players: int) -> range:
        """The places of the piles in the field: one for each seat, or that of the one in the middle.

        players: how many play.
        """
        return range(1 if self.in_middle else players)


WHO_ACTS = (Fact("player", "player", "seat"),)
HOW_IT_ENDED = (Fact("ending", "ending", "ending"), Fact("winner", "winner", "seat"))

TRICK_FACTS = (
    Fact("led", "led", "suit"),
    Fact("laid", "laid"),
    Fact("best", "best", "card"),
    Fact("taker", "taker", "seat"),
)
"""The facts of a trick, of a `rules.tricks.TrickTable`; a game with a trump adds Fact("trump", "trump", "suit")."""


def default_values(table: type) -> Mapping[str, Any]:
    """The value of every field, inherited ones included, in a new table: integers, lists and bytearrays.

    Raises TypeError for a class that is no dataclass, or that annotates names which are no fields.
    """
    names = [entry.name for entry in fields(table)] if is_dataclass(table) else []
    for base in table.__mro__:
        annotated = [name for name, kind in inspect.get_annotations(base).items() if "ClassVar" not in str(kind)]
        if missing := [name for name in annotated if name not in names]:
            raise TypeError(f"table {table.__name__}: {', '.join(missing)} no field, expected @dataclass on the class")
    blank = table()
    return {name: getattr(blank, name) for name in names}


def list_fields(table: type) -> tuple[str, ...]:
    """The names of the fields that are lists: a number or a mask for each seat."""
    return tuple(name for name, value in default_values(table).items() if isinstance(value, list))


def table_size(table: type) -> int:
    """Bytes of a saved table: eight for each integer, also in lists, one for each index of a bytearray."""
    values = default_values(table).values()
    return sum(
        8 if isinstance(value, int) else len(value) * (1 if isinstance(value, bytearray) else 8) for value in values
    )
