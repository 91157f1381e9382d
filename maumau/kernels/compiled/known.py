"""The rows that are known, in the order in which they were found, and a hash table of their numbers.

A slot holds 1 + the number of a row below bits of its hash, or 0. There are more slots than rows, and their number is a
power of two, so that the bits above those of a number are free.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.mixing import LOW_HALF
from maumau.kernels.compiled.rows import compress, equal, expand, hashed

AHEAD = 32
"""Rows of which memory is asked for the slots at once, before they are looked for."""
NOTES = 2
PARENT, MOVE = range(NOTES)
"""What is noted of a position: the number of the one from which it was found, or -1 - n for deal n, and the event."""
CARD, VALUE, AGAIN = 16, 23, 30
"""The bits of a move from which on its parts lie: first the number of the phase and event, then 1 + the card and
1 + the value, which are 0 for none, and whether the position is taken for one that was there before."""
SPAN = 4
DEAL, LAST_DEAL, HERE, LAST = range(SPAN)
"""The deals and the positions from which is gone on: the first one, and the one after the last one."""
PLACES = 6
STAGED, KNOWN, EVENTS, TRIED, WAYS, FILLED = range(PLACES)
"""Places of the numbers that are counted: positions that are staged and known, events fired and tried, ways in the
graph of all positions, and positions whose ways are there."""


class ExploredRows(NamedTuple):
    """What an exploration knows.

    keys, slots, notes: the known positions, the hash table of their numbers, and what is noted of them. first, ends:
    their ways (`maumau.kernels.compiled.backward`), if these are kept. total, fired, faults: sums of what was settled,
    as in `StagedRows`.
    """

    keys: Array2D[np.int64]
    slots: Array1D[np.uint32]
    notes: Array2D[np.int32]
    first: Array1D[np.int64]
    ends: Array1D[np.int32]
    total: Array1D[np.int64]
    fired: Array1D[np.int64]
    faults: Array2D[np.int64]


class StagedRows(NamedTuple):
    """What one thread has found.

    rows, notes: of each position that is staged its packed row, and its PARENT and MOVE. numbers: room for its number.
    state: the numbers at PLACES. fired: how often each transition was. faults: of each property how often it failed,
    and where first: the position, or -1 - n for deal n, and the event, or -1.
    """

    rows: Array2D[np.int64]
    notes: Array2D[np.int32]
    numbers: Array1D[np.int32]
    state: Array1D[np.int64]
    fired: Array1D[np.int64]
    faults: Array2D[np.int64]


def admit(
    staged: Array2D[np.int64], count: int, its_notes: Array2D[np.int32], its_numbers: Array1D[np.int32],
    keys: Array2D[np.int64], slots: Array1D[np.uint32], notes: Array2D[np.int32], known: int,
) -> int:  # fmt: skip
    """Add those of `count` rows that are not among the `known` ones, in their order; how many are known then.

    staged, its_notes: the rows, and what is noted of each. its_numbers: their numbers, which are written. keys, notes:
    the same of the known ones.
    """
    ahead = given.new_integers(AHEAD)
    for place in range(count):
        if place % AHEAD == 0:
            look_ahead(staged, place, min(AHEAD, count - place), slots, ahead)
        mixed = ahead[place % AHEAD]
        slot = slot_of(staged[place], mixed, keys, slots)
        if slots[slot] == 0:
            for word in range(keys.shape[1]):
                keys[known, word] = staged[place, word]
            for column in range(notes.shape[1]):
                notes[known, column] = its_notes[place, column]
            enter(slots, slot, mixed, known)
            known += 1
        its_numbers[place] = number_in(slots, slot)
    return known


def has_room(staged: int, known: ExploredRows) -> bool:
    """Whether there is room for so many more positions, and ways to them if these are kept."""
    count, first = known.total[KNOWN] + staged, known.first
    ways = len(first) == 0 or (count < len(first) and known.total[WAYS] + staged <= len(known.ends))
    return bool(ways and count <= len(known.keys) and 3 * count <= 2 * len(known.slots))


def settle(span: Array1D[np.int64], known: ExploredRows, staged: StagedRows) -> None:
    """Add what was staged and counted to what is known, for which there is room; then nothing is staged.

    span: of the deals and positions from which was gone on, which is empty then: it begins where it ended.
    """
    total, state, faults = known.total, staged.state, staged.faults
    count = state[STAGED]
    total[KNOWN] = admit(
        staged.rows, count, staged.notes, staged.numbers, known.keys, known.slots, known.notes, total[KNOWN]
    )
    if len(known.first) > 0:
        add_ways(staged, count, known)
    for place in range(len(staged.fired)):
        known.fired[place] += staged.fired[place]
        staged.fired[place] = 0
    for number in range(len(faults)):
        if known.faults[number, 0] == 0:
            known.faults[number, 1] = faults[number, 1]
            known.faults[number, 2] = faults[number, 2]
        known.faults[number, 0] += faults[number, 0]
        faults[number, 0] = 0
    total[EVENTS] += state[EVENTS]
    total[TRIED] += state[TRIED]
    for place in range(len(state)):
        state[place] = 0
    span[DEAL], span[HERE] = span[LAST_DEAL], span[LAST]


def add_ways(staged: StagedRows, count: int, known: ExploredRows) -> None:
    """Add where events lead: the number of the position, or -1 less it if the event takes it for a return."""
    its_notes, numbers, first, ends, total = staged.notes, staged.numbers, known.first, known.ends, known.total
    ways, filled = total[WAYS], total[FILLED]
    for place in range(count):
        parent = its_notes[place, PARENT]
        if parent < 0:
            continue
        while filled <= parent:
            first[filled] = ways
            filled += 1
        again = its_notes[place, MOVE] >> AGAIN & 1 == 1
        ends[ways] = -1 - numbers[place] if again else numbers[place]
        ways += 1
    total[WAYS], total[FILLED] = ways, filled


def slot_of(row: Array, mixed: int, keys: Array, slots: Array) -> int:
    """The slot in which the number of a row is, or the empty one in which it belongs. mixed: its hash."""
    numbers = len(slots) - 1
    tag, slot = mixed & ~numbers & LOW_HALF, mixed >> 32 & numbers
    while slots[slot] != 0:
        if slots[slot] & ~numbers == tag and equal(row, keys[(slots[slot] & numbers) - 1]):
            break
        slot = slot + 1 & numbers
    return slot


def known_as(row: Array, number: int, keys: Array, slots: Array) -> int:
    """The number of a row that is known; one that is not becomes `number`, at which it stands among the keys."""
    mixed = hashed(row)
    slot = slot_of(row, mixed, keys, slots)
    if slots[slot] == 0:
        enter(slots, slot, mixed, number)
    return number_in(slots, slot)


def look_for(row: Array, slots: Array, staged: int) -> bool:
    """Ask memory for the slot of a row, and return whether it is time to look there, with so many rows staged."""
    given.prefetch(slots, hashed(row) >> 32 & len(slots) - 1)
    return staged >= AHEAD


def number_in(slots: Array, slot: int) -> int:
    """The number of the row in a slot."""
    return int(slots[slot] & len(slots) - 1) - 1


def enter(slots: Array, slot: int, mixed: int, number: int) -> None:
    """Write the number of a row into a slot. mixed: its hash."""
    slots[slot] = mixed & ~(len(slots) - 1) & LOW_HALF | number + 1


def look_ahead(rows: Array, place: int, count: int, slots: Array, ahead: Array) -> None:
    """Hash so many rows from a place on, and ask memory for the slots in which they may be. ahead: the hashes."""
    for following in range(count):
        ahead[following] = hashed(rows[place + following])
        given.prefetch(slots, ahead[following] >> 32 & len(slots) - 1)


def index_all(keys: Array2D[np.int64], slots: Array1D[np.uint32]) -> None:
    """Put all rows into an empty hash table."""
    numbers, ahead = len(slots) - 1, given.new_integers(AHEAD)
    for place in range(len(keys)):
        if place % AHEAD == 0:
            look_ahead(keys, place, min(AHEAD, len(keys) - place), slots, ahead)
        mixed = ahead[place % AHEAD]
        slot = mixed >> 32 & numbers
        while slots[slot] != 0:
            slot = slot + 1 & numbers
        enter(slots, slot, mixed, place)


def repack(
    keys: Array2D[np.int64],
    layout: Array2D[np.int64],
    row: Array1D[np.int64],
    in_use: Array1D[np.int64],
    packed: Array2D[np.int64],
    its_layout: Array2D[np.int64],
) -> None:
    """Pack rows by another layout.

    keys, layout: as they are; packed, its_layout: as they will be. row: room for one. in_use: their bits are added.
    """
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        compress(row, its_layout, in_use, packed[place])
