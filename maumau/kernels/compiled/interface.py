"""The interface of a game: what a function in machine code may ask of it, whichever game it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from fsm.edge.numbers import Array
else:
    Array = Any

Table = Any
"""A table of the game, or of a match."""


class Interface(Protocol):
    """A game, as a program sees it: the functions that step a table, and memory for tables.

    A phase, a transition and a policy are numbers. In place of a phase or a move, `STUCK` says that no transition is
    enabled. A move is one number (`maumau.kernels.compiled.stepping`); the moves of a position ascend in the order of
    the offers, card codes and value codes, as those of `PhasePlan.moves` do.
    """

    STUCK: int
    """In place of a phase, a move or a transition: none is enabled."""
    NOT_FORCED: int
    """In place of a transition: a player chooses, or the game is over."""
    INITIAL: int
    """The number of the first phase."""
    FINAL: int
    """The number of the last phase."""
    SHARES_WINS: bool
    """Whether several can win together: the table has a mask of the seats that have won."""
    DECLARES_RETURNS: bool
    """Whether the game declares what each seat gains by it."""
    TURN_STARTS: tuple[int, ...]
    """For each phase 1 if a turn starts there, else 0."""

    def settle(self, table: Table, phase: int) -> int:
        """Fire what is forced; the phase in which a player chooses, the last one, or STUCK.

        A table does not remember positions: what a position that returns forces is up to the caller, who sets
        `table.returned`.
        """

    def moves(self, table: Table, phase: int, out: Array) -> int:
        """Write the legal moves of a phase in which nothing is forced into `out`, ascending; how many."""

    def forced(self, table: Table, phase: int) -> int:
        """The transition that is forced, NOT_FORCED or STUCK."""

    def card_of(self, move: int) -> int:
        """The card code of a move, -1 for none."""

    def value_of(self, move: int) -> int:
        """The value code of a move, -1 for none."""

    def without_value(self, move: int) -> int:
        """The number of a move with the same card that names no value."""

    def put(self, table: Table, phase: int, move: int) -> None:
        """Put the card and the value of a move on the table."""

    def act(self, table: Table, phase: int, move: int) -> int:
        """Put a legal move on the table and fire its transition; the phase to which it leads, or STUCK."""

    def chosen(self, table: Table, phase: int, move: int) -> int:
        """The transition of a legal move that is on the table, or STUCK."""

    def choose(self, table: Table, phase: int, policy: int) -> int:
        """The move that a policy chooses where nothing is forced, or STUCK; its card and value are on the table."""

    def play(self, table: Table, phase: int, policy: int) -> int:
        """Let a policy choose where nothing is forced, and fire it; the phase to which it leads, or STUCK."""

    def enabled(self, table: Table, arc: int) -> bool:
        """Whether the guards of a transition hold for what is on the table."""

    def fire(self, table: Table, arc: int) -> int:
        """Call the effects of a transition; the phase to which it leads."""

    def final_score(self, table: Table, seat: int) -> int:
        """The score of a seat for a game that is over."""

    def returns(self, table: Table, seat: int) -> int:
        """What a seat gains by a game that is over, where DECLARES_RETURNS."""

    def deal_each(self, table: Table, deck: Array, players: int, each: int) -> None:
        """Deal so many cards each of a small deck to a table that is reset, in a game that knows how."""

    def look(self, table: Table, phase: int, seat: int, key: int) -> int:
        """Mix into a key what a seat sees of a table."""

    def pack(self, table: Table, phase: int, row: Array, cards: int) -> bool:
        """Write a position into a row (`maumau.kernels.compiled.rows`); whether it has room, with so many cards."""

    def unpack(self, table: Table, row: Array, players: int) -> int:
        """Set a table to the position of a row; its phase."""

    def make(self) -> Table:
        """A table, not yet reset."""

    def reset(self, table: Table) -> None:
        """Give every field the value that it has in a new table."""

    def copy(self, table: Table, other: Table) -> None:
        """Give every field of `table` the value of `other`."""

    def save(self, table: Table, address: int) -> None:
        """Write all fields to an address."""

    def load(self, table: Table, address: int) -> None:
        """Read all fields from where `save` wrote them."""
