"""The properties of a game, asked of a position or an event: those that do not hold are noted among the faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fsm.check.properties import BasicProperty
from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table

SHIFT = 5
IN_MASK = 1 << SHIFT
"""How many phases or arcs have a bit in a mask; there is one mask after another for all of them."""


def hold(table: Table, phase: int, faults: Array, here: int) -> bool:
    """Return whether all invariants hold; note those that do not. here: the number of the position."""
    sound, word, bit = True, phase >> SHIFT, phase & IN_MASK - 1
    for phases, invariants in given.INVARIANTS:
        if phases[word] >> bit & 1 == 1:
            for number, holds in invariants:
                held = holds(table)
                fails = given.faulted() != 0
                if fails or not held:
                    note_fault(faults, BasicProperty.NO_ERROR if fails else number, here, -1)
                    sound = False
    return sound


def done(before: Table, table: Table, arc: int, faults: Array, here: int, move: int) -> bool:
    """Return whether all postconditions of an arc hold; note those that do not.

    before: the table with the card and the value of the event. here, move: the numbers of the position and the event.
    """
    sound, word, bit = True, arc >> SHIFT, arc & IN_MASK - 1
    for arcs, postconditions in given.POSTCONDITIONS:
        if arcs[word] >> bit & 1 == 1:
            for number, holds in postconditions:
                held = holds(before, table)
                fails = given.faulted() != 0
                if fails or not held:
                    note_fault(faults, BasicProperty.NO_ERROR if fails else number, here, move)
                    sound = False
    return sound


def note_fault(faults: Array, number: int, here: int, move: int) -> None:
    """Count a fault; the position and the event of the first one are kept."""
    fault = faults[number]
    if fault[0] == 0:
        fault[1] = here
        fault[2] = move
    fault[0] += 1


def raised(faults: Array, here: int, move: int) -> bool:
    """Return whether a rule function has done what is an error since this was asked last, which is a fault."""
    if given.faulted() == 0:
        return False
    note_fault(faults, BasicProperty.NO_ERROR, here, move)
    return True


def conditions(table: Table, phase: int, part: int) -> int:
    """Return where in a position responses begin, and where they end: two bits each. part: which responses."""
    judged = 0
    for number, bit, phases, queries in given.RESPONSES:
        if part == number and fulfilled(table, phase, phases, queries):
            judged |= bit
    return judged


def fulfilled(table: Table, phase: int, phases: Sequence[int], queries: Sequence[Callable[[Table], bool]]) -> bool:
    """Return whether a phase is one of some, by their masks, or a query holds."""
    if phases[phase >> SHIFT] >> (phase & IN_MASK - 1) & 1 == 1:
        return True
    for query in queries:
        if query(table):
            return True
    return False
