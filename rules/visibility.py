"""The visibility of the fields of a table. It is declared with the field; a field without a declaration is hidden.

For example::

    @dataclass(slots=True)
    class Table(CardTable):
        led: int = seen_by_all(NO_SUIT)  # everybody sees it
        passed: list[int] = seen_by_owner(factory=each_seat(4))  # each seat sees its own
        hands: list[int] = seen_by_owner(factory=each_seat(4), shown=plays_on)  # at the end all see some of them
        secret: int = 0  # nobody sees it
        bluff: int = follows_from(is_bluff)  # nobody sees it, but the hands determine it
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from enum import StrEnum
from typing import Any

KEY, SOURCE, SHOWN = "seen_by", "follows_from", "shown"


class SeenBy(StrEnum):
    """Who sees a field. The owner of a list's item is its seat; the owner of a number is the player in turn.

    PARTNERS: the owner and those who play on its side. TURNED_UP: all see the number, and the card that it names.

    DISCARDS is for the ring of both piles: all see the discard pile, nobody the draw pile.
    """

    ALL = "all"
    OWNER = "owner"
    PARTNERS = "partners"
    TURNED_UP = "turned up"
    DISCARDS = "discards"
    NOBODY = "nobody"

    @property
    def has_owner(self) -> bool:
        """Whether it depends on the owner of an item who sees it."""
        return self in (SeenBy.OWNER, SeenBy.PARTNERS)

    @property
    def has_partners(self) -> bool:
        """Whether those who play on the side of its owner see it."""
        return self is SeenBy.PARTNERS


def seen_by_all(default: int | None = None, factory: Callable[[], Any] | None = None) -> Any:
    """A field of a dataclass that everybody sees. Either a default or a factory of one is given."""
    return _seen(SeenBy.ALL, default, factory)


def seen_by_owner(
    default: int | None = None,
    factory: Callable[[], Any] | None = None,
    shown: Callable[[Any, int], int] | None = None,
) -> Any:
    """A field that its owner sees: of a list each seat its own item, of a number the player in turn.

    shown: of the hands, a query (table, seat) of what all see: whether the hand of a seat is shown when the game
    is over; all are, if not given.
    """
    return _seen(SeenBy.OWNER, default, factory, shown)


def seen_by_partners(
    default: int | None = None,
    factory: Callable[[], Any] | None = None,
    shown: Callable[[Any, int], int] | None = None,
) -> Any:
    """Declare a field that its owner sees, and those who play with the owner (`Scoring.sides`).

    default, factory, shown: as for `seen_by_owner`.
    """
    return _seen(SeenBy.PARTNERS, default, factory, shown)


def turned_up(default: int = -1) -> Any:
    """Declare a number that names a card, which all see in whichever pile it lies, such as a trump under the stock.

    default: the code of the card, or -1 while none is turned up.
    """
    return _seen(SeenBy.TURNED_UP, default, None)


def discards_seen(factory: Callable[[], bytearray]) -> Any:
    """The ring of both piles, of which everybody sees the discard pile."""
    return _seen(SeenBy.DISCARDS, None, factory)


def follows_from(query: Callable[[Any], int], default: int = 0) -> Any:
    """A number that nobody sees, and that `query` of the table determines where hidden cards are dealt again."""
    return field(default=default, metadata={SOURCE: query})


def _seen(by: SeenBy, default: int | None, factory: Callable[[], Any] | None, shown: object = None) -> Any:
    if (default is None) == (factory is None):
        raise TypeError("a field has a default or a factory; give one of them")
    metadata = {KEY: by, SHOWN: shown}
    if factory is None:
        return field(default=default, metadata=metadata)
    return field(default_factory=factory, metadata=metadata)


def visibility(table: type) -> dict[str, SeenBy]:
    """Return who sees each field of a table class: `fsm.table.sight` alone says what that means."""
    return {entry.name: entry.metadata.get(KEY, SeenBy.NOBODY) for entry in fields(table)}


def is_shown_at_end(table: Any, name: str, seat: int) -> bool:
    """Whether all see what a seat has in a field of a table when the game is over."""
    shown = next(entry.metadata.get(SHOWN) for entry in fields(table) if entry.name == name)
    return shown is None or bool(shown(table, seat))


def determined(table: type) -> dict[str, Callable[[Any], int]]:
    """The fields of a table class that other fields determine, with the queries that do."""
    return {entry.name: entry.metadata[SOURCE] for entry in fields(table) if SOURCE in entry.metadata}
