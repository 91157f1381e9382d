"""What compiled functions take for granted: instructions of the compiler, and what is known of a game.

The compiler puts what is known in place of `given.NAME`. A name that is not known is refused where it would be read.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol, cast

from fsm.edge.numbers import Array
from maumau.kernels.compiled.interface import Table

Known = tuple[Any, ...]
"""A tuple that is known when a function is compiled: of numbers, texts, rule functions, and such tuples."""


class Instructions(Protocol):
    """Instructions of the compiler."""

    def make(self) -> Table:
        """A table, not yet reset."""

    def make_match(self) -> Table:
        """The table of a match, not yet reset."""

    def reset(self, table: Table) -> None:
        """Give every field the value that it has in a new table."""

    def copy(self, table: Table, other: Table) -> None:
        """Give every field of `table` the value of `other`."""

    def save(self, table: Table, address: int) -> None:
        """Write all fields to an address."""

    def load(self, table: Table, address: int) -> None:
        """Read all fields from where `save` wrote them."""

    def faulted(self) -> int:
        """Whether a rule function has done what Python raises an error for, since this was asked last."""

    def mask_of(self, mask: int, most: int) -> int:
        """A mask of what is offered; it is a fault, as for `faulted`, if it is more than the one of all."""

    def prefetch(self, array: Array, index: int) -> None:
        """Ask memory for what is at an index of an array, before it is read."""

    def new_bytes(self, length: int) -> Any:
        """A row of bytes; the length is known when the function is compiled."""

    def new_integers(self, length: int) -> Any:
        """A row of 64-bit integers; the length is known when the function is compiled."""

    def row_at(self, address: int) -> Any:
        """The row of bytes at an address."""

    def integers_at(self, address: int) -> Any:
        """The row of 64-bit integers at an address."""


class Given(Instructions, Protocol):
    """What compiled functions take for granted."""

    ACTED: Known
    """For each phase in which players choose its number, the policies, the offers with their actions, and the trees of
    what is chosen.
    """
    ACTIONS: int
    """The number of actions."""
    ALIKE: tuple[int, ...]
    """For the name of each card the codes of the cards of this name, as a mask, where names repeat."""
    AMENDS: bool
    """Whether the deck is changed after it is shuffled."""
    ARCS: Known
    """The transitions: the number, the phase to which it leads, its effects, and in a tuple what must hold and must
    not.
    """
    ARC_EFFECTS: tuple[int, ...]
    """For each arc the index of its effects among EFFECTS."""
    ASKED: tuple[
        tuple[int, tuple[tuple[Callable[[Table], bool], int], ...], tuple[tuple[int, str, int, int], ...]], ...
    ]
    """Each event by number, the guards that it alone asks with their bits, and for each of its arcs the number, the
    trigger, the bits of all guards, and of those that must hold.
    """
    BATCH: int
    """Deals or positions after which what was found is settled."""
    CARD_NAMES: int
    """How many numbers are for a card of an event in an observation."""
    CARD_PARTS: tuple[tuple[str, int, int, int, str, bool, bool], ...]
    """The parts of an observation that show cards: what; the index and the width; the seat after the observer; the
    pile, whether its cards lie in an order, and in the middle.
    """
    CARRIED: tuple[tuple[str, int], ...]
    """The fields that a round of a match takes over from the round before, and of how many seats; 0 for a number."""
    CHOSEN: int
    """The index in the notes of how many moves were chosen."""
    CONDITIONS: tuple[tuple[int, int, int, int], ...]
    """The guards of each arc in the order in which they are asked: the event, the arc, the bit of the guard, and 1 if
    it must hold.
    """
    COPIES: Known
    """The fields of hands for further copies of a card, each with its index."""
    DEALS: bool
    """Whether the kernel makes decks itself where none are given."""
    DECK_SIZE: int
    """How many cards the deck has."""
    DESTS: tuple[int, ...]
    """The number of the phase to which each arc leads."""
    DETERMINED: tuple[tuple[str, Callable[[Table], int]], ...]
    """The fields that hands determine, each with the query that does."""
    EFFECTS: tuple[tuple[int, tuple[Callable[[Table], None], ...]], ...]
    """The effects that arcs have, by number."""
    EVENTS: int
    """How many of the last events an observation shows."""
    EVENT_WIDTH: int
    """How many numbers an event has in an observation."""
    FACTS_SEEN: tuple[tuple[str, bool, int, bool], ...]
    """The facts that a seat sees, at least in part: the field, whether it is the player who acts, who sees it, and
    whether it is a plain number.
    """
    FACT_PARTS: tuple[tuple[str, int, int, int, str, int], ...]
    """The parts of an observation that show facts: what; the index and the width; the seat after the observer; the
    field and who sees it.
    """
    FACT_RANGES: tuple[tuple[str, int, int], ...]
    """The facts with one value, each with the least and the greatest one for which a row has room."""
    FEW: int
    """The number of the property that no event has too many outcomes of dice."""
    FIELDS_SEEN: tuple[tuple[str, int, int, bool], ...]
    """The fields that a seat sees, at least in part: the places, 0 for a number; who sees one; whether its size is
    seen.
    """
    FINAL: int
    """The number of the last phase."""
    GAME_PARTS: tuple[tuple[str, int, int, int, str, bool], ...]
    """The parts of an observation beside cards and facts: what; the index and the width; the seat after the observer;
    the field, and whether its cards lie in an order.
    """
    HANDS: tuple[str, ...]
    """The fields that hold the hands: a card that a seat has twice is in two."""
    HANDS_FROM_LAST: tuple[str, ...]
    """The fields that hold the hands, the last one first."""
    HANDS_SEEN: tuple[tuple[str, int], ...]
    """The fields that hold the hands, and who sees them."""
    HEAD: int
    """The column of a move with the head of the pile."""
    HEADS: tuple[tuple[str, int, int, int], ...]
    """The numbers in the first words of a row, after the phase: the field, or nothing for the size of both piles; what
    is added to it; the word and the bit.
    """
    HEAD_WORDS: int
    """How many words of a row HEADS take."""
    HORIZON: int
    """Choices of nets, or of others, after which a search breaks a game off."""
    ILLEGAL: int
    """How much less likely a world is for a move that is not legal than for one that differs from the policy."""
    INITIAL: int
    """The number of the first phase."""
    INVARIANTS: tuple[tuple[tuple[int, ...], tuple[tuple[int, Callable[[Table], bool]], ...]], ...]
    """Masks of phases, and the invariants that hold in these, each with the number of the property."""
    KEEPS_POSITIONS: bool
    """Whether every position at the start of a turn is kept, because one that returns ends the game in spite of dice.
    """
    KIND: tuple[int, ...]
    """The index of the name of each card code among the names of the deck."""
    KNOWS_DEALER: bool
    """Whether the table has a dealer."""
    LAST: int
    """The index in the notes of the number of the event that the first seat chose last."""
    LEFT: int
    """The index in the notes of the cards that the first seat saw leave its hand."""
    LISTS_COMPARED: tuple[str, ...]
    """The lists that are compared where a position returns, and the piles whose cards lie in an order."""
    LISTS_HASHED: tuple[str, ...]
    """The lists that belong to a position."""
    LISTS_PACKED: tuple[str, ...]
    """The lists that a row has."""
    LISTS_SEEN: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    """The lists of seats, what a seat sees of its own part and of another one (`cards`, `size` or nothing), and the
    fields whose cards are counted for the size.
    """
    LOGS: bool
    """Whether events and final tables are written down."""
    LOOKS: tuple[int, ...]
    """For each card code the first one that looks like it."""
    LOOK_ALIKE: tuple[int, ...]
    """Masks of card codes that look alike where a position returns."""
    LOWEST_WINS: bool
    """Whether the lowest total wins a match."""
    LYING: int
    """The index in the notes of the cards that lie face up."""
    MASKS: int
    """The first column of a move with the cards that its seat holds."""
    MATCHES: bool
    """Whether matches are played, not games."""
    MATCH_PHASES: Known
    """The phases of a match, as PHASES."""
    MEANT: Array
    """For each action the codes of its cards, as a mask."""
    MELD_BITS: int
    """The bits of a meld."""
    MORE_HANDS: tuple[str, ...]
    """The fields of the hands for further copies of a card."""
    MOST_SHOWN: int
    """The greatest number of an observation."""
    MOVES: Known
    """For each phase in which players choose its number, and the offers (`maumau.kernels.compiler.phases.moves_of`)."""
    NAMED_FIELDS: tuple[str, ...]
    """The fields in which the card and the value of a move are named."""
    NAMES_IN_ORDER: int
    """How many names, the first ones, are those of one card whose code is the number of the name."""
    NAMES_REPEAT: bool
    """Whether several card codes have one name."""
    NAME_MASKS: tuple[tuple[int, int], ...]
    """Each name beyond NAMES_IN_ORDER, and the codes of its cards as a mask."""
    NAMINGS: tuple[tuple[int, bool, str], ...]
    """What is named with events, by number: whether a card is, and the field of the value."""
    NUMBERS: Known
    """For each event the numbers of its actions: by card code, -1 first, a row of values, -1 first."""
    NUMBERS_COMPARED: tuple[str, ...]
    """The numbers that are compared where a position returns."""
    NUMBERS_HASHED: tuple[str, ...]
    """The facts with one value that belong to a position."""
    OFFER: int
    """The column of a move with the place of its offer."""
    OUTCOMES: int
    """The most outcomes of dice that are followed of one event."""
    OWN_KINDS: tuple[tuple[int, str], ...]
    """The kinds of values other than suits by number, with their fields."""
    PAST: int
    """The index of the first seat's ring of events in the notes: how many it has had, then the words."""
    PHASES: Known
    """What is done in each phase (`maumau.kernels.compiler.phases.phases_of`)."""
    PHASES_ASKED: tuple[int, ...]
    """For each phase its index among those in which players choose; -1 for others."""
    PHASES_BY_POLICIES: Known
    """What is done in each phase where nothing is counted."""
    PHASES_IN_SECRET: tuple[int, ...]
    """For each phase 1 if others do not see who acts there, else 0."""
    PHASES_SEEN: tuple[int, ...]
    """The number of the phase that a seat sees which does not act, by the number of the phase."""
    PILES: tuple[tuple[str, bool, bool], ...]
    """The piles beside the hands: the field; whether cards lie in an order, and in the middle."""
    PILES_HIDDEN: tuple[tuple[str, bool, bool, int, int], ...]
    """Piles beside the draw pile that not all see: the field; whether cards lie in an order, and in the middle; who
    sees them; the index of the first place in what is missing.
    """
    PILES_SHOWN: tuple[tuple[str, bool, bool], ...]
    """The piles that all see: the field; whether cards lie in an order, and in the middle."""
    PILE_HIDDEN: bool
    """Whether nobody sees the draw pile."""
    PLAYED: tuple[int, ...]
    """For each transition the number of what is named with its event; 0 for nothing."""
    PLAYERS: int
    """The number of players."""
    POSITION_BYTES: int
    """The bytes of a position that is kept."""
    POSTCONDITIONS: tuple[tuple[tuple[int, ...], tuple[tuple[int, Callable[[Table, Table], bool]], ...]], ...]
    """Masks of arcs, and the postconditions of these, each with the number of the property."""
    PROPOSED: tuple[
        tuple[
            int,
            tuple[tuple[Callable[[Table], bool], int], ...],
            tuple[int, ...],
            tuple[tuple[int, str, Callable[[Table], int], int, Callable[[Table], int], int], ...],
        ],
        ...,
    ]
    """Each phase by number, the guards that are asked once there with their bits, the forced events, and the others:
    the number, what is named, and for cards and for values the query and the mask of all.
    """
    QUEUES_PACKED: tuple[tuple[str, bool], ...]
    """The piles whose cards lie in an order, and whether they lie in the middle."""
    QUEUES_SEEN: tuple[tuple[str, bool, int], ...]
    """The piles whose cards lie in an order: the field, whether it is in the middle, and who sees it."""
    REPLAYED: Known
    """What is done in each phase where moves are made again (`maumau.kernels.compiler.numbered.replay_constants`)."""
    RESPONSES: tuple[tuple[int, int, tuple[int, ...], tuple[Callable[[Table], bool], ...]], ...]
    """By what a position is judged: the part and the bit, masks of phases, and queries, any of which is enough."""
    RETURNS: tuple[int, ...]
    """For each phase 1 if a position may return there, else 0."""
    REVEALS: bool
    """Whether hands are shown, and so may have moved."""
    ROLLS: tuple[int, ...]
    """For each transition 1 if dice are rolled, else 0; empty where none are."""
    RUN_PHASES: Known
    """What is done in each phase up to the decision of a learning seat."""
    SEED: int
    """-1 where each outcome of dice is followed, else 0."""
    SEEN: int
    """The index in the notes of the cards that all know."""
    SHARES_WINS: bool
    """Whether several can win together: the table has a mask of the seats that have won."""
    SHOWN: int
    """The column of a move that says whether a hand was shown before."""
    SHOWS_DISCARDS: bool
    """Whether all see the discard pile."""
    SIDES: int
    """How many sides of partners play; 0 if each plays alone."""
    SIDES_AMONG: tuple[int, ...]
    """How many sides some players form, by their number."""
    STOPS: int
    """Stops after which a game is left running."""
    TABLE_BYTES: int
    """The bytes of a table that is saved."""
    TRIGGERS: int
    """How many events players choose among."""
    TURNED_UP: tuple[str, ...]
    """The fields that name a card that all see in whichever pile it lies."""
    UNLIKE: int
    """All codes but those in LOOK_ALIKE, as a mask."""
    UNWON_SCORES: bool
    """Whether a round without a winner counts in a match."""
    VALUES: Array
    """For each action the code of its value, -1 for none."""
    VALUE_KINDS: tuple[int, ...]
    """For each event the number of the kind of the value that is named with it, 0 for suits."""
    VALUE_PLACES: Known
    """For each event the place of each code of a value among all values that actions name, from no value on."""
    WATCHES: bool
    """Whether a long game is compared with itself."""
    WORDS: int
    """The random words that are drawn at a time."""

    def alike_of(self, cards: int) -> int:
        """The cards that have the name of one of these, as a mask."""

    def keep_event(
        self, notes: Array, player: int, event: int, card: int, value: int, seen_by: int, card_by: int, value_by: int
    ) -> None:
        """Keep an event in the notes of each seat that sees it."""

    def note(self, table: Table, notes: Array, discarded: Array, shuffled: int) -> None:
        """Follow what can be seen in the notes. shuffled: whether dice were rolled since this was called last."""

    def game_amend(self, deck: Array, players: int, seed: int, number: int) -> None:
        """Change a deck that is shuffled, where AMENDS."""

    def game_deal(self, table: Table, deck: Array, players: int) -> None:
        """Deal the deck to a table that is reset."""

    def game_deal_each(self, table: Table, deck: Array, players: int, each: int) -> None:
        """Deal so many cards each of a small deck to a table that is reset."""

    def game_fill(self, deck: Array) -> None:
        """Write the codes of the cards."""

    def game_mark(self, table: Table, seat: int) -> int:
        """The number of a seat on the last line of the printed result."""

    def game_points(self, table: Table, seat: int) -> int:
        """The points of a seat for a round of a match."""

    def game_score(self, table: Table, seat: int) -> int:
        """The score of a seat."""

    def readable(self, table: Table, whole: Array) -> bool:
        """Whether all cards are there, and all facts are what a position has room for."""

    def mix(self, key: int, number: int) -> int:
        """Mix a number into a key of a tree."""

    def run(
        self,
        table: Table,
        phase: int,
        stops: int,
        seats: Array,
        weight: int,
        fired: Array,
        used: Array,
        log: Array,
        logged: int,
    ) -> tuple[int, int]:
        """Step a table from `phase` to the end or a stop: the phase there, and how many events are written down."""


given = cast(Given, SimpleNamespace())
"""What functions read by `given.NAME`."""
