"""What compiled functions of agents take for granted."""

from __future__ import annotations

from typing import Any, Protocol, cast

from fsm.edge.numbers import Array
from maumau.kernels.compiled.ends import PositionRoom
from maumau.kernels.compiled.given import Given
from maumau.kernels.compiled.given import given as given_to_all
from maumau.kernels.compiled.interface import Table


class GivenToAgents(Given, Protocol):
    """What compiled functions of agents take for granted, beside the instructions and constants of kernels."""

    BY_NET: bool
    """Whether a net chooses for the seat that searches."""
    BY_TREE: bool
    """Whether games are played through a tree."""
    DECLARES_REWARDS: bool
    """Whether rewards are whole numbers by `game_rewards`."""
    DRAWS_OTHERS: bool
    """Whether who plays the other seats is drawn for each world, and may be a net."""
    FOLLOWS: bool
    """Whether cards are followed: every card is in the deck once."""
    HELD: int
    """The index of the first seat's hand in the notes."""
    HIDES_PILES: bool
    """Whether there are piles, beside the draw pile, that a seat does not see."""
    KEEPS_NOTES: bool
    """Whether notes are kept of games that are played out, because nets choose or other players are drawn."""
    KINDS: int
    """The number of names of cards."""
    LOST: tuple[int, ...]
    """The reward of a game that so many other seats win: the bits of a 32-bit floating-point number."""
    MISSING: int
    """The most hands and hidden piles that lack cards."""
    NOTES: int
    """The number of integers in the notes."""
    PLAYOUT_STOPS: int
    """Stops after which a game that is played out by policies is given up."""
    RING: int
    """The places of the ring."""
    SEATS: int
    """The seats of a table."""
    SHOWS_PILES: bool
    """Whether cards lie face up in piles beside the discard pile."""
    TALLIES: bool
    """Whether the results of games are written down, and arcs and decision rules counted."""
    WIDTH: int
    """The numbers of an observation."""
    WON: int
    """The reward of a game that the seat wins."""

    # ------------------------------------------------------------ functions of kernels

    def act(self, table: Table, phase: int, action: int) -> int:
        """Fire an action of the player who acts; the next phase, or STUCK."""

    def advance(self, table: Table, phase: int, action: int, seat: int, left: int) -> int:
        """Fire an action of `seat`, and go on to its next decision, the end, or for so many choices of others."""

    def determine(self, table: Table) -> None:
        """Find the fields that the hands determine."""

    def forget_determined(self, table: Table) -> None:
        """Clear the fields that the hands determine."""

    def give(self, table: Table, other: int, bit: int) -> None:
        """Give a seat the card of a bit."""

    def give_piles(self, table: Table, missing: Array, pool: Array, dealt: int) -> int:
        """Deal cards of the pool into hidden piles; how many are dealt now."""

    def hand(self, table: Table, seat: int) -> int:
        """The cards of a seat, as a mask."""

    def observe(self, table: Table, phase: int, seat: int, notes: Array, discarded: Array, line: Array) -> None:
        """Write what `seat` sees and knows into `line`."""

    def own_action(self, table: Table, phase: int) -> int:
        """The action that the policy of the seat that searches chooses, or -1."""

    def replay(self, table: Table, phase: int, moves: Array, seat: int, most: int) -> tuple[int, int, int, int, int]:
        """Play `table` by some moves."""

    def run_by_policies(self, table: Table, phase: int, stops: int, seats: Array) -> int:
        """Step `table` by policies alone to the end or to a stop; the phase there, or STUCK."""

    def run_to_decision(
        self,
        table: Table,
        phase: int,
        seats: Array,
        limit: int,
        action: int,
        notes: Array,
        discarded: Array,
        fired: Array,
        used: Array,
        weight: int,
        room: PositionRoom,
        counts: Array,
    ) -> int:
        """Step `table`, first by `action` if it is one, to the next decision of a seat without a policy, the end,
        or the limit.
        """

    def seen_key(self, table: Table, seat: int, key: int) -> int:
        """Mix into a key what `seat`, which acts, sees of the table."""

    def shown(self, table: Table) -> int:
        """The cards that lie face up in piles, as a mask, where SHOWS_PILES."""

    def take(self, table: Table, other: int, bit: int) -> None:
        """Take the card of a bit from a seat that has it."""

    def take_hidden(self, table: Table, seat: int, other: int, known: int, counts: Array) -> int:
        """Take the cards of a seat that are not known, counted by their codes; how many there are."""

    def take_piles(self, table: Table, seat: int, known: int, counts: Array, missing: Array) -> None:
        """Take the cards that are not known out of the piles that `seat` does not see, counted by their codes."""

    def turned_up(self, table: Table) -> int:
        """The cards that all see in whichever pile they lie."""

    def write_mask(self, table: Table, phase: int, line: Array) -> bool:
        """Mark the legal actions; whether each of them has a number."""

    # ------------------------------------------------------------ functions of a game or of agents

    def game_rewards(self, table: Table, seat: int) -> int:
        """The reward of a seat for a game that is over, where DECLARES_REWARDS."""

    def explore(self, playout: Any, world: Table, after: Table, phase: int, legal: Array) -> bool:
        """Play some games through the tree from a world; whether each could go on."""


given = cast(GivenToAgents, given_to_all)
"""What functions read by `given.NAME`."""
