"""A game dealt and run to its end, or to where a position returns.

Where only a return that proves a game endless matters, a long game of players without dice is watched: they choose by
the position, so its positions have a period. Where the rules end a game as soon as a position returns and dice are
rolled, every position at the start of a turn is kept, in memory of the caller, and looked up if it may be one of them.
A game that has more positions than there is room for is left running, and so is one of more than LONGEST turns, or that
goes on for so many after its position has returned.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.declaration.endless import LONGEST
from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.in_place import apart
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.mixing import LOW_HALF

STUCK = -1
"""In place of a phase: no arc was enabled."""
NO_LIMIT = 1 << 62
"""More stops than any game has; a higher measure than that of any position."""
MIX = 0x9E3779B1
"""An odd number near 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4)."""
WEIGHTS = (1 << 62) - 1
"""The bits of the weight of a number in a hash: it fits into a signed word."""
HORIZON = 512
"""Stops at which a position may return, mostly one a turn, before a game is watched for that; most end long before."""
LONG_HORIZON = 16 * HORIZON
"""The same where all players are random: one game in twenty of four such players has more than HORIZON turns."""


class RoundDeal(NamedTuple):
    """What a round begins with: game `number` of `seed`.

    before: in a match, the table of the round before it, whose facts are carried.
    """

    before: Table
    deck: Array
    players: int
    seed: int
    number: int
    dealer: int


class RoundPlay(NamedTuple):
    """Who plays, by the number of the policy of each seat, and where what happens is counted and written down."""

    seats: Array
    fired: Array
    used: Array
    log: Array


class PositionRoom(NamedTuple):
    """Memory for the positions of a game or a round.

    seen: saved tables, a row for each. hashes: theirs. slots: by hash, the row of each that was entered, or EMPTY.
    """

    seen: Array2D[np.uint8]
    hashes: Array1D[np.int64]
    slots: Array1D[np.int64]


COUNTS = 3
KEPT, ENTERED, LOWEST = range(COUNTS)
"""Indices of the counts of positions: how many are kept, in the first rows; how many of these are entered, the first
ones as well; the lowest of their measures.
"""


def begin_round(table: Table, deal: RoundDeal) -> None:
    """Deal a round, with what it takes over from the round before it."""
    begin(table, deal.deck, deal.players, deal.seed, deal.number, deal.dealer)
    carry(table, deal.before)


def begin(table: Table, deck: Array, players: int, seed: int, number: int, dealer: int) -> None:
    """Deal a round to a table that is reset."""
    given.reset(table)
    if given.KNOWS_DEALER:
        table.dealer = dealer
    given.game_deal(table, deck, players)
    table.seed, table.number = seed, number


def begin_alone(
    table: Table, room: PositionRoom, counts: Array, deck: Array, players: int, seed: int, number: int
) -> None:
    """Deal a game by itself, of which no position is kept yet."""
    begin(table, deck, players, seed, number, 0)
    if given.KEEPS_POSITIONS:
        forget(room, counts)


def carry(table: Table, before: Table) -> None:
    """Put on the table of a round what it takes over from the round before it."""
    for name, seats in given.CARRIED:
        if seats == 0:
            setattr(table, name, getattr(before, name))
        else:
            for seat in range(seats):
                getattr(table, name)[seat] = getattr(before, name)[seat]


def to_end(table: Table, deal: RoundDeal, play: RoundPlay, logged: int, room: PositionRoom) -> tuple[int, int]:
    """Deal a round and run it: the last phase, or STUCK, and how many events are written down."""
    begin_round(table, deal)
    if given.KEEPS_POSITIONS:
        return to_end_keeping(table, play, logged, room)
    if given.WATCHES:
        return to_end_watching(table, deal, play, logged)
    return given.run(table, given.INITIAL, given.STOPS, play.seats, 1, play.fired, play.used, play.log, logged)


def to_end_keeping(table: Table, play: RoundPlay, logged: int, room: PositionRoom) -> tuple[int, int]:
    """Run a game that ends where a position returns, whatever the dice: those at the starts of turns are kept."""
    phase, stops, counts = given.INITIAL, 0, given.new_integers(COUNTS)
    counts[ENTERED] = 0
    forget(room, counts)
    for _ in range(LONGEST):
        phase, logged = given.run(table, phase, stops, play.seats, 1, play.fired, play.used, play.log, logged)
        if phase in (given.FINAL, STUCK) or not keep_position(table, phase, room, counts):
            break
        stops = 1
    forget(room, counts)
    return phase, logged


def to_end_watching(table: Table, deal: RoundDeal, play: RoundPlay, logged: int) -> tuple[int, int]:
    """Run a game that is stopped wherever a position may return.

    The period of its positions is found, then it is played again and compared with itself one period earlier, so that
    it is abandoned where a position first returns. In between it is played once with weight -1, so that nothing is
    counted twice.
    """
    other = given.make()
    phase, events, stops, period = find_period(table, other, play, logged)
    if period == 0:
        return phase, events
    begin_round(table, deal)
    given.run(table, given.INITIAL, stops, play.seats, -1, play.fired, play.used, play.log, logged)
    begin_round(table, deal)
    return to_return(table, other, period, play, logged)


def find_period(table: Table, other: Table, play: RoundPlay, logged: int) -> tuple[int, int, int, int]:
    """Run a game to its end or until its positions are seen to have a period (Brent 1980): the phase, the events that
    are written down, the stops up to there, and the period, 0 if none was found.
    """
    phase, logged = given.run(table, given.INITIAL, given.STOPS, play.seats, 1, play.fired, play.used, play.log, logged)
    given.copy(other, table)
    other_phase, stops, length, power = phase, given.STOPS, 0, 2
    while phase not in (given.FINAL, STUCK) and table.returned == 0:
        phase, logged = given.run(table, phase, 1, play.seats, 1, play.fired, play.used, play.log, logged)
        stops += 1
        length += 1
        if phase == other_phase and table.returned == 0 and same_position(table, other):
            return phase, logged, stops, length
        if power > LONGEST:
            break
        if length == power:
            given.copy(other, table)
            other_phase = phase
            length, power = 0, 2 * power
    return phase, logged, stops, 0


def to_return(table: Table, other: Table, period: int, play: RoundPlay, logged: int) -> tuple[int, int]:
    """Run a game that is dealt to where a position first returns: the same as `other` has one period earlier."""
    phase, logged = given.run(table, given.INITIAL, 0, play.seats, 1, play.fired, play.used, play.log, logged)
    given.copy(other, table)
    other_phase, stops = phase, 0
    while phase not in (given.FINAL, STUCK) and table.returned == 0:
        following = 1
        if stops >= period:
            if phase == other_phase and same_position(table, other):
                table.returned, following = 1, LONGEST
            else:
                other_phase, _ = given.run(
                    other, other_phase, 1, play.seats, 0, play.fired, play.used, play.log, NO_LIMIT
                )
        phase, logged = given.run(table, phase, following, play.seats, 1, play.fired, play.used, play.log, logged)
        stops += 1
    return phase, logged


# ---------------------------------------------------------------- positions that are kept

EMPTY = -1
"""What stands in a slot without a position."""


def keep_position(table: Table, phase: int, room: PositionRoom, counts: Array) -> bool:
    """Keep the position, unless it is among those that are kept: then `returned` is 1, else 0.

    Returns whether there was room. Two positions differ if their piles are of different sizes. One whose measure is
    lower than those of all others is new, as most are until cards are shuffled again: they are entered only then.
    """
    known, measure = counts[KEPT], measure_of(table)
    table.returned = 0
    if known == len(room.hashes):
        return False
    if measure < counts[LOWEST]:
        counts[LOWEST] = measure
    else:
        if counts[ENTERED] < known:
            enter(room, counts)
        mixed = hash_of(table, phase)
        slot = slot_of(table, phase, mixed, room)
        if room.slots[slot] >= 0:
            table.returned = 1
            return True
        room.hashes[known], room.slots[slot], counts[ENTERED] = mixed, known, known + 1
    given.save(table, room.seen.ctypes.data + known * given.POSITION_BYTES)
    room.seen[known, -1] = phase
    counts[KEPT] = known + 1
    return True


def measure_of(table: Table) -> int:
    """A number that falls as cards are drawn and discarded."""
    measure: int = (table.stock << 32) - (table.tail - table.head)
    return measure


@apart(is_small=True)
def enter(room: PositionRoom, counts: Array) -> None:
    """Enter all positions that are kept: they differ from each other."""
    table, slots = given.make(), room.slots
    for row in range(counts[ENTERED], counts[KEPT]):
        given.load(table, room.seen.ctypes.data + row * given.POSITION_BYTES)
        mixed = hash_of(table, room.seen[row, -1])
        slot = mixed & len(slots) - 1
        while slots[slot] >= 0:
            slot = slot + 1 & len(slots) - 1
        room.hashes[row], slots[slot] = mixed, row
    counts[ENTERED] = counts[KEPT]


def slot_of(table: Table, phase: int, mixed: int, room: PositionRoom) -> int:
    """The slot of the row of a position, or where it belongs: EMPTY is there then."""
    other, slots = given.make(), room.slots
    slot: int = mixed & len(slots) - 1
    while slots[slot] >= 0:
        row = slots[slot]
        if room.hashes[row] == mixed and room.seen[row, -1] == phase:
            given.load(other, room.seen.ctypes.data + row * given.POSITION_BYTES)
            if same_position(table, other):
                break
        slot = slot + 1 & len(slots) - 1
    return slot


def forget(room: PositionRoom, counts: Array) -> None:
    """Keep no position."""
    slots = room.slots
    for row in range(counts[ENTERED]):
        slot = room.hashes[row] & len(slots) - 1
        while slots[slot] >= 0:
            slots[slot] = EMPTY
            slot = slot + 1 & len(slots) - 1
    counts[KEPT] = counts[ENTERED] = 0
    counts[LOWEST] = NO_LIMIT


# ---------------------------------------------------------------- positions compared


def same_position(one: Table, other: Table) -> bool:
    """Whether two tables show the same position: facts, lists, and the order of both piles."""
    for name in given.NUMBERS_COMPARED:
        if getattr(one, name) != getattr(other, name):
            return False
    for name in given.LISTS_COMPARED:
        row, its = getattr(one, name), getattr(other, name)
        for place in range(len(row)):
            if name == "hands" and given.UNLIKE != -1:
                if not look_alike(row[place], its[place]):
                    return False
            elif row[place] != its[place]:
                return False
    if one.tail - one.head != other.tail - other.head:
        return False
    for place in range(one.tail - one.head):
        here, there = one.head + place & len(one.ring) - 1, other.head + place & len(other.ring) - 1
        if (
            given.LOOKS[one.ring[here]] != given.LOOKS[other.ring[there]]
            if given.UNLIKE != -1
            else one.ring[here] != other.ring[there]
        ):
            return False
    return True


def look_alike(one: int, other: int) -> bool:
    """Whether two hands look alike: masks of card codes, of which LOOK_ALIKE has those with one name."""
    if (one ^ other) & given.UNLIKE != 0:
        return False
    for codes in given.LOOK_ALIKE:
        if (one & codes).bit_count() != (other & codes).bit_count():
            return False
    return True


def hash_of(table: Table, phase: int) -> int:
    """The same number for the same position: 32 bits of facts, lists and the sizes of piles, without cards alike.

    Each number has a weight of its own, so that a processor can multiply several at a time.
    """
    total, weight = phase * MIX, MIX * MIX & WEIGHTS
    for name in given.NUMBERS_HASHED:
        total += getattr(table, name) * weight
        weight = weight * MIX & WEIGHTS
    total += table.stock * weight
    weight = weight * MIX & WEIGHTS
    total += (table.tail - table.head) * weight
    for name in given.LISTS_HASHED:
        row = getattr(table, name)
        for place in range(len(row)):
            weight = weight * MIX & WEIGHTS
            total += (row[place] & given.UNLIKE if name == "hands" else row[place]) * weight
    mixed: int = total >> 32 & LOW_HALF
    return mixed ^ mixed >> 15
